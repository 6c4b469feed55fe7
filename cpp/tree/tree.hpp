// A grown tree: nodes in one flat array, a parent before its children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/bin_edges.hpp"

namespace boxwood {

// 32 bytes. An inner node sends bins below `threshold` (of a categorical column: the bins of the set of that
// number) to the child `left`, all others to `left + 1`.
struct TreeNode {
    std::int32_t feature = -1;  // −1: a leaf
    std::uint32_t left = 0;
    std::uint32_t threshold = 0;
    std::uint32_t leaf = 0;  // number of the leaf, in the order of the nodes
    double mass = 1.0;       // probability of the node's box
    double count = 0.0;      // weight of its rows

    bool is_leaf() const { return feature < 0; }
};
static_assert(sizeof(TreeNode) == 32);

struct Tree {
    std::vector<TreeNode> nodes;
    std::vector<std::uint64_t> sets;  // one bit a bin; all sets of a tree have `words_per_set` words
    std::size_t words_per_set = 0;
    std::size_t n_leaves = 0;

    bool in_set(std::uint32_t set, std::uint32_t bin) const {
        return (sets[set * words_per_set + bin / 64] >> (bin % 64)) & 1u;
    }
    bool goes_left(const TreeNode& node, std::uint32_t bin, bool categorical) const {
        return categorical ? in_set(node.threshold, bin) : bin < node.threshold;
    }
};

// A tree with what its leaves hold: of a density, or of decisions and regressions.
template <class Payload>
struct FittedTree {
    Tree tree;
    Payload leaves;
};

// Numbers the leaves in the order of the nodes.
void number_leaves(Tree& tree);

// The leaf's node of a row of bins.
template <class Bin>
std::uint32_t find_leaf(const Tree& tree, const std::vector<BinEdges>& columns, const Bin* bins) {
    std::uint32_t at = 0;
    while (!tree.nodes[at].is_leaf()) {
        const TreeNode& node = tree.nodes[at];
        const auto j = static_cast<std::size_t>(node.feature);
        at = node.left + (tree.goes_left(node, bins[j], columns[j].categorical) ? 0 : 1);
    }
    return at;
}

// Throws std::invalid_argument unless the tree is one: every node reached once, thresholds inside their
// boxes, masses of children that add up to their parent's.
void check_tree(const Tree& tree, const std::vector<BinEdges>& columns);

}  // namespace boxwood
