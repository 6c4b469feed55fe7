#include "mixture/ruled_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/random.hpp"
#include "mixture/leaf_density.hpp"
#include "mixture/ruled_leaf.hpp"
#include "tree/box_walk.hpp"

namespace boxwood {

namespace {

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

bool on_cube(double x) { return x >= 0.0 && x <= 1.0; }

void check_component(const RuleComponent& component, std::size_t n_columns, std::vector<char>& taken) {
    const std::size_t n = component.n_entries();
    require(n >= 1 && component.width.size() == n, "a component has entries, each with a width");
    const auto take = [&](std::size_t column) {
        require(column < n_columns && taken[column] == 0, "columns of rules must be there, each once");
        taken[column] = 1;
    };
    take(component.root);
    for (std::size_t e = 0; e < component.other(); ++e)
        require(on_cube(component.point[e]) && on_cube(component.width[e]), "an entry lies in [0, 1]");
    for (const RuledColumn& ruled : component.columns) {
        take(ruled.column);
        require(ruled.low.size() == n && ruled.high.size() == n, "a ruled column has a part for each entry");
        for (std::size_t e = 0; e < n; ++e) {
            const bool nothing = std::isnan(ruled.low[e]) && std::isnan(ruled.high[e]);
            require(
                nothing || (on_cube(ruled.low[e]) && on_cube(ruled.high[e]) && ruled.low[e] <= ruled.high[e]),
                "what is asked of a column lies in [0, 1]");
        }
    }
}

// Calls visit(tree, node's number, leaf's number, box) for the leaves of all trees that have mass.
template <class Visit>
void for_each_leaf(const Mixture& mixture, Visit&& visit) {
    for (std::size_t t = 0; t < mixture.n_trees(); ++t) {
        const Tree& tree = mixture.trees()[t].tree;
        BoxWalk(tree, mixture.columns()).for_each_leaf([&](std::uint32_t at, const Box& box) {
            if (tree.nodes[at].mass > 0.0) visit(t, at, tree.nodes[at].leaf, box);
        });
    }
}

}  // namespace

RuledMixture::RuledMixture(const Mixture& mixture, std::vector<RuleComponent> components)
    : mixture_(mixture), components_(std::move(components)) {
    std::vector<char> taken(mixture.n_columns(), 0);
    for (const RuleComponent& component : components_) check_component(component, mixture.n_columns(), taken);
    for (const auto& [tree, leaves] : mixture.trees()) {
        std::vector<double>& mass = node_mass_.emplace_back(tree.nodes.size(), 0.0);
        for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = tree.nodes[i].mass;
    }
    for (std::size_t c = 0; c < components_.size(); ++c) {
        add_component(c);
        // What the last one makes of the leaves is asked by draws alone.
        if (c + 1 < components_.size()) tilt_leaves(c);
    }
}

void RuledMixture::add_component(std::size_t c) {
    const RuleComponent& component = components_[c];
    const BinEdges& root = mixture_.columns()[component.root];
    EntriesOfBins entries(root.n_bins());
    for (std::size_t e = 0; e < component.other(); ++e)
        entries[root.bin_of(component.point[e])].push_back(static_cast<std::uint32_t>(e));
    entries_of_bins_.push_back(std::move(entries));
    agreements_.push_back(find_agreement(c));
}

void RuledMixture::tilt_leaves(std::size_t c) const {
    RuledLeaf ruled(mixture_, components_[c], entries_of_bins_[c]);
    for_each_leaf(mixture_, [&](std::size_t t, std::uint32_t at, std::size_t leaf, const Box& box) {
        ruled.enter(mixture_.trees()[t].leaves, leaf, box);
        node_mass_[t][at] *= ruled.tilt(agreements_[c].log_all);
    });
}

RuleAgreement RuledMixture::find_agreement(std::size_t c) const {
    const RuleComponent& component = components_[c];
    const std::size_t n = component.n_entries();
    const std::size_t n_columns = component.columns.size();
    std::vector<double> known(n, 0.0);
    RuleAgreement found{std::vector<double>(n, 0.0), std::vector<double>(n_columns * n, 0.0)};
    std::vector<double> before(n_columns + 1, 1.0);  // products of what stands before and behind a column
    RuledLeaf ruled(mixture_, component, entries_of_bins_[c]);
    for_each_leaf(mixture_, [&](std::size_t t, std::uint32_t at, std::size_t leaf, const Box& box) {
        const double mass = mixture_.weights()[t] * node_mass_[t][at];
        ruled.enter(mixture_.trees()[t].leaves, leaf, box);
        ruled.for_each_entry([&](std::uint32_t e, double probability) {
            known[e] += mass * probability;
            for (std::size_t k = 0; k < n_columns; ++k) before[k + 1] = before[k] * ruled.factor(k, e);
            found.log_all[e] += mass * probability * before[n_columns];
            double behind = mass * probability;
            for (std::size_t k = n_columns; k-- > 0; behind *= ruled.factor(k, e))
                found.log_but[k * n + e] += before[k] * behind;
        });
    });
    // An entry that the mixture knows nothing of is left as it is.
    const auto to_log = [&](double& sum, std::size_t e) { sum = sum > 0.0 ? std::log(sum / known[e]) : 0.0; };
    for (std::size_t e = 0; e < n; ++e) {
        to_log(found.log_all[e], e);
        for (std::size_t k = 0; k < n_columns; ++k) to_log(found.log_but[k * n + e], e);
    }
    return found;
}

RuleAgreement RuledMixture::agreement(std::size_t c) const {
    const RuleComponent& component = components_.at(c);
    const std::size_t n = component.n_entries();
    RuleAgreement found = agreements_[c];
    for (std::size_t k = 0; k < component.columns.size(); ++k) {
        const RuledColumn& ruled = component.columns[k];
        const BinEdges& bin_edges = mixture_.columns()[ruled.column];
        for (std::size_t e = 0; e < n; ++e) {
            if (ruled.low[e] != ruled.high[e]) continue;
            const std::uint32_t bin = bin_edges.bin_of(ruled.low[e]);
            const double log_width = std::log(bin_edges.u[bin + 1] - bin_edges.u[bin]);
            found.log_all[e] -= log_width;
            for (std::size_t l = 0; l < component.columns.size(); ++l)
                if (l != k) found.log_but[l * n + e] -= log_width;
        }
    }
    return found;
}

void RuledMixture::find_node_masses() const {
    if (!components_.empty()) tilt_leaves(components_.size() - 1);
    for (std::size_t t = 0; t < node_mass_.size(); ++t) {
        const std::vector<TreeNode>& nodes = mixture_.trees()[t].tree.nodes;
        for (std::size_t i = nodes.size(); i-- > 0;) {  // children stand behind their parent
            if (!nodes[i].is_leaf())
                node_mass_[t][i] = node_mass_[t][nodes[i].left] + node_mass_[t][nodes[i].left + 1];
        }
    }
}

void RuledMixture::sample(std::size_t n_rows, std::uint64_t seed, double* out) const {
    std::call_once(masses_found_, [&] { find_node_masses(); });
    std::vector<double> upper(mixture_.n_trees());
    for (std::size_t t = 0; t < upper.size(); ++t) upper[t] = mixture_.weights()[t] * node_mass_[t][0];
    std::partial_sum(upper.begin(), upper.end(), upper.begin());
    std::vector<RuledLeaf> ruled;
    for (std::size_t c = 0; c < components_.size(); ++c)
        ruled.emplace_back(mixture_, components_[c], entries_of_bins_[c]);
    for (std::size_t i = 0; i < n_rows; ++i) {
        Draws draws(combine_keys(mix_bits(seed), i));
        const double target = draws.uniform() * upper.back();
        const auto found = std::upper_bound(upper.begin(), upper.end() - 1, target);
        const auto t = static_cast<std::size_t>(found - upper.begin());
        const auto& [tree, leaves] = mixture_.trees()[t];
        Box box(mixture_.columns());
        std::uint32_t at = 0;
        while (!tree.nodes[at].is_leaf()) {
            const TreeNode& node = tree.nodes[at];
            const bool left = draws.uniform() * node_mass_[t][at] < node_mass_[t][node.left];
            box = box.child(tree, node, left);
            at = node.left + (left ? 0 : 1);
        }
        const std::size_t leaf = tree.nodes[at].leaf;
        double* point = out + i * mixture_.n_columns();
        draw_point(leaves, leaf, box, draws, point);
        for (std::size_t c = 0; c < ruled.size(); ++c) {
            ruled[c].enter(leaves, leaf, box);
            ruled[c].draw(agreements_[c].log_all, draws, point);
        }
    }
}

}  // namespace boxwood
