// Many trees on samples of the rows, averaged.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "mixture/fit_leaves.hpp"

namespace boxwood {

struct ForestOptions {
    std::size_t n_trees = 100;
    bool bootstrap = false;          // with replacement (Poisson counts), else without
    double max_samples = 0.8;        // fraction of the rows in a tree's sample
    std::vector<double> candidates;  // values of min_samples_split to choose from out of bag; empty: as given
    std::size_t n_threads = 1;
    std::uint64_t seed = 0;
    GrowOptions grow;
    LeafOptions leaf;
};

struct Forest {
    std::vector<BinEdges> columns;
    std::vector<Tree> trees;
    std::vector<Leaves> leaves;
    std::vector<double> importance;        // sum of the gains of the splits of each column
    double min_samples_split = 0.0;        // chosen, or as given
    std::vector<double> candidate_scores;  // mean out-of-bag log-density (on the cube) for each candidate
};

// How much of a row's weight is in a tree's sample: a function of the seed, the tree, the row's key and its
// weight. A row of weight w is w rows, each of which is drawn or not (or, with replacement, drawn again and
// again).
double weight_in_sample(const ForestOptions& options, std::size_t tree, std::uint64_t key, double weight);

// Whether a row of that weight, or a part of it, is not in the sample: a copy that the tree has not seen.
bool is_held_out(const ForestOptions& options, double in_sample, double weight);

// Grows and fits; the result does not depend on the number of threads.
Forest fit_forest(const GrowData& data, const ForestOptions& options, const Watch& watch);

}  // namespace boxwood
