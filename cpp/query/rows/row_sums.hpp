// Every column of rows given the rest of the row, summed over the leaves that at most one column leaves out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "query/rows/entry_table.hpp"
#include "query/rows/tree_layout.hpp"

namespace boxwood {

// A tree for a batch of rows: its leaves, and of each component of rules their terms.
struct LaidTree {
    TreeLayout layout;
    std::vector<EntryTable> entries;
};

// The rows of one batch. Sums of a row are kept as sum·2^shift, so that nothing overflows: a column each
// (that column free), one of the whole row, then an entry of each component each (its columns free).
class RowSums {
  public:
    // `normalizer` has of each leaf what its pieces integrate to, side by side; `known` are points of the
    // rows as they are, where those of `points` keep to rules.
    RowSums(const LeafTable& leaves, const std::vector<double>& normalizer,
            const std::vector<RulePointer>& rules, const double* points, const double* known,
            std::size_t n_rows);

    // What one tree adds to some rows; these may be shared by threads, trees come one after the other.
    void add(const LaidTree& tree, std::size_t first, std::size_t n);

    bool is_known(std::size_t row, std::size_t column) const;
    const double* sums(std::size_t row) const { return sums_.data() + row * n_sums_; }

  private:
    struct Group {  // columns that are left out together: those of a component, or one
        std::vector<std::size_t> columns;
        std::size_t first_sum = 0;  // of its entries
        std::size_t component = 0;
    };
    void find_order();

    class Adder;  // one tree, one row after the other

    const LeafTable& leaves_;
    const std::vector<double>& normalizer_;
    std::size_t d_;
    BytePlaces byte_places_;
    std::size_t n_sums_;
    std::vector<Group> groups_;
    std::vector<std::size_t> number_;  // of each column among narrow ones; behind the last of a wide one
    std::vector<std::uint32_t> bins_;
    std::vector<std::uint32_t> known_;
    std::vector<char> has_unknown_;
    std::vector<double> sums_;
    std::vector<std::int32_t> shift_;
    std::vector<std::uint32_t> order_;  // in which rows are taken: those of a leaf of the first tree together
};

}  // namespace boxwood
