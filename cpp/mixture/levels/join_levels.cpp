#include <algorithm>
#include <stdexcept>
#include <utility>

#include "mixture/levels/level_growth.hpp"
#include "mixture/levels/top_leaves.hpp"
#include "tree/levels/joiner.hpp"

namespace boxwood {

namespace {

using Place = Joiner<Subtree>::Place;

void copy_set(const Tree& from, const std::vector<BinEdges>& columns, TreeNode& node, Tree& to) {
    if (!columns[static_cast<std::size_t>(node.feature)].categorical) return;
    const auto first = from.sets.begin() + static_cast<std::ptrdiff_t>(node.threshold * from.words_per_set);
    node.threshold = static_cast<std::uint32_t>(to.sets.size() / to.words_per_set);
    to.sets.insert(to.sets.end(), first, first + static_cast<std::ptrdiff_t>(to.words_per_set));
}

Leaves join_leaves(const Joiner<Subtree>& joiner, const Leaves& top, const Tree& whole,
                   std::size_t n_columns) {
    Leaves joined = top;
    joined.log_scale.clear();
    joined.quantised.clear();
    for (std::size_t i = 0; i < whole.nodes.size(); ++i) {
        if (!whole.nodes[i].is_leaf()) continue;
        const Place& place = joiner.sources()[i];
        const Leaves& from = place.below == nullptr ? top : place.below->leaves;
        const std::size_t leaf = joiner.tree_of(place).nodes[place.node].leaf;
        joined.log_scale.push_back(from.log_scale[leaf]);
        const std::size_t size = n_columns * joined.n_leaf_bins;
        const auto first = from.quantised.begin() + static_cast<std::ptrdiff_t>(leaf * size);
        joined.quantised.insert(joined.quantised.end(), first, first + static_cast<std::ptrdiff_t>(size));
    }
    return joined;
}

}  // namespace

MixtureTree LevelGrowth::join(const LevelTree& tree, std::span<const Subtree* const> subtrees,
                              std::vector<double>& gains) const {
    if (!tree.open.empty()) throw std::invalid_argument("the tree has open nodes");
    GrownDensityTree top = tree.grown(columns_);
    const Leaves top_leaves = fit_top_leaves(top, tree, options_.leaf);
    Joiner<Subtree> joiner(top.tree, subtrees);
    GrownDensityTree whole;
    whole.columns = columns_;
    joiner.join(whole.tree, [&](const Place& place, TreeNode& node) {
        copy_set(joiner.tree_of(place), columns_, node, whole.tree);
    });
    for (const Place& place : joiner.sources())
        whole.gain.push_back(place.below == nullptr ? top.gain[place.node] : place.below->gain[place.node]);
    gains = gains_of_columns(whole, columns_.size());
    Leaves leaves = join_leaves(joiner, top_leaves, whole.tree, columns_.size());
    return {std::move(whole.tree), std::move(leaves)};
}

}  // namespace boxwood
