// Many trees, each on a sample of the rows: what forests of densities and of decisions share.
#pragma once

#include <cstddef>
#include <functional>

#include "base/parallel.hpp"
#include "tree/grow_options.hpp"
#include "tree/row_sample.hpp"

namespace boxwood {

struct ForestOptions : SampleOptions {
    std::size_t first_tree = 0;  // number of the first one: a tree depends on the seed and its number
    std::size_t n_trees = 100;
    std::size_t n_threads = 1;
    GrowOptions grow;

    // How the tree of a number is grown.
    GrowOptions grow_of(std::size_t tree) const {
        GrowOptions own = grow;
        own.seed = tree_key(*this, tree);
        return own;
    }
};

// Calls make(tree, interrupt) for each of n_trees, on threads; `interrupt` is to be called often and throws
// where `watch` did.
template <class Make>
void run_trees(std::size_t n_trees, std::size_t n_threads, const Watch& watch, Make&& make) {
    StopSignal stop;
    run_tasks(n_trees, n_threads, [&](std::size_t tree) { make(tree, stop.check()); }, stop.watching(watch));
}

}  // namespace boxwood
