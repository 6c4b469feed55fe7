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
    const std::size_t n = tree.nodes.size();
    std::vector<std::size_t> parent(n, n);
    std::vector<double> below(loss.begin(), loss.end());
    std::vector<std::size_t> leaves(n, 1);
    std::vector<char> inner(n, 0);
    // From the best subtree without a penalty on: beyond it losses may be infinite (a row that is left out of
    // a leaf of its own), and the difference of two such is no number.
    const std::vector<char> is_leaf = best_subtree(tree, loss, 0.0);
    std::vector<char> kept(n, 0);
    kept[0] = 1;
    for (std::size_t i = 0; i < n; ++i) {
        inner[i] = kept[i] && !is_leaf[i] ? 1 : 0;
        for (std::size_t side = 0; inner[i] && side < 2; ++side) {
            kept[tree.nodes[i].left + side] = 1;
            parent[tree.nodes[i].left + side] = i;
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        const TreeNode& node = tree.nodes[i];
        if (!inner[i]) continue;
        below[i] = below[node.left] + below[node.left + 1];
        leaves[i] = leaves[node.left] + leaves[node.left + 1];
    }
    const auto strength = [&](std::size_t i) {
        return (loss[i] - below[i]) / static_cast<double>(leaves[i] - 1);
    };
    // What a collapse costs a leaf grows at all ancestors of a node that is collapsed while it costs least.
    // So an entry of the heap is a lower bound, and is looked at again only when its turn has come.
    using Entry = std::pair<double, std::size_t>;
    std::vector<Entry> weakest;
    for (std::size_t i = 0; i < n; ++i) {
        if (inner[i]) weakest.emplace_back(strength(i), i);
    }
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue(std::greater<>{},
                                                                         std::move(weakest));
    std::vector<std::size_t> open;
    const auto mark_below_as_gone = [&](std::size_t top) {
        open.assign(1, top);
        while (!open.empty()) {
            const std::size_t i = open.back();
            open.pop_back();
            if (!inner[i]) continue;
            inner[i] = 0;
            for (std::size_t side : {0u, 1u}) open.push_back(tree.nodes[i].left + side);
        }
    };
    std::vector<PruneStep> path = {{0.0, leaves[0], below[0]}};
    while (!queue.empty()) {
        const auto [bound, i] = queue.top();
        queue.pop();
        if (!inner[i]) continue;
        const double alpha = strength(i);
        if (alpha > bound) {
            queue.emplace(alpha, i);
            continue;
        }
        mark_below_as_gone(i);
        below[i] = loss[i];
        leaves[i] = 1;
        // Summed anew, not changed by the difference: beside the squared density of a tiny leaf, in the sums
        // of all its ancestors, a difference leaves nothing of the other leaves.
        for (std::size_t k = parent[i]; k < n; k = parent[k]) {
            const std::size_t left = tree.nodes[k].left;
            below[k] = below[left] + below[left + 1];
            leaves[k] = leaves[left] + leaves[left + 1];
        }
        const PruneStep step{std::max(alpha, path.back().alpha), leaves[0], below[0]};
        if (step.alpha == path.back().alpha) {
            path.back() = step;
        } else {
            path.push_back(step);
        }
    }
    return path;
}

}  // namespace boxwood
