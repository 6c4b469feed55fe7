#include <cstddef>
#include <stdexcept>
#include <vector>

#include "mixture/density_forest.hpp"
#include "mixture/fitting/sampled_tree.hpp"
#include "mixture/levels/level_growth.hpp"
#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/split_finders/product_split_finder.hpp"

using boxwood::BinnedRows;
using boxwood::CriterionKind;
using boxwood::DensityForestOptions;
using boxwood::LeafKind;
using boxwood::LevelCounts;
using boxwood::LevelGrowth;
using boxwood::LevelTree;
using boxwood::MixtureTree;
using boxwood::OpenRows;
using boxwood::Subtree;
using boxwood::TakenRows;

namespace {

DensityForestOptions options_of(LeafKind kind) {
    DensityForestOptions options;
    options.n_trees = 1;
    options.grow.criterion = CriterionKind::product_likelihood;
    options.grow.min_samples_split = 4.0;
    options.grow.scan_rows = 40;
    options.grow.max_candidates = 8;
    options.grow.max_features = 2;
    options.leaf.kind = kind;
    return options;
}

// Rows of a table in parts, one after another.
std::vector<BinnedRows> parts_of(const BinnedRows& all, std::size_t n_parts) {
    std::vector<BinnedRows> parts;
    for (std::size_t k = 0; k < n_parts; ++k) {
        const std::size_t first = all.n_rows * k / n_parts;
        BinnedRows part = all;
        part.n_rows = all.n_rows * (k + 1) / n_parts - first;
        part.bins += first * all.n_columns();
        part.keys += first;
        part.observations += first;
        if (part.weights != nullptr) part.weights += first;
        parts.push_back(part);
    }
    return parts;
}

double unit_of(const std::vector<OpenRows>& open) {
    std::vector<double> weights;
    for (const OpenRows& rows : open) {
        if (rows.weights.empty()) weights.push_back(1.0);
        weights.insert(weights.end(), rows.weights.begin(), rows.weights.end());
    }
    return boxwood::unit_of_counts(weights);
}

// A tree by levels, as tasks would grow it.
MixtureTree grow_by_levels(const std::vector<BinnedRows>& parts, const LevelGrowth& growth,
                           const DensityForestOptions& options, std::vector<double>& gains) {
    std::vector<OpenRows> open;
    for (const BinnedRows& part : parts) open.push_back(sample_part(rows_to_sample(part), options, 0));
    LevelTree tree = LevelTree::root(growth.columns(), 0, unit_of(open));
    std::vector<Subtree> below;
    std::vector<std::vector<double>> before(parts.size());
    while (!tree.open.empty()) {
        LevelCounts sums;
        std::vector<std::vector<std::uint64_t>> first;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            const OpenRows& own = open[p];
            const LevelCounts of_part =
                count_rows(parts[p], tree, {own.rows, own.weights, own.begin}, growth.n_bins());
            // The smaller of two halves counted, and the rest taken from what was counted before.
            const LevelCounts by_halves =
                count_rows(parts[p], tree, {own.rows, own.weights, own.begin}, growth.n_bins(), before[p]);
            CHECK(by_halves.counts == of_part.counts);
            before[p] = of_part.counts;
            if (p == 0)
                sums = {
                    std::vector<std::uint64_t>(of_part.n_rows.size(), 0), of_part.weight, of_part.counts, {}};
            first.push_back(sums.n_rows);
            for (std::size_t k = 0; k < of_part.n_rows.size(); ++k) {
                sums.n_rows[k] += of_part.n_rows[k];
                if (p > 0) sums.weight[k] += of_part.weight[k];
            }
            for (std::size_t k = 0; p > 0 && k < of_part.counts.size(); ++k)
                sums.counts[k] += of_part.counts[k];
        }
        growth.plan(tree, sums);
        std::vector<TakenRows> taken;
        std::vector<double> all_sums;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            for (std::size_t k = 0; k < tree.steps.size(); ++k) {
                const std::uint64_t step = std::max<std::uint64_t>(tree.steps[k], 1);
                first[p][k] = (step - first[p][k] % step) % step;
            }
            taken.push_back(take_rows(parts[p], tree, options.grow_of(0),
                                      {open[p].rows, open[p].weights, open[p].begin}, tree.steps, first[p]));
            all_sums.resize(taken[p].sums.size(), 0.0);
            for (std::size_t k = 0; k < all_sums.size(); ++k) all_sums[k] += taken[p].sums[k];
        }
        for (Subtree& subtree : growth.deepen(tree, taken, all_sums)) below.push_back(std::move(subtree));
        for (std::size_t p = 0; p < parts.size(); ++p)
            open[p] = route_rows(parts[p], tree, {open[p].rows, open[p].weights, open[p].begin});
    }
    std::vector<const Subtree*> pointers;
    for (const Subtree& subtree : below) pointers.push_back(&subtree);
    return growth.join(tree, pointers, gains);
}

void check_same(const MixtureTree& found, const MixtureTree& wanted) {
    CHECK(found.tree.nodes.size() == wanted.tree.nodes.size());
    CHECK(found.tree.sets == wanted.tree.sets);
    if (found.tree.nodes.size() != wanted.tree.nodes.size()) return;
    for (std::size_t i = 0; i < wanted.tree.nodes.size(); ++i) {
        const auto& a = found.tree.nodes[i];
        const auto& b = wanted.tree.nodes[i];
        CHECK(a.feature == b.feature && a.left == b.left && a.threshold == b.threshold && a.leaf == b.leaf);
        CHECK(a.mass == b.mass && a.count == b.count);
    }
    CHECK(found.leaves.log_scale == wanted.leaves.log_scale);
    CHECK(found.leaves.quantised == wanted.leaves.quantised);
}

}  // namespace

CASE("a tree by levels is the tree of one place, to the bit", {
    for (bool weighted : {false, true}) {
        for (LeafKind kind : {LeafKind::histogram, LeafKind::uniform}) {
            SmallTable table(500, 3, 2, 11);
            // Weights that are no small multiples of one of them: sums are merged in the place of rows.
            for (std::size_t i = 0; i < table.n_rows; ++i) table.weights[i] += i % 5 == 0 ? 0.25 : 0.0;
            const std::vector<double> observations(table.n_rows,
                                                   2.0);  // so that weights stay whole multiples
            BinnedRows data = table.data(weighted);
            data.observations = observations.data();
            const DensityForestOptions options = options_of(kind);
            const auto wanted = fit_density_forest(data, options, {});
            for (std::size_t most_rows : {0u, 30u, 1000u}) {
                const LevelGrowth growth(table.columns, options, most_rows);
                for (std::size_t n_parts : {1u, 3u, 499u}) {
                    std::vector<double> gains;
                    check_same(grow_by_levels(parts_of(data, n_parts), growth, options, gains),
                               wanted.trees[0]);
                    CHECK(gains == wanted.gains[0]);
                }
            }
        }
    }
});

CASE("options that need all rows of a node at once are refused", {
    const auto refuses = [](auto change) {
        DensityForestOptions options = options_of(LeafKind::histogram);
        change(options);
        try {
            boxwood::check_levels(options);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(!refuses([](DensityForestOptions&) {}));
    CHECK(refuses([](DensityForestOptions& o) { o.grow.criterion = CriterionKind::loo; }));
    CHECK(refuses([](DensityForestOptions& o) { o.grow.best_first = true; }));
    CHECK(refuses([](DensityForestOptions& o) { o.grow.scan_rows = 0; }));
    CHECK(refuses([](DensityForestOptions& o) { o.grow.min_samples_leaf = 3.0; }));
    CHECK(refuses([](DensityForestOptions& o) { o.grow.uniformity_level = 0.1; }));
    CHECK(refuses([](DensityForestOptions& o) { o.leaf.kind = LeafKind::gaussian; }));
});

CASE("what does not belong to a level is refused", {
    const SmallTable table(50, 2, 1, 3);
    const BinnedRows data = table.data();
    const LevelGrowth growth(table.columns, options_of(LeafKind::histogram), 10);
    LevelTree tree = LevelTree::root(table.columns, 0, 1.0);
    const auto is_refused = [](auto call) {
        try {
            call();
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(is_refused([&] { growth.plan(tree, {{1, 2}, {1.0, 2.0}, {}, {}}); }));
    const std::vector<std::uint32_t> rows = table.all_rows();
    const std::vector<std::uint64_t> begin = {0, 20, 50};
    CHECK(is_refused([&] { count_rows(data, tree, {rows, {}, begin}, 4); }));
    CHECK(is_refused([&] { route_rows(data, tree, {rows, {}, begin}); }));
    std::vector<double> gains;
    CHECK(is_refused([&] { growth.join(tree, {}, gains); }));  // its root is open
});

CHECK_MAIN()
