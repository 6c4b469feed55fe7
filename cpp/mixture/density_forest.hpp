// Density trees on samples of the rows, averaged.
#pragma once

#include <cstdint>
#include <vector>

#include "binning/binned_table.hpp"
#include "mixture/fit_leaves.hpp"
#include "mixture/mixture.hpp"
#include "tree/forest.hpp"

namespace boxwood {

struct DensityForestOptions : ForestOptions {
    DensityForestOptions() { max_samples = 0.8; }

    std::vector<double> candidates;  // values of min_samples_split to choose from out of bag; empty: as given
    LeafOptions leaf;
};

struct DensityForest {
    std::vector<BinEdges> columns;
    std::vector<MixtureTree> trees;
    std::vector<std::vector<double>> gains;  // of each tree: sums of the gains of each column's splits
    std::vector<double> importance;          // and their sum over the trees
    double min_samples_split = 0.0;          // chosen, or as given
    std::vector<double> candidate_scores;    // mean out-of-bag log-density (on the cube) for each candidate
};

// Grows and fits; the result does not depend on the number of threads.
DensityForest fit_density_forest(const BinnedRows& data, const DensityForestOptions& options,
                                 const Watch& watch);

// Which rows of the table that a forest was fitted to its trees have seen.
// Of the rows from `begin` to `end`.
InBag in_bag_of(const BinnedTable& table, const DensityForestOptions& options, std::size_t begin,
                std::size_t end);

}  // namespace boxwood
