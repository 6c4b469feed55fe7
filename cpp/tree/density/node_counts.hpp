// How many rows of a node there are in each bin of each column.
//
// A node counts its rows once. When it is split, its larger half takes the counts over, less those of the
// smaller half: trees of densities cut off thin margins, and of a hundred rows mostly a few leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tree/density/grow_box.hpp"
#include "tree/density/row_partition.hpp"

namespace boxwood {

class NodeCounts {
  public:
    // The counts of one node, and a bit for every bin that has rows.
    struct Counts {
        std::unique_ptr<double[]> n;
        std::unique_ptr<std::uint64_t[]> occupied;
    };
    // What is let go is used again.
    using Handle = std::shared_ptr<Counts>;

    explicit NodeCounts(const BinnedRows& data);

    // Whether counting all columns is worth it: few rows leave most of many bins empty.
    bool pays(const GrowBox& box, std::size_t n_rows) const;

    Handle count(const RowPartition& rows, std::size_t begin, std::size_t n_rows, const GrowBox& box);
    void subtract(const RowPartition& rows, std::size_t begin, std::size_t end, std::size_t split_column,
                  const Handle& counts) const;

    // Counts and bits of a column's bins; only those inside of the node's box mean something.
    const double* of(const Handle& counts, std::size_t j) const { return counts->n.get() + first_[j]; }
    const std::uint64_t* occupied(const Handle& counts, std::size_t j) const {
        return counts->occupied.get() + first_word_[j];
    }

  private:
    using Spare = std::vector<std::unique_ptr<Counts>>;

    std::vector<std::size_t> ordered_;  // columns that are split at their bins
    std::vector<std::size_t> first_;    // place of each column's first bin
    std::vector<std::size_t> first_word_;
    std::size_t n_bins_ = 0;
    std::size_t n_words_ = 0;
    std::shared_ptr<Spare> spare_ = std::make_shared<Spare>();
};

}  // namespace boxwood
