#include <algorithm>
#include <stdexcept>
#include <utility>

#include "mixture/levels/level_growth.hpp"
#include "mixture/levels/top_leaves.hpp"

namespace boxwood {

namespace {

// A node of the upper part, or of a subtree, and its number in the whole tree.
struct Place {
    const Subtree* below;  // null: in the upper part
    std::uint32_t node;
    std::uint32_t to;
};

// Puts the parts of a tree together in the order in which growth in one place splits nodes: the left half of
// a node and all below it, then its right half.
class Joiner {
  public:
    Joiner(const GrownDensityTree& top, const Leaves& leaves, std::span<const Subtree* const> subtrees)
        : top_(top), leaves_(leaves), below_(top.tree.nodes.size(), nullptr) {
        for (const Subtree* subtree : subtrees) below_.at(subtree->node) = subtree;
    }

    void join(GrownDensityTree& whole) {
        whole.tree.words_per_set = top_.tree.words_per_set;
        whole.tree.nodes.resize(1);
        sources_.resize(1);
        std::vector<Place> stack = {enter({nullptr, 0, 0})};
        while (!stack.empty()) {
            const Place place = stack.back();
            stack.pop_back();
            const Tree& tree = tree_of(place);
            TreeNode node = tree.nodes[place.node];
            const std::uint32_t left = node.left;
            if (!node.is_leaf()) {
                node.left = static_cast<std::uint32_t>(whole.tree.nodes.size());
                copy_set(tree, whole.columns, node, whole.tree);
                whole.tree.nodes.resize(node.left + std::size_t{2});
                sources_.resize(whole.tree.nodes.size());
                for (std::uint32_t side : {1u, 0u}) {
                    stack.push_back(enter({place.below, left + side, node.left + side}));
                }
            }
            whole.tree.nodes[place.to] = node;
            sources_[place.to] = place;
        }
        whole.gain.clear();
        for (const Place& place : sources_)
            whole.gain.push_back(place.below == nullptr ? top_.gain[place.node]
                                                        : place.below->gain[place.node]);
        number_leaves(whole.tree);
    }

    Leaves join_leaves(const Tree& whole, std::size_t n_columns) const {
        Leaves joined = leaves_;
        joined.log_scale.clear();
        joined.quantised.clear();
        for (std::size_t i = 0; i < whole.nodes.size(); ++i) {
            if (!whole.nodes[i].is_leaf()) continue;
            const Place& place = sources_[i];
            const Leaves& from = place.below == nullptr ? leaves_ : place.below->leaves;
            const std::size_t leaf = tree_of(place).nodes[place.node].leaf;
            joined.log_scale.push_back(from.log_scale[leaf]);
            const std::size_t size = n_columns * joined.n_leaf_bins;
            const auto first = from.quantised.begin() + static_cast<std::ptrdiff_t>(leaf * size);
            joined.quantised.insert(joined.quantised.end(), first, first + static_cast<std::ptrdiff_t>(size));
        }
        return joined;
    }

  private:
    // At a node that was handed over the way leads on in its subtree.
    Place enter(Place place) const {
        if (place.below != nullptr || below_[place.node] == nullptr) return place;
        return {below_[place.node], 0, place.to};
    }

    const Tree& tree_of(const Place& place) const {
        return place.below == nullptr ? top_.tree : place.below->tree;
    }

    static void copy_set(const Tree& from, const std::vector<BinEdges>& columns, TreeNode& node, Tree& to) {
        if (!columns[static_cast<std::size_t>(node.feature)].categorical) return;
        const auto first =
            from.sets.begin() + static_cast<std::ptrdiff_t>(node.threshold * from.words_per_set);
        node.threshold = static_cast<std::uint32_t>(to.sets.size() / to.words_per_set);
        to.sets.insert(to.sets.end(), first, first + static_cast<std::ptrdiff_t>(to.words_per_set));
    }

    const GrownDensityTree& top_;
    const Leaves& leaves_;
    std::vector<const Subtree*> below_;  // of each node of the upper part
    std::vector<Place> sources_;         // of each node of the whole tree
};

}  // namespace

MixtureTree LevelGrowth::join(const LevelTree& tree, std::span<const Subtree* const> subtrees,
                              std::vector<double>& gains) const {
    if (!tree.open.empty()) throw std::invalid_argument("the tree has open nodes");
    GrownDensityTree top = tree.grown(columns_);
    const Leaves top_leaves = fit_top_leaves(top, tree, options_.leaf);
    Joiner joiner(top, top_leaves, subtrees);
    GrownDensityTree whole;
    whole.columns = columns_;
    joiner.join(whole);
    gains = gains_of_columns(whole, columns_.size());
    Leaves leaves = joiner.join_leaves(whole.tree, columns_.size());
    return {std::move(whole.tree), std::move(leaves)};
}

}  // namespace boxwood
