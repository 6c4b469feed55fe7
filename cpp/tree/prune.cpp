#include "tree/prune.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <stdexcept>
#include <utility>

namespace boxwood {

namespace {

// Loss and number of leaves of the best subtree below every node, children first.
struct BestBelow {
    std::vector<double> loss;
    std::vector<std::size_t> leaves;
    std::vector<char> is_leaf;
};

BestBelow best_below(const Tree& tree, std::span<const double> loss, double alpha) {
    const std::size_t n = tree.nodes.size();
    BestBelow best{std::vector<double>(n), std::vector<std::size_t>(n, 1), std::vector<char>(n, 1)};
    for (std::size_t i = n; i-- > 0;) {
        best.loss[i] = loss[i];
        const TreeNode& node = tree.nodes[i];
        if (node.is_leaf()) continue;
        const double below = best.loss[node.left] + best.loss[node.left + 1];
        const std::size_t leaves = best.leaves[node.left] + best.leaves[node.left + 1];
        if (loss[i] <= below + alpha * static_cast<double>(leaves - 1)) continue;
        best.loss[i] = below;
        best.leaves[i] = leaves;
        best.is_leaf[i] = 0;
    }
    return best;
}

// A subtree whose inner nodes become leaves one by one: loss and number of leaves below each of its nodes.
class ShrinkingTree {
  public:
    // From the best subtree without a penalty on: beyond it losses may be infinite (a row that is left out of
    // a leaf of its own), and the difference of two such is no number.
    ShrinkingTree(const Tree& tree, std::span<const double> loss)
        : tree_(tree),
          loss_(loss),
          parent_(tree.nodes.size(), tree.nodes.size()),
          below_(loss.begin(), loss.end()),
          leaves_(tree.nodes.size(), 1),
          inner_(tree.nodes.size(), 0) {
        const std::size_t n = tree.nodes.size();
        const std::vector<char> is_leaf = best_subtree(tree, loss, 0.0);
        std::vector<char> kept(n, 0);
        kept[0] = 1;
        for (std::size_t i = 0; i < n; ++i) {
            inner_[i] = kept[i] && !is_leaf[i] ? 1 : 0;
            for (std::size_t side = 0; inner_[i] && side < 2; ++side) {
                kept[tree.nodes[i].left + side] = 1;
                parent_[tree.nodes[i].left + side] = i;
            }
        }
        for (std::size_t i = n; i-- > 0;) {
            if (inner_[i]) add_up(i);
        }
    }

    bool is_inner(std::size_t i) const { return inner_[i] != 0; }

    // What collapsing a node costs for each leaf that it saves.
    double strength(std::size_t i) const {
        return (loss_[i] - below_[i]) / static_cast<double>(leaves_[i] - 1);
    }

    PruneStep step(double alpha) const { return {alpha, leaves_[0], below_[0]}; }

    void collapse(std::size_t top) {
        open_.assign(1, top);
        while (!open_.empty()) {
            const std::size_t i = open_.back();
            open_.pop_back();
            if (!inner_[i]) continue;
            inner_[i] = 0;
            for (std::size_t side : {0u, 1u}) open_.push_back(tree_.nodes[i].left + side);
        }
        below_[top] = loss_[top];
        leaves_[top] = 1;
        for (std::size_t k = parent_[top]; k < parent_.size(); k = parent_[k]) add_up(k);
    }

  private:
    // Summed anew, not changed by the difference: beside the squared density of a tiny leaf, in the sums of
    // all its ancestors, a difference leaves nothing of the other leaves.
    void add_up(std::size_t i) {
        const std::size_t left = tree_.nodes[i].left;
        below_[i] = below_[left] + below_[left + 1];
        leaves_[i] = leaves_[left] + leaves_[left + 1];
    }

    const Tree& tree_;
    std::span<const double> loss_;
    std::vector<std::size_t> parent_;  // the number of nodes: none
    std::vector<double> below_;
    std::vector<std::size_t> leaves_;
    std::vector<char> inner_;
    std::vector<std::size_t> open_;
};

}  // namespace

std::vector<char> best_subtree(const Tree& tree, std::span<const double> loss, double alpha) {
    return best_below(tree, loss, alpha).is_leaf;
}

std::vector<double> losses_of_subtrees(const Tree& tree, std::span<const double> loss,
                                       std::span<const double> alphas, std::span<const double> other_loss) {
    std::vector<double> sums;
    for (double alpha : alphas) {
        const std::vector<char> is_leaf = best_subtree(tree, loss, alpha);
        double sum = 0.0;
        std::vector<std::size_t> open = {0};
        while (!open.empty()) {
            const std::size_t i = open.back();
            open.pop_back();
            if (is_leaf[i]) {
                sum += other_loss[i];
                continue;
            }
            for (std::size_t side : {0u, 1u}) open.push_back(tree.nodes[i].left + side);
        }
        sums.push_back(sum);
    }
    return sums;
}

// Weakest links with a heap: the node whose collapse costs least per leaf goes next; only its ancestors
// change.
std::vector<PruneStep> prune_path(const Tree& tree, std::span<const double> loss) {
    ShrinkingTree left(tree, loss);
    // What a collapse costs a leaf grows at all ancestors of a node that is collapsed while it costs least.
    // So an entry of the heap is a lower bound, and is looked at again only when its turn has come.
    using Entry = std::pair<double, std::size_t>;
    std::vector<Entry> weakest;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        if (left.is_inner(i)) weakest.emplace_back(left.strength(i), i);
    }
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue(std::greater<>{},
                                                                         std::move(weakest));
    std::vector<PruneStep> path = {left.step(0.0)};
    while (!queue.empty()) {
        const auto [bound, i] = queue.top();
        queue.pop();
        if (!left.is_inner(i)) continue;
        const double alpha = left.strength(i);
        if (alpha > bound) {
            queue.emplace(alpha, i);
            continue;
        }
        left.collapse(i);
        const PruneStep step = left.step(std::max(alpha, path.back().alpha));
        if (step.alpha == path.back().alpha) {
            path.back() = step;
        } else {
            path.push_back(step);
        }
    }
    return path;
}

}  // namespace boxwood
