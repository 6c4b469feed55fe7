// What one part of a table does at a level: its rows go down, are counted, and some of them are given away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mixture/levels/level_tree.hpp"
#include "tree/row_sample.hpp"

namespace boxwood {

// The rows of a part in the open nodes of a tree, in the order of these, and of the table within each.
struct OpenRows {
    std::vector<std::uint32_t> rows;
    std::vector<double> weights;       // empty: all 1
    std::vector<std::uint64_t> begin;  // of each open node, and the end of the last
};

// The sample of a tree: all of it in the root.
OpenRows sample_part(const BinnedRows& part, const SampleOptions& options, std::size_t tree);

// The rows of the level before, in the halves of its nodes; those of nodes that were not split are let go.
OpenRows route_rows(const BinnedRows& part, const LevelTree& tree, std::span<const std::uint32_t> rows,
                    std::span<const double> weights, std::span<const std::uint64_t> begin);

// Sums over the rows of each open node.
struct LevelCounts {
    std::vector<std::uint64_t> n_rows;
    std::vector<double> weight;
    std::vector<double> counts;  // in the bins of the node's histograms: `n_leaf_bins` a column
};

// `n_leaf_bins` may be 0.
LevelCounts count_rows(const BinnedRows& part, const LevelTree& tree, std::span<const std::uint32_t> rows,
                       std::span<const double> weights, std::span<const std::uint64_t> begin,
                       std::size_t n_leaf_bins);

// Rows by what they hold.
struct TakenRows {
    std::vector<std::uint16_t> bins;
    std::vector<double> weights;  // empty: all 1
    std::vector<std::uint64_t> n_rows;
    std::vector<double> sums;  // of nodes that are split by sums, one node after another
};

// A step that stands for sums over all rows in the place of some rows.
inline constexpr std::uint64_t by_sums = ~std::uint64_t{0};

// Of each open node every `step`-th row from the first one on; none where the step is 0. `grow` is how this
// tree is grown.
TakenRows take_rows(const BinnedRows& part, const LevelTree& tree, const GrowOptions& grow,
                    std::span<const std::uint32_t> rows, std::span<const double> weights,
                    std::span<const std::uint64_t> begin, std::span<const std::uint64_t> step,
                    std::span<const std::uint64_t> first);

}  // namespace boxwood
