// The one tree algorithm: take a node from the frontier, make it a leaf or split it, pass on rows and boxes.
//
// A policy says what the rows and the box of a node are and which splits a column has: `DensityPolicy` for
// densities, `SupervisedPolicy` for decision and regression trees.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "tree/grow_options.hpp"
#include "tree/growth_policy.hpp"

namespace boxwood {

// Columns in a random order, drawn one at a time: a node rarely looks at all of them.
class FeatureOrder {
  public:
    explicit FeatureOrder(std::size_t n_columns) : order_(n_columns) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }
    // The i-th column of this node's order; to be asked for i = 0, 1, …
    std::size_t draw(std::size_t i, Draws& draws) {
        if (i + 1 < order_.size()) {
            const std::size_t other = i + draws.below(order_.size() - i);
            std::swap(order_[i], order_[other]);
            swapped_.emplace_back(i, other);
        }
        return order_[i];
    }
    // Back to the columns' own order: a node's draws must not depend on those of nodes before it.
    void restart() {
        for (; !swapped_.empty(); swapped_.pop_back()) {
            std::swap(order_[swapped_.back().first], order_[swapped_.back().second]);
        }
    }

  private:
    std::vector<std::size_t> order_;
    std::vector<std::pair<std::size_t, std::size_t>> swapped_;
};

// Whether a node is a leaf whatever its rows are.
inline bool is_final(const GrowOptions& options, std::size_t depth, double weight) {
    if (depth >= options.max_depth || weight < options.min_samples_split) return true;
    return weight < 2.0 * options.min_samples_leaf;
}

// Where growth begins: at the root of a tree, or below a node of another.
struct NodeStart {
    std::size_t depth = 0;
    std::uint64_t key = 0;  // of the node's random draws
};

template <GrowthPolicy Policy>
class Growth {
  public:
    using Box = typename Policy::Box;
    using Split = typename Policy::Split;
    using Grown = typename Policy::Grown;

    Growth(Policy& policy, const GrowOptions& options, const std::function<void()>& interrupt)
        : policy_(policy), options_(options), interrupt_(interrupt), order_(policy.n_columns()) {}

    Grown grow() { return grow_from(0, mix_bits(options_.seed)); }

    // Below a node of another tree: its depth and its key.
    Grown grow_from(std::size_t depth, std::uint64_t key) {
        start(depth, key);
        options_.best_first ? grow_best_first() : grow_depth_first();
        policy_.finish(grown_);
        number_leaves(grown_.tree);
        return std::move(grown_);
    }

    // The split of such a node alone, whose rows weigh so much; the policy may know a part of them only.
    Split find_split_of(std::size_t depth, std::uint64_t key, double weight) {
        add_node(policy_.start(grown_));
        Split split;
        find_split({0, static_cast<std::uint32_t>(depth), key, weight, policy_.whole_box()}, split);
        return split;
    }

  private:
    // A node of the frontier.
    struct Open {
        std::uint32_t node;
        std::uint32_t depth;
        std::uint64_t key;  // of the random draws: a function of the path, not of the order of growth
        double weight;
        Box box;
    };
    // Best-first growth knows a node's split already, depth-first finds it when the node is taken.
    struct Ready {
        Open open;
        Split split;
        double priority;
    };
    struct LowerPriority {
        bool operator()(const Ready& a, const Ready& b) const {
            return a.priority != b.priority ? a.priority < b.priority : a.open.node > b.open.node;
        }
    };

    void start(std::size_t depth, std::uint64_t key) {
        const NodeRows all = policy_.start(grown_);
        total_ = all.weight;
        reserve_nodes(2 * std::min(all.size(), options_.max_leaf_nodes));
        add_node(all);
        n_leaves_ = 1;
        if (!policy_.can_split(all)) return;
        push({0, static_cast<std::uint32_t>(depth), key, total_, policy_.whole_box()});
    }

    void grow_depth_first() {
        Split split;
        while (!stack_.empty() && n_leaves_ < options_.max_leaf_nodes) {
            const Open open = std::move(stack_.back());
            stack_.pop_back();
            find_split(open, split);
            split_node(open, split);
        }
    }

    void grow_best_first() {
        while (!queue_.empty() && n_leaves_ < options_.max_leaf_nodes) {
            Ready ready = queue_.top();
            queue_.pop();
            split_node(ready.open, ready.split);
        }
    }

    void push(Open&& open) {
        if (!options_.best_first) {
            stack_.push_back(std::move(open));
            return;
        }
        Split split;
        find_split(open, split);
        if (!split.found()) return;
        const double priority = Policy::per_node ? open.weight / total_ * split.gain : split.gain;
        queue_.push({std::move(open), std::move(split), priority});
    }

    NodeRows rows_of(const Open& open) const {
        return {grown_.begin[open.node], grown_.end[open.node], open.weight};
    }

    bool is_final(const Open& open) const { return boxwood::is_final(options_, open.depth, open.weight); }

    void find_split(const Open& open, Split& best) {
        if (interrupt_) interrupt_();
        best.gain = -std::numeric_limits<double>::infinity();
        if (is_final(open) || !policy_.begin_node(rows_of(open), open.box)) return;
        const bool in_order = options_.max_features == 0;
        Draws of_order(open.key);
        // Candidate splits draw behind the order of all columns, however much of it is looked at.
        Draws of_candidates(open.key, in_order || policy_.n_columns() == 0 ? 0 : policy_.n_columns() - 1);
        order_.restart();
        std::size_t n_tried = 0;
        for (std::size_t i = 0; i < policy_.n_columns(); ++i) {
            if (!in_order && n_tried == options_.max_features) break;
            const std::size_t j = in_order ? i : order_.draw(i, of_order);
            if (policy_.try_column(j, open.box, of_candidates, best)) ++n_tried;
            if (policy_.cannot_be_better(best)) return;
        }
        if constexpr (ObliquePolicy<Policy>) policy_.try_directions(of_candidates, best, interrupt_);
    }

    void split_node(const Open& open, Split& split) {
        if (!split.found()) return;
        const NodeRows rows = rows_of(open);
        const std::size_t middle = policy_.partition(rows, split);
        const auto left = static_cast<std::uint32_t>(grown_.tree.nodes.size());
        const NodeRows halves[2] = {{rows.begin, middle, split.left_weight},
                                    {middle, rows.end, open.weight - split.left_weight}};
        for (const NodeRows& half : halves) add_node(half);
        TreeNode& parent = grown_.tree.nodes[open.node];
        parent.feature = static_cast<std::int32_t>(split.feature);
        parent.left = left;
        parent.threshold = policy_.store_threshold(split, grown_.tree);
        grown_.gain[open.node] = split.gain;
        policy_.keep_split(split, open.node, grown_);
        ++n_leaves_;
        for (std::uint32_t side : {1u, 0u}) {  // a stack takes the left half first
            Open half{left + side, open.depth + 1, 0, halves[side].weight, {}};
            // Before its key and its box are made: every second node is a leaf.
            if (!policy_.can_split(halves[side]) || is_final(half)) continue;
            half.key = combine_keys(open.key, side + 1);
            half.box = policy_.box_of_half(open.box, split, side == 0);
            push(std::move(half));
        }
    }

    // Arrays that grow are copied, and what they leave behind costs page faults: a tenth of the time of a
    // fully grown tree. What is reserved and not used costs nothing.
    void reserve_nodes(std::size_t most) {
        if (options_.max_depth < 20) most = std::min(most, std::size_t{2} << options_.max_depth);
        grown_.tree.nodes.reserve(most);
        grown_.begin.reserve(most);
        grown_.end.reserve(most);
        grown_.gain.reserve(most);
    }

    void add_node(const NodeRows& rows) {
        TreeNode node;
        node.count = rows.weight;
        grown_.tree.nodes.push_back(node);
        grown_.begin.push_back(rows.begin);
        grown_.end.push_back(rows.end);
        grown_.gain.push_back(0.0);
    }

    Policy& policy_;
    const GrowOptions& options_;
    const std::function<void()>& interrupt_;
    Grown grown_;
    double total_ = 0.0;
    std::size_t n_leaves_ = 0;
    FeatureOrder order_;
    std::vector<Open> stack_;
    std::priority_queue<Ready, std::vector<Ready>, LowerPriority> queue_;
};

}  // namespace boxwood
