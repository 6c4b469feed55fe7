#include <cmath>
#include <limits>
#include <stdexcept>

#include "mixture/fit_leaves.hpp"
#include "mixture/fitting/held_out_leaves.hpp"
#include "mixture/mixture.hpp"
#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"

using boxwood::fit_leaves;
using boxwood::grow_density_tree;
using boxwood::GrownDensityTree;
using boxwood::GrowOptions;
using boxwood::HeldOut;
using boxwood::LeafKind;
using boxwood::LeafOptions;
using boxwood::Leaves;
using boxwood::Mixture;

CASE("masses: the Beta prior down the path", {
    const SmallTable table(100, 2, 1, 1);
    const auto data = table.data();
    for (double prior : {0.0, 1.0, 7.0}) {
        GrownDensityTree grown = grow_density_tree(data, {});
        LeafOptions options;
        options.mass_prior = prior;
        fit_leaves(grown, data, options);
        double sum = 0.0;
        for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
            const auto& node = grown.tree.nodes[i];
            if (node.is_leaf()) {
                sum += node.mass;
                continue;
            }
            const auto& left = grown.tree.nodes[node.left];
            const double fraction = (left.count + prior * grown.left_fraction[i]) / (node.count + prior);
            CHECK(std::abs(left.mass - node.mass * fraction) < 1e-14);
            CHECK(std::abs(left.mass + grown.tree.nodes[node.left + 1].mass - node.mass) < 1e-14);
        }
        CHECK(std::abs(sum - 1.0) < 1e-12);
    }
});

CASE("held-out rows get the density of the tree that would have stopped at each candidate", {
    for (LeafKind kind : {LeafKind::uniform, LeafKind::histogram, LeafKind::gaussian}) {
        for (bool exact : {false, true}) {
            const SmallTable table(300, 2, 1, 2, exact, 64);
            std::vector<double> weights = table.weights;
            HeldOut held;
            held.candidates = {4.0, 20.0, 80.0, 1e18};
            for (std::uint32_t i = 0; i < 300; i += 7) {
                held.rows.push_back(i);
                weights[i] = 0.0;
            }
            auto data = table.data();
            data.weights = weights.data();
            LeafOptions leaf;
            leaf.kind = kind;
            leaf.n_leaf_bins = 8;
            GrowOptions options;
            options.max_features = 2;
            options.min_samples_split = held.candidates[0];
            GrownDensityTree deepest = grow_density_tree(data, options);
            boxwood::score_held_out(deepest, data, leaf, held);
            for (std::size_t l = 0; l < held.candidates.size(); ++l) {
                options.min_samples_split = held.candidates[l];
                GrownDensityTree grown = grow_density_tree(data, options);
                const Leaves leaves = fit_leaves(grown, data, leaf);
                // Bins of histograms lie on the bin edges, and exact growth has fewer where it stops earlier.
                if (exact && kind == LeafKind::histogram && l > 0) continue;
                const Mixture mixture(grown.columns, {{grown.tree, leaves}}, {1.0});
                for (std::size_t i = 0; i < held.rows.size(); ++i) {
                    double log_density = 0.0;
                    double point[3];
                    for (std::size_t j = 0; j < 3; ++j) point[j] = data.place(held.rows[i], j);
                    mixture.log_density(point, 1, &log_density, 1, {});
                    const double got = std::log(held.density[l * held.rows.size() + i]);
                    // Bytes round a density by a thirty-second of an octave a column.
                    CHECK(std::abs(got - log_density) < (kind == LeafKind::histogram ? 0.15 : 1e-9));
                }
            }
        }
    }
});

CASE("densities of held-out rows add up over calls", {
    const SmallTable table(60, 2, 0, 3);
    const auto data = table.data();
    HeldOut held;
    held.candidates = {2.0};
    held.rows = {0, 5};
    GrownDensityTree grown = grow_density_tree(data, {});
    boxwood::score_held_out(grown, data, {}, held);
    const auto once = held.density;
    boxwood::score_held_out(grown, data, {}, held);
    for (std::size_t i = 0; i < 2; ++i) CHECK(std::abs(held.density[i] - 2.0 * once[i]) < 1e-12);
});

CASE("payloads have the size that mixtures want, and histograms need bins", {
    const SmallTable table(60, 2, 1, 3);
    const auto data = table.data();
    GrownDensityTree grown = grow_density_tree(data, {});
    LeafOptions options;
    options.kind = LeafKind::histogram;
    options.n_leaf_bins = 7;
    CHECK(fit_leaves(grown, data, options).quantised.size() == grown.tree.n_leaves * 3 * 7);
    options.kind = LeafKind::gaussian;
    CHECK(fit_leaves(grown, data, options).mean.size() == grown.tree.n_leaves * 3);
    options.kind = LeafKind::histogram;
    for (std::size_t n_leaf_bins : {std::size_t{0}, std::size_t{1025}}) {
        options.n_leaf_bins = n_leaf_bins;
        bool refused = false;
        try {
            fit_leaves(grown, data, options);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
});

CASE("nodes without rows have masses and leaves", {
    const SmallTable table(20, 2, 1, 4, true);
    const auto data = table.data();
    GrowOptions options;
    options.min_samples_leaf = 0.0;
    options.max_depth = 6;
    for (LeafKind kind : {LeafKind::uniform, LeafKind::histogram, LeafKind::gaussian}) {
        GrownDensityTree grown = grow_density_tree(data, options);
        LeafOptions leaf;
        leaf.kind = kind;
        const Leaves leaves = fit_leaves(grown, data, leaf);
        const Mixture mixture(grown.columns, {{grown.tree, leaves}}, {1.0});
        CHECK(std::abs(mixture.probability(std::vector<boxwood::ColumnEvent>(3)) - 1.0) < 1e-12);
    }
});

CASE("histograms keep what the margins do for categories that no row has", {
    constexpr std::uint32_t unseen = 4;
    SmallTable table(400, 3, 1, 5);
    table.columns[3].u[unseen] = 0.999;  // narrow: trees do not cut it off at once
    for (std::size_t i = 0; i < table.n_rows; ++i)
        if (table.bins[4 * i + 3] == unseen) table.bins[4 * i + 3] = 0;
    const auto data = table.data();
    LeafOptions leaf;
    leaf.kind = LeafKind::histogram;
    leaf.unseen_bins = {{3, unseen}};
    GrowOptions options;
    options.max_depth = 3;  // deeper, every leaf is cut along the categories
    GrownDensityTree grown = grow_density_tree(data, options);
    const Leaves leaves = fit_leaves(grown, data, leaf);
    const std::vector<double>& u = table.columns[3].u;
    // Leaves below cuts of the other columns alone have the category's whole interval.
    std::vector<char> is_cut(grown.tree.nodes.size(), 0);
    std::size_t n_checked = 0;
    for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
        const auto& node = grown.tree.nodes[i];
        if (!node.is_leaf()) {
            for (std::size_t side : {0u, 1u}) is_cut[node.left + side] = is_cut[i] || node.feature == 3;
            continue;
        }
        if (is_cut[i]) continue;
        const std::uint8_t* quantised = leaves.quantised_of(node.leaf, 3, 4);
        double total = 0.0;
        for (std::size_t b = 0; b < 5; ++b)
            total += boxwood::quantised_weights()[quantised[b]] * (u[b + 1] - u[b]);
        const double mass = boxwood::quantised_weights()[quantised[unseen]] * (u[unseen + 1] - u[unseen]);
        CHECK(std::abs(mass / total - (u[unseen + 1] - u[unseen])) < 0.05 * (u[unseen + 1] - u[unseen]));
        ++n_checked;
    }
    CHECK(n_checked > 0);
    const Mixture mixture(grown.columns, {{grown.tree, leaves}}, {1.0});
    CHECK(std::abs(mixture.probability(std::vector<boxwood::ColumnEvent>(4)) - 1.0) < 1e-12);
    leaf.unseen_bins = {{4, 0}};
    bool refused = false;
    try {
        fit_leaves(grown, data, leaf);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
});

CHECK_MAIN()
