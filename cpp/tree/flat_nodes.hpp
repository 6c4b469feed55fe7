// Nodes of many trees as flat arrays, as Python keeps and saves them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace boxwood {

// One entry a node, tree after tree; `left` counts from the tree's first node. Those of leaves are 0.
struct FlatNodes {
    std::vector<std::int64_t> start = {0};  // of each tree, and the end of the last
    std::vector<std::int32_t> feature;      // −1: a leaf
    std::vector<std::uint32_t> left;
    std::vector<std::uint32_t> threshold;
    std::vector<double> count;

    // Without room made at once the arrays would grow by doubling, and take twice their size.
    void reserve(std::size_t n_nodes);
    void add(const Tree& tree);
};

// A tree of one flat tree's nodes, without thresholds: what pruning looks at. Throws std::invalid_argument
// where they are no tree.
Tree unflatten_nodes(std::span<const std::int32_t> feature, std::span<const std::uint32_t> left);

}  // namespace boxwood
