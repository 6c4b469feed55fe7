// A density tree as it is grown: with the rows and the volumes of its nodes, to be pruned and fitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/binned_table.hpp"
#include "tree/grown_tree.hpp"

namespace boxwood {

struct GrownDensityTree : GrownTree {
    // Exactly split columns get the bin edges of their own thresholds; all others keep those that they were
    // grown on.
    std::vector<BinEdges> columns;
    std::vector<std::uint32_t> rows;    // the rows of each node stand side by side
    std::vector<double> left_fraction;  // of each inner node's volume
    std::vector<double> log_volume;     // of each node
    // Bins of `rows`, in their order and `bin_stride` a row, where growth has kept them.
    std::vector<std::uint16_t> bins;
    std::size_t bin_stride = 0;
};

// The tree in which the marked nodes are leaves.
GrownDensityTree collapse(const GrownDensityTree& grown, const std::vector<char>& is_leaf);

// Throws std::invalid_argument unless the tree was grown on the rows: these are looked up in the boxes of its
// nodes, where those of another table need not lie.
void check_grown_on(const GrownDensityTree& grown, const BinnedRows& rows);

// The number of the leaf of each row of the table that the tree was grown on, which growth has put there
// already; the largest number for rows of weight 0.
std::vector<std::uint32_t> leaves_of_rows(const GrownDensityTree& grown, const BinnedTable& table);

// Sum of the gains of the splits of each column.
std::vector<double> gains_of_columns(const GrownDensityTree& grown, std::size_t n_columns);

}  // namespace boxwood
