// Many trees on samples of the rows, averaged.
#pragma once

#include <cstdint>
#include <vector>

#include "boxwood/fit_leaves.hpp"
#include "boxwood/parallel.hpp"

namespace boxwood {

struct ForestOptions {
    std::size_t n_trees = 100;
    bool bootstrap = false;      // with replacement (Poisson counts), else without
    double max_samples = 0.8;    // share of the rows in a tree's sample
    std::vector<double> ladder;  // values of min_samples_split to choose from out of bag; empty: as given
    std::size_t n_threads = 1;
    std::uint64_t seed = 0;
    GrowOptions grow;
    LeafOptions leaf;
};

struct Forest {
    std::vector<Knots> columns;
    std::vector<Tree> trees;
    std::vector<Leaves> leaves;
    std::vector<double> importance;    // sum of the gains of the splits of each column
    double min_samples_split = 0.0;    // chosen, or as given
    std::vector<double> ladder_score;  // mean out-of-bag log-density (on the cube) for each rung
};

// How often a row stands in a tree's sample: a function of the seed, the tree and the row alone.
double times_in_sample(const ForestOptions& options, std::size_t tree, std::size_t row);

// Grows and fits; the result does not depend on the number of threads.
Forest fit_forest(const GrowData& data, const ForestOptions& options, const Watch& watch);

}  // namespace boxwood
