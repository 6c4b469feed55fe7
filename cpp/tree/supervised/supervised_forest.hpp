// Forests of decision or regression trees.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/parallel.hpp"
#include "tree/supervised/supervised_tree.hpp"

namespace boxwood {

struct SupervisedForestOptions {
    std::size_t first_tree = 0;  // number of the first one: a tree depends on the seed and its number
    std::size_t n_trees = 100;
    bool bootstrap = true;
    double max_samples = 1.0;
    bool balanced = false;  // the classes of each tree's sample weigh the same
    std::size_t n_threads = 1;
    std::uint64_t seed = 0;
    Impurity impurity = Impurity::gini;
    GrowOptions grow;
};

// How often a tree's sample has each distinct row, as weights; all of them once without bootstrap. A sample
// that would be empty is one row.
std::vector<double> draw_sample(const SupervisedData& data, const SupervisedForestOptions& options,
                                std::size_t tree);

// Grows the trees; the same for any number of threads.
std::vector<SupervisedTree> fit_supervised_forest(const SupervisedData& data,
                                                  const SupervisedForestOptions& options, const Watch& watch);

}  // namespace boxwood
