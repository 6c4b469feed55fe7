#include <atomic>
#include <cmath>
#include <stdexcept>

#include "mixture/density_forest.hpp"
#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"

using boxwood::DensityForest;
using boxwood::DensityForestOptions;
using boxwood::fit_density_forest;

namespace {

bool same(const DensityForest& a, const DensityForest& b) {
    bool good = a.trees.size() == b.trees.size() && a.importance == b.importance &&
                a.candidate_scores == b.candidate_scores && a.min_samples_split == b.min_samples_split;
    for (std::size_t t = 0; good && t < a.trees.size(); ++t) {
        const auto& [tree, leaves] = a.trees[t];
        const auto& [other, other_leaves] = b.trees[t];
        good = tree.nodes.size() == other.nodes.size() && tree.sets == other.sets &&
               leaves.quantised == other_leaves.quantised && leaves.mean == other_leaves.mean;
        for (std::size_t i = 0; good && i < tree.nodes.size(); ++i) {
            const auto& m = tree.nodes[i];
            const auto& n = other.nodes[i];
            good = m.feature == n.feature && m.left == n.left && m.threshold == n.threshold &&
                   m.mass == n.mass && m.count == n.count;
        }
    }
    for (std::size_t j = 0; good && j < a.columns.size(); ++j) good = a.columns[j].u == b.columns[j].u;
    return good;
}

DensityForestOptions small_options() {
    DensityForestOptions options;
    options.n_trees = 7;
    options.grow.criterion = boxwood::CriterionKind::product_likelihood;
    options.grow.max_features = 2;
    options.leaf.kind = boxwood::LeafKind::histogram;
    options.leaf.n_leaf_bins = 4;
    return options;
}

}  // namespace

CASE("any number of threads gives the same forest", {
    for (bool exact : {false, true}) {
        for (bool bootstrap : {false, true}) {
            const SmallTable table(150, 3, 1, 1, exact);
            DensityForestOptions options = small_options();
            options.bootstrap = bootstrap;
            options.candidates = {4.0, 30.0, 1e18};
            const DensityForest one = fit_density_forest(table.data(), options, {});
            for (std::size_t n_threads : {2u, 3u, 16u}) {
                options.n_threads = n_threads;
                CHECK(same(one, fit_density_forest(table.data(), options, {})));
            }
            options.seed = 1;
            CHECK(!same(one, fit_density_forest(table.data(), options, {})));
        }
    }
});

CASE("trees of a forest are trees on its shared bin edges", {
    for (bool exact : {false, true}) {
        const SmallTable table(100, 2, 1, 2, exact);
        const DensityForest forest = fit_density_forest(table.data(), small_options(), {});
        CHECK(forest.trees.size() == 7);
        for (const auto& bin_edges : forest.columns) boxwood::check_bin_edges(bin_edges);
        for (const auto& fitted : forest.trees) boxwood::check_tree(fitted.tree, forest.columns);
        CHECK(forest.min_samples_split == small_options().grow.min_samples_split);
        CHECK(forest.candidate_scores.empty());
    }
});

CASE("the last candidate is the score of single leaves", {
    const SmallTable table(200, 2, 0, 3);
    DensityForestOptions options = small_options();
    options.leaf.kind = boxwood::LeafKind::uniform;
    options.candidates = {10.0, 1e18};
    const DensityForest forest = fit_density_forest(table.data(), options, {});
    CHECK(forest.candidate_scores.size() == 2 && std::abs(forest.candidate_scores[1]) < 1e-12);
    CHECK(forest.min_samples_split == 10.0 || forest.min_samples_split == 1e18);
});

CASE("trees are numbered: a forest can be grown in two parts", {
    const SmallTable table(150, 3, 1, 5);
    DensityForestOptions options = small_options();
    DensityForest all = fit_density_forest(table.data(), options, {});
    options.first_tree = 4;
    options.n_trees = 3;
    const DensityForest last = fit_density_forest(table.data(), options, {});
    all.trees.erase(all.trees.begin(), all.trees.begin() + 4);
    all.importance = last.importance;
    CHECK(same(all, last));
});

CASE("watch sees the trees, and may stop them", {
    const SmallTable table(3000, 3, 0, 4);
    DensityForestOptions options = small_options();
    options.n_trees = 100;
    options.n_threads = 2;
    std::size_t seen = 0;
    bool stopped = false;
    try {
        fit_density_forest(table.data(), options, [&](std::size_t n_done) {
            seen = n_done;
            if (n_done >= 2) throw std::runtime_error("Ctrl-C");
        });
    } catch (const std::runtime_error&) {
        stopped = true;
    }
    CHECK(stopped && seen >= 2);
});

CASE("no trees, one row, samples without rows", {
    DensityForestOptions options = small_options();
    options.n_trees = 0;
    bool refused = false;
    const SmallTable table(3, 2, 1, 4);
    try {
        fit_density_forest(table.data(), options, {});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
    options = small_options();
    options.max_samples = 1e-6;
    options.candidates = {2.0, 1e18};
    for (bool bootstrap : {false, true}) {
        options.bootstrap = bootstrap;
        for (std::size_t n : {1u, 2u, 3u}) {
            auto data = table.data();
            data.n_rows = n;
            const DensityForest forest = fit_density_forest(data, options, {});
            for (const auto& fitted : forest.trees) CHECK(fitted.tree.nodes[0].count > 0.0);
        }
    }
});

CHECK_MAIN()
