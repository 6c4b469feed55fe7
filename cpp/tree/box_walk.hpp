// A walk through the nodes of a tree with their boxes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/box.hpp"

namespace boxwood {

// Depth first, left halves first. One box becomes smaller on the way down and what it was on the way up:
// copies of boxes took most of the time of a walk.
class BoxWalk {
  public:
    // Keeps references to both.
    BoxWalk(const Tree& tree, const std::vector<BinEdges>& columns) : tree_(tree), box_(columns) {}

    // Calls enter(number of the node, its box) for every node, before its children are looked at, and
    // changed(column) whenever the box has become another along a column.
    template <class Enter, class Changed>
    void for_each_node(Enter&& enter, Changed&& changed) {
        std::uint32_t at = 0;
        while (true) {
            enter(at, box_);
            const TreeNode& node = tree_.nodes[at];
            if (!node.is_leaf()) {
                const auto column = static_cast<std::size_t>(node.feature);
                path_.push_back({at, false, box_.part(column)});
                at = go_to_half(node, true, changed);
                continue;
            }
            while (!path_.empty() && path_.back().right) {
                restore(changed);
                path_.pop_back();
            }
            if (path_.empty()) return;
            restore(changed);
            path_.back().right = true;
            at = go_to_half(tree_.nodes[path_.back().at], false, changed);
        }
    }

    template <class Enter>
    void for_each_node(Enter&& enter) {
        for_each_node(enter, [](std::size_t) {});
    }

    // Calls visit(number of the node, its box) for every leaf.
    template <class Visit>
    void for_each_leaf(Visit&& visit) {
        for_each_node([&](std::uint32_t at, const Box& box) {
            if (tree_.nodes[at].is_leaf()) visit(at, box);
        });
    }

  private:
    struct Step {
        std::uint32_t at;
        bool right;       // whether the walk is in the right half
        Box::Part whole;  // of the node along its column
    };

    template <class Changed>
    std::uint32_t go_to_half(const TreeNode& node, bool left, Changed& changed) {
        box_.shrink(tree_, node, left);
        changed(static_cast<std::size_t>(node.feature));
        return node.left + (left ? 0 : 1);
    }

    template <class Changed>
    void restore(Changed& changed) {
        const auto column = static_cast<std::size_t>(tree_.nodes[path_.back().at].feature);
        box_.set_part(column, path_.back().whole);
        changed(column);
    }

    const Tree& tree_;
    Box box_;
    std::vector<Step> path_;
};

}  // namespace boxwood
