// The growth of density trees.
#pragma once

#include <functional>

#include "binning/binned_rows.hpp"
#include "tree/density/grown_density_tree.hpp"
#include "tree/grow_options.hpp"

namespace boxwood {

// Grows a tree by a density criterion; `interrupt` is called at every node and may throw.
GrownDensityTree grow_density_tree(const BinnedRows& data, const GrowOptions& options,
                                   const std::function<void()>& interrupt = {});

}  // namespace boxwood
