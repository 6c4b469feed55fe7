#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"
#include "binning/supervised_table.hpp"
#include "tests/check.hpp"
#include "tree/supervised/levels/decision_level_growth.hpp"

using boxwood::ColumnCodes;
using boxwood::DecisionLevelGrowth;
using boxwood::DecisionLevelTree;
using boxwood::DecisionSubtree;
using boxwood::Draws;
using boxwood::Impurity;
using boxwood::LevelCounts;
using boxwood::OpenRows;
using boxwood::RecordLayout;
using boxwood::SupervisedData;
using boxwood::SupervisedForestOptions;
using boxwood::SupervisedTable;
using boxwood::SupervisedTree;
using boxwood::TakenRows;
using boxwood::Targets;

namespace {

// Two columns of numbers, some of them missing, one of categories and one that is always the same.
struct Codes {
    static constexpr std::size_t n_rows = 400;
    std::vector<std::vector<std::uint8_t>> codes;
    std::vector<std::uint32_t> classes;
    std::size_t n_classes;

    explicit Codes(std::size_t of_classes)
        : codes(4, std::vector<std::uint8_t>(n_rows)), n_classes(of_classes) {
        Draws draws(7);
        for (std::size_t i = 0; i < n_rows; ++i) {
            for (std::size_t j = 0; j < 3; ++j)
                codes[j][i] = static_cast<std::uint8_t>(draws.below(j == 2 ? 6 : 21));
            codes[3][i] = 0;
            const std::size_t signal = codes[0][i] / 7 + (codes[2][i] == 2 ? 1 : 0) + draws.below(2);
            classes.push_back(static_cast<std::uint32_t>(signal % n_classes));
        }
    }

    std::vector<ColumnCodes> columns(std::size_t first = 0) const {
        return {{codes[0].data() + first, 1, 21, false, 0},
                {codes[1].data() + first, 1, 21, false, 0},
                {codes[2].data() + first, 1, 7, true, 0},
                {codes[3].data() + first, 1, 2, false, 0}};
    }
};

SupervisedForestOptions options_of(Impurity impurity) {
    SupervisedForestOptions options;
    options.n_trees = 2;
    options.impurity = impurity;
    options.grow.max_features = 2;
    return options;
}

// Rows of a table in parts, one after another.
std::vector<SupervisedData> parts_of(const SupervisedData& all, std::size_t n_parts) {
    std::vector<SupervisedData> parts;
    for (std::size_t k = 0; k < n_parts; ++k) {
        const std::size_t first = all.n_rows * k / n_parts;
        SupervisedData part = all;
        part.n_rows = all.n_rows * (k + 1) / n_parts - first;
        part.records += first * all.stride;
        part.keys += first;
        part.weights += first;
        part.targets.classes += first;
        parts.push_back(part);
    }
    return parts;
}

// The sums of a level over all parts, and each part's rows.
LevelCounts summed(const std::vector<SupervisedData>& parts, const DecisionLevelTree& tree,
                   const std::vector<OpenRows>& open) {
    LevelCounts sums;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const LevelCounts own = count_rows(parts[p], tree, {open[p].rows, open[p].weights, open[p].begin});
        if (p == 0) {
            sums = own;
            continue;
        }
        for (std::size_t k = 0; k < own.n_rows.size(); ++k) sums.n_rows[k] += own.n_rows[k];
        for (std::size_t k = 0; k < own.weight.size(); ++k) sums.weight[k] += own.weight[k];
        for (std::size_t k = 0; k < own.counts.size(); ++k) sums.counts[k] += own.counts[k];
        for (std::size_t k = 0; k < own.most.size(); ++k) sums.most[k] = std::max(sums.most[k], own.most[k]);
    }
    return sums;
}

SupervisedTree grow_by_levels(const std::vector<SupervisedData>& parts, const DecisionLevelGrowth& growth,
                              const SupervisedForestOptions& options, std::size_t number) {
    std::vector<OpenRows> open;
    for (const SupervisedData& part : parts)
        open.push_back(sample_part(rows_to_sample(part), options, number));
    DecisionLevelTree tree = growth.root(number, 1.0);
    std::vector<DecisionSubtree> below;
    while (!tree.open.empty()) {
        growth.plan(tree, summed(parts, tree, open));
        const std::vector<std::uint64_t> first(tree.steps.size(), 0);
        std::vector<TakenRows> taken;
        std::vector<double> sums;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            taken.push_back(take_rows(parts[p], {open[p].rows, open[p].weights, open[p].begin}, tree.steps,
                                      first, tree.tried));
            sums.resize(taken[p].sums.size(), 0.0);
            for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += taken[p].sums[k];
        }
        for (DecisionSubtree& subtree : growth.deepen(tree, taken, sums)) below.push_back(std::move(subtree));
        for (std::size_t p = 0; p < parts.size(); ++p)
            open[p] = route_rows(parts[p], tree, {open[p].rows, open[p].weights, open[p].begin});
    }
    std::vector<const DecisionSubtree*> pointers;
    for (const DecisionSubtree& subtree : below) pointers.push_back(&subtree);
    return growth.join(tree, pointers);
}

void check_same(const SupervisedTree& found, const SupervisedTree& wanted) {
    CHECK(found.tree.nodes.size() == wanted.tree.nodes.size());
    if (found.tree.nodes.size() != wanted.tree.nodes.size()) return;
    for (std::size_t i = 0; i < wanted.tree.nodes.size(); ++i) {
        const auto& a = found.tree.nodes[i];
        const auto& b = wanted.tree.nodes[i];
        CHECK(a.feature == b.feature && a.left == b.left && a.threshold == b.threshold && a.leaf == b.leaf);
        CHECK(a.count == b.count);
    }
    CHECK(found.leaves.response == wanted.leaves.response);
    CHECK(found.leaves.impurity == wanted.leaves.impurity);
    CHECK(found.leaves.missing_left == wanted.leaves.missing_left);
    CHECK(found.leaves.sets == wanted.leaves.sets);
}

}  // namespace

CASE("a decision tree by levels is the tree of one place, to the bit", {
    for (std::size_t n_classes : {2u, 3u}) {
        const Codes codes(n_classes);
        const std::vector<ColumnCodes> columns = codes.columns();
        const SupervisedTable table(columns, Codes::n_rows,
                                    Targets{codes.classes.data(), n_classes, nullptr, 1}, nullptr);
        for (Impurity impurity : {Impurity::gini, Impurity::entropy}) {
            if (impurity == Impurity::entropy && n_classes > 2) continue;
            const SupervisedForestOptions options = options_of(impurity);
            const auto wanted = fit_supervised_forest(table.data(), options, {});
            for (std::size_t most_rows : {0u, 40u, 1000u}) {
                const DecisionLevelGrowth growth(lay_out_records(columns), n_classes, options, most_rows);
                for (std::size_t n_parts : {1u, 3u, 50u}) {
                    for (std::size_t t = 0; t < wanted.size(); ++t)
                        check_same(grow_by_levels(parts_of(table.data(), n_parts), growth, options, t),
                                   wanted[t]);
                }
            }
        }
    }
});

CASE("what needs all rows of a node is refused", {
    const auto is_refused = [](const SupervisedForestOptions& options, std::size_t n_classes) {
        try {
            check_levels(options, n_classes);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(!is_refused(options_of(Impurity::gini), 3));
    CHECK(!is_refused(options_of(Impurity::entropy), 2));
    CHECK(is_refused(options_of(Impurity::entropy), 3));
    CHECK(is_refused(options_of(Impurity::variance), 0));
    SupervisedForestOptions balanced = options_of(Impurity::gini);
    balanced.balanced = true;
    CHECK(is_refused(balanced, 2));
});

CHECK_MAIN()
