// A tree by hand: two splits of ordered columns and one of a categorical column, masses included.
#pragma once

#include <cstdint>
#include <vector>

#include "mixture/leaves.hpp"
#include "tree/tree.hpp"

// Two ordered columns of four and three bins and a categorical one of five.
inline std::vector<boxwood::BinEdges> small_columns() {
    return {{{0.0, 0.1, 0.4, 0.6, 1.0}}, {{0.0, 0.5, 0.75, 1.0}}, {{0.0, 0.2, 0.3, 0.6, 0.9, 1.0}, true}};
}

// Node 0 splits column 0 below bin 2; node 1 the categories {1, 4} from the others; node 4 column 1 below
// bin 1. Leaves: 2 (right half), 3 (categories 1 and 4), 5 and 6.
inline boxwood::Tree small_tree() {
    boxwood::Tree tree;
    const auto node = [&](std::int32_t feature, std::uint32_t left, std::uint32_t threshold, double mass) {
        boxwood::TreeNode n;
        n.feature = feature;
        n.left = left;
        n.threshold = threshold;
        n.mass = mass;
        n.count = 16.0 * mass;
        tree.nodes.push_back(n);
    };
    node(0, 1, 2, 1.0);
    node(2, 3, 0, 0.75);
    node(-1, 0, 0, 0.25);
    node(-1, 0, 0, 0.25);
    node(1, 5, 1, 0.5);
    node(-1, 0, 0, 0.125);
    node(-1, 0, 0, 0.375);
    tree.sets = {0b10010};
    tree.words_per_set = 1;
    boxwood::number_leaves(tree);
    return tree;
}
