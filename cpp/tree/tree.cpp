#include "tree/tree.hpp"

#include <cmath>
#include <stdexcept>

#include "tree/box_walk.hpp"

namespace boxwood {

namespace {

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

void check_threshold(const Tree& tree, const TreeNode& node, const Box& box) {
    const auto j = static_cast<std::size_t>(node.feature);
    if (!box.categorical(j)) {
        require(node.threshold > box.low(j) && node.threshold < box.high(j),
                "a node is split outside its box");
        return;
    }
    require((node.threshold + std::size_t{1}) * tree.words_per_set <= tree.sets.size(),
            "a node names a set that is not there");
    require(tree.words_per_set * 64 >= box.bin_edges(j).n_bins(), "a set is too short for its column");
    std::size_t inside = 0;
    for (std::uint32_t bin : box.members(j)) inside += tree.in_set(node.threshold, bin) ? 1 : 0;
    require(inside > 0 && inside < box.members(j).size(), "a node parts nothing from its set");
}

}  // namespace

void number_leaves(Tree& tree) {
    std::uint32_t n = 0;
    for (TreeNode& node : tree.nodes) {
        if (node.is_leaf()) node.leaf = n++;
    }
    tree.n_leaves = n;
}

void check_tree(const Tree& tree, const std::vector<BinEdges>& columns) {
    const std::size_t n = tree.nodes.size();
    require(n > 0, "a tree has at least one node");
    std::vector<char> reached(n, 0);
    std::size_t n_reached = 0;
    std::size_t n_leaves = 0;
    BoxWalk(tree, columns).for_each_node([&](std::uint32_t at, const Box& box) {
        const TreeNode& node = tree.nodes[at];
        require(!reached[at], "a node has two parents");
        reached[at] = 1;
        ++n_reached;
        require(node.mass >= 0.0 && node.mass <= 1.0 + 1e-9, "masses of nodes lie in [0, 1]");
        require(node.count >= 0.0 && std::isfinite(node.count), "counts of nodes are not negative");
        if (node.is_leaf()) {
            ++n_leaves;
            return;
        }
        require(static_cast<std::size_t>(node.feature) < columns.size(),
                "a node splits a column that is not there");
        require(node.left > at && node.left + std::size_t{1} < n, "children stand after their parent");
        check_threshold(tree, node, box);
        const double sum = tree.nodes[node.left].mass + tree.nodes[node.left + 1].mass;
        require(std::abs(sum - node.mass) <= 1e-9 * node.mass,
                "the masses of children sum to their parent's");
    });
    require(n_reached == n, "a node has no parent");
    require(n_leaves == tree.n_leaves, "the number of leaves is wrong");
    require(std::abs(tree.nodes[0].mass - 1.0) <= 1e-9, "the mass of a tree is 1");
}

}  // namespace boxwood
