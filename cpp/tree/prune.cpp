#include "tree/prune.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <stdexcept>
#include <utility>

namespace boxwood {

namespace {

double times_log(double n, double log_value) { return n == 0.0 ? 0.0 : n * log_value; }

// Capped, so that sums of losses are finite: with many columns boxes of close rows are thinner than any
// double.
double inverse_volume(double log_volume) { return std::exp(std::min(-log_volume, 600.0)); }

// A child's fraction of its parent's mass, smoothed.
double smoothed_fraction(double part, double whole, double fraction, double prior) {
    const double total = whole + prior;
    return total > 0.0 ? std::max(part + prior * fraction, 0.0) / total : fraction;
}

// log(mass) of every node with one row of its own left out (out = 1) or none (out = 0).
std::vector<double> log_masses(const GrownTree& grown, double prior, double out) {
    const std::vector<TreeNode>& nodes = grown.tree.nodes;
    std::vector<double> log_mass(nodes.size(), 0.0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].is_leaf()) continue;
        for (std::size_t side : {std::size_t{0}, std::size_t{1}}) {
            const std::size_t child = nodes[i].left + side;
            const double fraction = side == 0 ? grown.left_fraction[i] : 1.0 - grown.left_fraction[i];
            const double part = std::max(nodes[child].count - out, 0.0);
            const double whole = std::max(nodes[i].count - out, 0.0);
            log_mass[child] = log_mass[i] + std::log(smoothed_fraction(part, whole, fraction, prior));
        }
    }
    return log_mass;
}

std::vector<double> likelihood_losses(const GrownTree& grown, double prior, double out) {
    const std::vector<double> log_mass = log_masses(grown, prior, out);
    std::vector<double> loss(log_mass.size());
    for (std::size_t i = 0; i < loss.size(); ++i) {
        loss[i] = -times_log(grown.tree.nodes[i].count, log_mass[i] - grown.log_volume[i]);
    }
    return loss;
}

std::vector<double> squared_losses(const GrownTree& grown, bool leave_one_out) {
    const double total = grown.tree.nodes[0].count;
    std::vector<double> loss(grown.tree.nodes.size());
    for (std::size_t i = 0; i < loss.size(); ++i) {
        const double n = grown.tree.nodes[i].count;
        const double others =
            leave_one_out && total > 1.0 ? std::max(n - 1.0, 0.0) / (total - 1.0) : n / total;
        loss[i] = (n * n / (total * total) - 2.0 * n / total * others) * inverse_volume(grown.log_volume[i]);
    }
    return loss;
}

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

// Takes a set of categories over; returns its number there.
std::uint32_t copy_set(const Tree& from, std::uint32_t set, Tree& to) {
    const auto begin = from.sets.begin() + static_cast<std::ptrdiff_t>(set * from.words_per_set);
    to.sets.insert(to.sets.end(), begin, begin + static_cast<std::ptrdiff_t>(from.words_per_set));
    return static_cast<std::uint32_t>(to.sets.size() / to.words_per_set - 1);
}

}  // namespace

std::vector<double> leaf_losses(const GrownTree& grown, LossKind kind, double mass_prior) {
    switch (kind) {
        case LossKind::log_likelihood:
            return likelihood_losses(grown, mass_prior, 0.0);
        case LossKind::loo_log_likelihood:
            return likelihood_losses(grown, mass_prior, 1.0);
        case LossKind::squared_error:
            return squared_losses(grown, false);
        case LossKind::loo_squared_error:
            return squared_losses(grown, true);
    }
    throw std::invalid_argument("unknown loss");
}

std::vector<double> held_out_losses(const GrownTree& grown, const double* points, const double* weights,
                                    std::size_t n_rows, bool squared_error, double mass_prior) {
    const std::vector<TreeNode>& nodes = grown.tree.nodes;
    const std::size_t d = grown.columns.size();
    std::vector<double> held(nodes.size(), 0.0);
    double total = 0.0;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double w = weights == nullptr ? 1.0 : weights[row];
        total += w;
        std::uint32_t at = 0;
        held[0] += w;
        while (!nodes[at].is_leaf()) {
            const auto j = static_cast<std::size_t>(nodes[at].feature);
            const std::uint32_t bin = grown.columns[j].bin_of(points[row * d + j]);
            at =
                nodes[at].left + (grown.tree.goes_left(nodes[at], bin, grown.columns[j].categorical) ? 0 : 1);
            held[at] += w;
        }
    }
    const std::vector<double> log_mass = log_masses(grown, mass_prior, 0.0);
    std::vector<double> loss(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double mass = std::exp(log_mass[i]);
        loss[i] = squared_error ? mass * (mass - 2.0 * held[i] / total) * inverse_volume(grown.log_volume[i])
                                : -times_log(held[i], log_mass[i] - grown.log_volume[i]);
    }
    return loss;
}

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

GrownTree collapse(const GrownTree& grown, const std::vector<char>& is_leaf) {
    GrownTree small;
    small.columns = grown.columns;
    small.rows = grown.rows;
    small.bins = grown.bins;
    small.bin_stride = grown.bin_stride;
    small.tree.words_per_set = grown.tree.words_per_set;
    const auto copy = [&](std::size_t i) {
        TreeNode node = grown.tree.nodes[i];
        if (is_leaf[i]) node.feature = -1;
        if (!node.is_leaf() && grown.columns[static_cast<std::size_t>(node.feature)].categorical)
            node.cut = copy_set(grown.tree, node.cut, small.tree);
        small.tree.nodes.push_back(node);
        small.begin.push_back(grown.begin[i]);
        small.end.push_back(grown.end[i]);
        small.gain.push_back(is_leaf[i] ? 0.0 : grown.gain[i]);
        small.left_fraction.push_back(grown.left_fraction[i]);
        small.log_volume.push_back(grown.log_volume[i]);
    };
    std::vector<std::size_t> source = {0};
    copy(0);
    for (std::size_t k = 0; k < source.size(); ++k) {
        if (small.tree.nodes[k].is_leaf()) continue;
        const std::size_t left = grown.tree.nodes[source[k]].left;
        small.tree.nodes[k].left = static_cast<std::uint32_t>(small.tree.nodes.size());
        for (std::size_t side : {0u, 1u}) {
            source.push_back(left + side);
            copy(left + side);
        }
    }
    number_leaves(small.tree);
    return small;
}

}  // namespace boxwood
