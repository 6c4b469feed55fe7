// Sums over the rows of every node of a tree. Gaussian leaves are computed from them.
#pragma once

#include <vector>

#include "binning/binned_rows.hpp"
#include "tree/density/grown_density_tree.hpp"

namespace boxwood {

// Weighted sums of the places of some rows along a column, and of their squares.
struct PlaceSums {
    double places = 0.0;
    double squares = 0.0;
};

// Returns the sums of every node and column, node by node. `weights` are those of the rows in the tree's
// order. If empty, all weights are 1.
//
// Only leaves read their rows. Reading the rows of every node took a quarter of the time of a tree with
// Gaussian leaves on 300,000 rows.
std::vector<PlaceSums> sums_of_nodes(const GrownDensityTree& grown, const BinnedRows& data,
                                     const std::vector<double>& weights);

}  // namespace boxwood
