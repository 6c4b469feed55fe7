// How much of a forest puts two rows into one leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace boxwood {

// Leaves of rows, row-major: one a tree, by the leaf's number in its tree.
struct LeavesOfRows {
    const std::uint32_t* leaf = nullptr;
    std::size_t n_rows = 0;
};

// What sharing a leaf counts: leaf l of tree t has weight[first[t] + l].
struct LeafValues {
    std::vector<double> weight;
    std::vector<std::size_t> first;  // one more than there are trees

    std::size_t n_trees() const { return first.size() - 1; }
};

// Throws std::invalid_argument where a row names a leaf that its tree does not have.
void check_leaves(LeavesOfRows rows, const LeafValues& values);

// Σ over trees of the weight of the leaf that two rows share: a row of `out` for each of `a`.
void shared_leaves(LeavesOfRows a, LeavesOfRows b, const LeafValues& values, double* out,
                   std::size_t n_threads, const Watch& watch);

}  // namespace boxwood
