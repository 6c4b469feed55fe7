// What one part of a table does at a level of density trees: its rows go down, are counted, and some of them
// are given away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mixture/levels/level_tree.hpp"
#include "tree/levels/open_rows.hpp"

namespace boxwood {

// The rows of the level before, in the halves of its nodes.
OpenRows route_rows(const BinnedRows& part, const LevelTree& tree, const OpenRowsView& open);

// `n_leaf_bins` may be 0. `before` are the part's own counts of the level before, which spare most of the
// work where they are given: of two halves the smaller one is counted.
LevelCounts count_rows(const BinnedRows& part, const LevelTree& tree, const OpenRowsView& open,
                       std::size_t n_leaf_bins, std::span<const double> before = {});

// Of each open node every `step`-th row from the first one on; none where the step is 0. `grow` is how this
// tree is grown.
TakenRows take_rows(const BinnedRows& part, const LevelTree& tree, const GrowOptions& grow,
                    const OpenRowsView& open, std::span<const std::uint64_t> step,
                    std::span<const std::uint64_t> first);

}  // namespace boxwood
