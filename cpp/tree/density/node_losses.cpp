#include "tree/density/node_losses.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

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
std::vector<double> log_masses(const GrownDensityTree& grown, double prior, double out) {
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

std::vector<double> likelihood_losses(const GrownDensityTree& grown, double prior, double out) {
    const std::vector<double> log_mass = log_masses(grown, prior, out);
    std::vector<double> loss(log_mass.size());
    for (std::size_t i = 0; i < loss.size(); ++i) {
        loss[i] = -times_log(grown.tree.nodes[i].count, log_mass[i] - grown.log_volume[i]);
    }
    return loss;
}

std::vector<double> squared_losses(const GrownDensityTree& grown, bool leave_one_out) {
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

}  // namespace

std::vector<double> leaf_losses(const GrownDensityTree& grown, LossKind kind, double mass_prior) {
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

std::vector<double> held_out_losses(const GrownDensityTree& grown, const double* points,
                                    const double* weights, std::size_t n_rows, bool squared_error,
                                    double mass_prior) {
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

}  // namespace boxwood
