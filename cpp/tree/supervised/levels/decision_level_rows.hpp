// What one part of a table does at a level of decision trees: its rows go down, are counted, and those of
// small nodes are given away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "binning/supervised_data.hpp"
#include "tree/levels/open_rows.hpp"
#include "tree/supervised/levels/decision_level_tree.hpp"

namespace boxwood {

// The rows of the level before, in the halves of its nodes.
OpenRows route_rows(const SupervisedData& part, const DecisionLevelTree& tree, const OpenRowsView& open);

// Weights of the classes of each node; `most` has, for each of its columns, a code that some row has and the
// negative of one: where the sum of the two is 0 in the maxima of all parts, every row has the same.
LevelCounts count_rows(const SupervisedData& part, const DecisionLevelTree& tree, const OpenRowsView& open);

// Two-byte words of a row that is given away: its record and its class.
std::size_t words_of_row(std::size_t stride);

// All rows of nodes whose step is 1; of those that are split by sums, the weights of the classes in the bins
// of each column that is tried, n_open × n_columns of which `tried` tells.
TakenRows take_rows(const SupervisedData& part, const OpenRowsView& open, std::span<const std::uint64_t> step,
                    std::span<const std::uint64_t> first, std::span<const std::uint8_t> tried);

}  // namespace boxwood
