#include <atomic>
#include <cmath>
#include <stdexcept>

#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/forest.hpp"

using boxwood::fit_forest;
using boxwood::Forest;
using boxwood::ForestOptions;
using boxwood::is_held_out;
using boxwood::weight_in_sample;

namespace {

bool same(const Forest& a, const Forest& b) {
    bool good = a.trees.size() == b.trees.size() && a.importance == b.importance &&
                a.candidate_scores == b.candidate_scores && a.min_samples_split == b.min_samples_split;
    for (std::size_t t = 0; good && t < a.trees.size(); ++t) {
        good = a.trees[t].nodes.size() == b.trees[t].nodes.size() && a.trees[t].sets == b.trees[t].sets &&
               a.leaves[t].levels == b.leaves[t].levels && a.leaves[t].mean == b.leaves[t].mean;
        for (std::size_t i = 0; good && i < a.trees[t].nodes.size(); ++i) {
            const auto& m = a.trees[t].nodes[i];
            const auto& n = b.trees[t].nodes[i];
            good = m.feature == n.feature && m.left == n.left && m.cut == n.cut && m.mass == n.mass &&
                   m.count == n.count;
        }
    }
    for (std::size_t j = 0; good && j < a.columns.size(); ++j) good = a.columns[j].u == b.columns[j].u;
    return good;
}

ForestOptions small_options() {
    ForestOptions options;
    options.n_trees = 7;
    options.grow.criterion = boxwood::CriterionKind::product_likelihood;
    options.grow.max_features = 2;
    options.leaf.kind = boxwood::LeafKind::histogram;
    options.leaf.n_leaf_bins = 4;
    return options;
}

struct Moments {
    double mean = 0.0;
    double variance = 0.0;
    double none = 0.0;
};

Moments moments_of(const ForestOptions& options, double weight, int n) {
    Moments m;
    double squares = 0.0;
    for (int i = 0; i < n; ++i) {
        const double w = weight_in_sample(options, static_cast<std::size_t>(i % 100),
                                          boxwood::mix_bits(static_cast<std::uint64_t>(i / 100)), weight);
        m.mean += w / n;
        squares += w * w / n;
        m.none += (w == 0.0 ? 1.0 : 0.0) / n;
    }
    m.variance = squares - m.mean * m.mean;
    return m;
}

}  // namespace

CASE("without replacement: binomial counts", {
    ForestOptions options;
    options.max_samples = 0.7;
    for (double weight : {1.0, 2.0, 10.0, 200.0, 1000.0}) {
        const int n = 40000;
        const Moments m = moments_of(options, weight, n);
        const double variance = weight * 0.7 * 0.3;
        CHECK(std::abs(m.mean - 0.7 * weight) < 5.0 * std::sqrt(variance / n));
        CHECK(std::abs(m.variance / variance - 1.0) < 0.06);
        if (weight < 3.0) CHECK(std::abs(m.none - std::pow(0.3, weight)) < 0.012);
    }
    for (int i = 0; i < 100; ++i) {
        const auto key = static_cast<std::uint64_t>(i);
        const double w = weight_in_sample(options, 1, key, 2.5);
        CHECK(w == 0.0 || w == 0.5 || w == 1.0 || w == 1.5 || w == 2.0 || w == 2.5);
        CHECK(weight_in_sample(options, 1, key, 0.0) == 0.0);
    }
    options.max_samples = 1.0;
    for (double weight : {0.5, 1.0, 7.25, 1000.0}) CHECK(weight_in_sample(options, 0, 3, weight) == weight);
});

CASE("with replacement: Poisson counts", {
    ForestOptions options;
    options.bootstrap = true;
    for (double fraction : {1.0, 0.5}) {
        options.max_samples = fraction;
        for (double weight : {1.0, 3.0, 150.0, 1000.0}) {
            const int n = 40000;
            const Moments m = moments_of(options, weight, n);
            const double mean = fraction * weight;
            CHECK(std::abs(m.mean - mean) < 5.0 * std::sqrt(mean / n));
            CHECK(std::abs(m.variance / mean - 1.0) < 0.06);
            if (weight < 4.0) CHECK(std::abs(m.none - std::exp(-mean)) < 0.012);
        }
    }
});

CASE("samples of trees and of rows are independent", {
    ForestOptions options;
    options.max_samples = 0.5;
    double trees = 0.0;
    double rows = 0.0;
    for (std::uint64_t key = 0; key < 10000; ++key) {
        const double a = weight_in_sample(options, 0, boxwood::mix_bits(key), 1.0) - 0.5;
        trees += 4.0 * a * (weight_in_sample(options, 1, boxwood::mix_bits(key), 1.0) - 0.5);
        rows += 4.0 * a * (weight_in_sample(options, 0, boxwood::mix_bits(key + 1), 1.0) - 0.5);
    }
    CHECK(std::abs(trees) < 500.0 && std::abs(rows) < 500.0);
    ForestOptions other = options;
    other.seed = 1;
    int equal = 0;
    for (std::uint64_t key = 0; key < 1000; ++key) {
        equal += weight_in_sample(options, 0, key, 1.0) == weight_in_sample(other, 0, key, 1.0) ? 1 : 0;
    }
    CHECK(equal > 400 && equal < 600);
});

CASE("which rows a tree has not seen", {
    ForestOptions options;
    CHECK(is_held_out(options, 0.0, 1.0) && is_held_out(options, 1.0, 2.0) &&
          !is_held_out(options, 2.0, 2.0));
    options.bootstrap = true;
    CHECK(is_held_out(options, 0.0, 1.0) && !is_held_out(options, 1.0, 2.0));
});

CASE("any number of threads gives the same forest", {
    for (bool exact : {false, true}) {
        for (bool bootstrap : {false, true}) {
            const SmallTable table(150, 3, 1, 1, exact);
            ForestOptions options = small_options();
            options.bootstrap = bootstrap;
            options.candidates = {4.0, 30.0, 1e18};
            const Forest one = fit_forest(table.data(), options, {});
            for (std::size_t n_threads : {2u, 3u, 16u}) {
                options.n_threads = n_threads;
                CHECK(same(one, fit_forest(table.data(), options, {})));
            }
            options.seed = 1;
            CHECK(!same(one, fit_forest(table.data(), options, {})));
        }
    }
});

CASE("trees of a forest are trees on its shared bin edges", {
    for (bool exact : {false, true}) {
        const SmallTable table(100, 2, 1, 2, exact);
        const Forest forest = fit_forest(table.data(), small_options(), {});
        CHECK(forest.trees.size() == 7 && forest.leaves.size() == 7);
        for (const auto& bin_edges : forest.columns) boxwood::check_bin_edges(bin_edges);
        for (const auto& tree : forest.trees) boxwood::check_tree(tree, forest.columns);
        CHECK(forest.min_samples_split == small_options().grow.min_samples_split);
        CHECK(forest.candidate_scores.empty());
    }
});

CASE("the candidates's last candidate is the score of single leaves", {
    const SmallTable table(200, 2, 0, 3);
    ForestOptions options = small_options();
    options.leaf.kind = boxwood::LeafKind::uniform;
    options.candidates = {10.0, 1e18};
    const Forest forest = fit_forest(table.data(), options, {});
    CHECK(forest.candidate_scores.size() == 2 && std::abs(forest.candidate_scores[1]) < 1e-12);
    CHECK(forest.min_samples_split == 10.0 || forest.min_samples_split == 1e18);
});

CASE("watch sees the trees, and may stop them", {
    const SmallTable table(3000, 3, 0, 4);
    ForestOptions options = small_options();
    options.n_trees = 100;
    options.n_threads = 2;
    std::size_t seen = 0;
    bool stopped = false;
    try {
        fit_forest(table.data(), options, [&](std::size_t n_done) {
            seen = n_done;
            if (n_done >= 2) throw std::runtime_error("Ctrl-C");
        });
    } catch (const std::runtime_error&) {
        stopped = true;
    }
    CHECK(stopped && seen >= 2);
});

CASE("no trees, one row, samples without rows", {
    ForestOptions options = small_options();
    options.n_trees = 0;
    bool refused = false;
    const SmallTable table(3, 2, 1, 4);
    try {
        fit_forest(table.data(), options, {});
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
            const Forest forest = fit_forest(data, options, {});
            for (const auto& tree : forest.trees) CHECK(tree.nodes[0].count > 0.0);
        }
    }
});

CHECK_MAIN()
