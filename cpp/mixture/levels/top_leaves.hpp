// The leaves of a tree's upper part, by counts of its nodes, and where those below it begin.
#pragma once

#include <vector>

#include "mixture/levels/level_tree.hpp"

namespace boxwood {

// Of each node that is handed over in the present level, by its number; others have none.
std::vector<LeafOrigin> leaf_origins(const LevelTree& tree, const std::vector<BinEdges>& columns,
                                     const LeafOptions& options);

// Sets the masses of all nodes and returns the leaves; those that are handed over stay empty.
Leaves fit_top_leaves(GrownDensityTree& grown, const LevelTree& tree, const LeafOptions& options);

}  // namespace boxwood
