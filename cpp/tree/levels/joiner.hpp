// The nodes of a tree's upper part and of what was grown below it, in the order of growth in one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace boxwood {

// A `Subtree` has the `node` of the upper part that it stands for, and a `tree`.
template <class Subtree>
class Joiner {
  public:
    // A node of the upper part, or of a subtree, and its number in the whole tree.
    struct Place {
        const Subtree* below;  // null: in the upper part
        std::uint32_t node;
        std::uint32_t to;
    };

    Joiner(const Tree& top, std::span<const Subtree* const> subtrees)
        : top_(top), below_(top.nodes.size(), nullptr) {
        for (const Subtree* subtree : subtrees) below_.at(subtree->node) = subtree;
    }

    // The left half of a node and all below it, then its right half. copy_set(place, node) gives a node the
    // threshold that it has in the whole tree.
    template <class CopySet>
    void join(Tree& whole, CopySet&& copy_set) {
        whole.words_per_set = top_.words_per_set;
        whole.nodes.resize(1);
        sources_.resize(1);
        std::vector<Place> stack = {enter({nullptr, 0, 0})};
        while (!stack.empty()) {
            const Place place = stack.back();
            stack.pop_back();
            TreeNode node = tree_of(place).nodes[place.node];
            const std::uint32_t left = node.left;
            if (!node.is_leaf()) {
                node.left = static_cast<std::uint32_t>(whole.nodes.size());
                copy_set(place, node);
                whole.nodes.resize(node.left + std::size_t{2});
                sources_.resize(whole.nodes.size());
                for (std::uint32_t side : {1u, 0u}) {
                    stack.push_back(enter({place.below, left + side, node.left + side}));
                }
            }
            whole.nodes[place.to] = node;
            sources_[place.to] = place;
        }
        number_leaves(whole);
    }

    // Of each node of the whole tree.
    const std::vector<Place>& sources() const { return sources_; }

    const Tree& tree_of(const Place& place) const {
        return place.below == nullptr ? top_ : place.below->tree;
    }

  private:
    // At a node that was handed over the way leads on in its subtree.
    Place enter(Place place) const {
        if (place.below != nullptr || below_[place.node] == nullptr) return place;
        return {below_[place.node], 0, place.to};
    }

    const Tree& top_;
    std::vector<const Subtree*> below_;  // of each node of the upper part
    std::vector<Place> sources_;
};

}  // namespace boxwood
