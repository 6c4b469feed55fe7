#include "tree/flat_nodes.hpp"

#include <stdexcept>

namespace boxwood {

void FlatNodes::reserve(std::size_t n_nodes) {
    feature.reserve(n_nodes);
    left.reserve(n_nodes);
    threshold.reserve(n_nodes);
    count.reserve(n_nodes);
}

void FlatNodes::add(const Tree& tree) {
    for (const TreeNode& node : tree.nodes) {
        feature.push_back(node.feature);
        left.push_back(node.is_leaf() ? 0 : node.left);
        threshold.push_back(node.is_leaf() ? 0 : node.threshold);
        count.push_back(node.count);
    }
    start.push_back(static_cast<std::int64_t>(feature.size()));
}

Tree unflatten_nodes(std::span<const std::int32_t> feature, std::span<const std::uint32_t> left) {
    if (left.size() != feature.size()) throw std::invalid_argument("the arrays of nodes differ in length");
    Tree tree;
    for (std::size_t i = 0; i < feature.size(); ++i) {
        TreeNode node;
        node.feature = feature[i];
        node.left = left[i];
        if (!node.is_leaf() && (node.left <= i || node.left + std::size_t{1} >= feature.size()))
            throw std::invalid_argument("children stand after their parent");
        tree.nodes.push_back(node);
    }
    return tree;
}

}  // namespace boxwood
