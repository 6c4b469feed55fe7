// A column counted on a fixed grid of ordered float bits, refined where it is crowded.
//
// The grid depends on no data, counts are integers and sums of integers do not depend on order: the summary
// of a whole is the merge of the summaries of its parts, to the bit, however the rows are cut up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/strided.hpp"

namespace boxwood {

// The result: sorted disjoint cells, each with its smallest and largest value and its count.
struct AdaptiveGrid {
    std::vector<double> low;
    std::vector<double> high;
    std::vector<std::int64_t> count;
};

// Counting goes in passes. A pass adds every row, then `refine` opens the cells that hold too many rows and
// says whether another pass is due. Only cells opened by the last `refine` count, so each row may (and must)
// be added again in each pass.
class CellCounter {
  public:
    CellCounter();

    // Counts values; NaNs are counted apart. `weights` may be null: every row counts 1.
    void add(Strided values, const std::int64_t* weights);

    // Adds the counts of another part of the rows. Both must have been refined alike.
    void merge(const CellCounter& other);

    // Gives a counter with the same open cells and no counts in them: for the next part of the rows.
    CellCounter empty_like() const;

    // Opens cells with more than 1/8192 of the total and more than one distinct value.
    bool refine();

    AdaptiveGrid cells() const;
    std::int64_t total() const { return total_; }
    std::int64_t missing() const { return missing_; }

  private:
    struct Cell {
        std::int64_t count = 0;
        std::uint64_t low = ~std::uint64_t{0};
        std::uint64_t high = 0;
        std::int32_t child = -1;  // index of the table that divides this cell
        bool open = true;         // counted in the current pass
    };
    struct Table {
        std::size_t first;  // index of its first cell
        int shift;          // bits to the right of those that this table tells apart
    };

    bool is_refined_like(const CellCounter& other) const;
    Cell& find(std::uint64_t key);
    void collect(const Table& table, AdaptiveGrid& out) const;

    std::vector<Table> tables_;
    std::vector<Cell> cells_;
    std::int64_t total_ = 0;
    std::int64_t missing_ = 0;
    bool first_pass_ = true;
    bool done_ = false;  // no cell is open: the passes that other columns need cost this one nothing
};

// All passes over one column in memory.
CellCounter count_cells(Strided values, const std::int64_t* weights);

// A whole column that is sorted instead of counted in passes: the same cells, to the bit, in a fifth of the
// time.
struct SortedCells {
    AdaptiveGrid cells;
    std::int64_t missing = 0;
};
SortedCells cells_of_column(Strided values, const std::int64_t* weights);

}  // namespace boxwood
