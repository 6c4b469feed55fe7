#include "tree/levels/upper_part.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace boxwood {

void UpperPart::plant(std::size_t of_tree, double of_weights) {
    number = of_tree;
    unit = of_weights;
    tree.nodes.resize(1);
    parent = {0};
    n_rows = {0};
    handed_over = {0};
    open = {0};
}

std::uint32_t UpperPart::add_halves(std::uint32_t node, std::size_t feature) {
    const auto left = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes.resize(left + std::size_t{2});
    tree.nodes[node].feature = static_cast<std::int32_t>(feature);
    tree.nodes[node].left = left;
    parent.resize(tree.nodes.size(), node);
    n_rows.resize(tree.nodes.size(), 0);
    handed_over.resize(tree.nodes.size(), 0);
    open.push_back(left);
    open.push_back(left + 1);
    return left;
}

std::vector<std::uint32_t> UpperPart::path_to(std::uint32_t node) const {
    std::vector<std::uint32_t> path = {node};
    while (node != 0) path.push_back(node = parent[node]);
    std::reverse(path.begin(), path.end());
    return path;
}

NodeStart UpperPart::start_of(std::uint32_t node, std::uint64_t seed) const {
    NodeStart found{0, mix_bits(seed)};
    const std::vector<std::uint32_t> path = path_to(node);
    for (std::size_t k = 1; k < path.size(); ++k) {
        const bool left = path[k] == tree.nodes[path[k - 1]].left;
        found.key = combine_keys(found.key, left ? 1 : 2);
        ++found.depth;
    }
    return found;
}

}  // namespace boxwood
