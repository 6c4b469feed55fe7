// Forests of decision or regression trees, and what they predict.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "boxwood/grow.hpp"
#include "boxwood/parallel.hpp"

namespace boxwood {

struct TargetForestOptions {
    std::size_t n_trees = 100;
    bool bootstrap = true;
    double max_samples = 1.0;
    std::size_t n_threads = 1;
    std::uint64_t seed = 0;
    Impurity impurity = Impurity::gini;
    GrowOptions grow;
};

struct TargetTree {
    Tree tree;
    std::vector<double> response;  // class weights or mean of every node
    std::vector<double> gain;      // of every inner node
    std::vector<double> impurity;  // weight · impurity of every node
};

// Weight of a distinct row in a tree's sample; all of it without bootstrap.
double bootstrap_weight(const TargetForestOptions& options, std::size_t tree, std::uint64_t key,
                        double weight);

// Grows the trees; `keys` are those of the distinct rows. The same for any number of threads.
std::vector<TargetTree> fit_target_forest(const GrowData& data, const Targets& targets,
                                          const TargetForestOptions& options, const Watch& watch);

}  // namespace boxwood
