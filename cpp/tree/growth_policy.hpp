// What growth must know of a kind of tree: the rows and the box of a node, and the splits of a column.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/random.hpp"
#include "tree/grown_tree.hpp"

namespace boxwood {

// The rows of a node: a stretch of its policy's rows.
struct NodeRows {
    std::size_t begin;
    std::size_t end;
    double weight;

    std::size_t size() const { return end - begin; }
};

// The best split of a node so far, or none.
template <class Split>
concept NodeSplit = std::default_initializable<Split> && requires(Split split, const Split& found) {
    { split.gain } -> std::same_as<double&>;
    { split.feature } -> std::same_as<std::size_t&>;
    { split.left_weight } -> std::same_as<double&>;
    { found.found() } -> std::same_as<bool>;
};

// A policy owns the rows of the tree that grows, has a `Box` for every node of the frontier, and looks for
// the best `Split` of one node at a time, column by column.
template <class Policy>
concept GrowthPolicy =
    std::derived_from<typename Policy::Grown, GrownTree> && NodeSplit<typename Policy::Split> &&
    std::default_initializable<typename Policy::Box> &&
    requires(Policy policy, const Policy& constant, typename Policy::Grown& grown, Tree& tree,
             typename Policy::Split& split, const typename Policy::Split& found,
             const typename Policy::Box& box, const NodeRows& rows, Draws& draws, std::size_t column,
             std::uint32_t node, bool left) {
        // Whether gains are per row of the node: best-first order must then weight them by the node.
        { Policy::per_node } -> std::convertible_to<bool>;
        { constant.n_columns() } -> std::same_as<std::size_t>;
        // The root.
        { policy.start(grown) } -> std::same_as<NodeRows>;
        { constant.whole_box() } -> std::same_as<typename Policy::Box>;
        // Looking for a split; false where the node is not to be split, or the column has nothing to part.
        { constant.can_split(rows) } -> std::same_as<bool>;
        { policy.begin_node(rows, box) } -> std::same_as<bool>;
        { policy.try_column(column, box, draws, split) } -> std::same_as<bool>;
        { constant.cannot_be_better(found) } -> std::same_as<bool>;
        // Splitting: where the right half begins, the node's `threshold`, what else is kept of the split.
        { policy.partition(rows, split) } -> std::same_as<std::size_t>;
        { policy.store_threshold(found, tree) } -> std::same_as<std::uint32_t>;
        policy.keep_split(found, node, grown);
        { policy.box_of_half(box, found, left) } -> std::same_as<typename Policy::Box>;
        policy.finish(grown);
    };

// A policy that also splits along directions, after all columns.
template <class Policy>
concept ObliquePolicy =
    GrowthPolicy<Policy> &&
    requires(Policy policy, Draws& draws, typename Policy::Split& split,
             const std::function<void()>& interrupt) { policy.try_directions(draws, split, interrupt); };

}  // namespace boxwood
