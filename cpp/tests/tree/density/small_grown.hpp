// A small density tree, grown on a small random table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/tree/small_table.hpp"
#include "tree/density/grow_density_tree.hpp"

inline boxwood::GrownDensityTree small_grown(std::uint64_t seed, std::size_t n_leaves = 8) {
    const SmallTable table(60, 2, 1, seed);
    boxwood::GrowOptions options;
    options.best_first = true;
    options.max_leaf_nodes = n_leaves;
    return boxwood::grow_density_tree(table.data(), options);
}
