#include <cmath>

#include "base/random.hpp"
#include "binning/supervised_table.hpp"
#include "tests/check.hpp"
#include "tree/category_sets.hpp"
#include "tree/supervised/supervised_tree.hpp"

using namespace boxwood;

namespace {

struct Table {
    std::size_t n_rows = 0;
    std::size_t n_classes = 0;  // 0: values
    std::vector<std::vector<std::uint16_t>> columns;
    std::vector<std::uint32_t> n_bins;
    std::vector<std::uint32_t> classes;
    std::vector<double> values;
    std::vector<double> weights;
};

// The last column has categories; the last bin of each is that of missing values.
Table random_table(std::size_t n_rows, std::size_t n_columns, std::uint32_t n_bins, std::size_t n_classes,
                   std::uint64_t seed) {
    Table table;
    table.n_rows = n_rows;
    table.n_classes = n_classes;
    Draws draws(seed);
    for (std::size_t j = 0; j < n_columns; ++j) {
        table.n_bins.push_back(n_bins);
        table.columns.emplace_back();
        for (std::size_t i = 0; i < n_rows; ++i)
            table.columns.back().push_back(static_cast<std::uint16_t>(draws.below(n_bins)));
    }
    for (std::size_t i = 0; i < n_rows; ++i) {
        table.classes.push_back(static_cast<std::uint32_t>(draws.below(std::max<std::size_t>(1, n_classes))));
        table.values.push_back(static_cast<double>(draws.below(9)));
        table.weights.push_back(1.0 + static_cast<double>(draws.below(3)) / 2.0);
    }
    return table;
}

SupervisedTree grow(const Table& table, Impurity impurity, const GrowOptions& options = {}) {
    std::vector<ColumnCodes> columns;
    for (std::size_t j = 0; j < table.columns.size(); ++j)
        columns.push_back({table.columns[j].data(), 2, table.n_bins[j], j + 1 == table.columns.size(), 0});
    Targets targets{table.classes.data(), table.n_classes, nullptr, 1};
    if (table.n_classes == 0) targets = {nullptr, 0, table.values.data(), 1};
    const SupervisedTable made(columns, table.n_rows, targets, table.weights.data());
    return grow_supervised_tree(made.data(), impurity, options);
}

// What the split of a node gains, by the impurities of its children.
double gain_of(const SupervisedTree& tree, std::size_t i) {
    const std::size_t left = tree.tree.nodes[i].left;
    return tree.leaves.impurity[i] - tree.leaves.impurity[left] - tree.leaves.impurity[left + 1];
}

double impurity_of(const Table& table, Impurity kind, const std::vector<char>& inside) {
    double total = 0.0;
    double sum = 0.0;
    std::vector<double> counts(table.n_classes, 0.0);
    for (std::size_t i = 0; i < table.n_rows; ++i) {
        if (!inside[i]) continue;
        total += table.weights[i];
        sum += table.weights[i] * table.values[i];
        if (table.n_classes > 0) counts[table.classes[i]] += table.weights[i];
    }
    double impurity = kind == Impurity::gini ? total : 0.0;
    for (double c : counts) {
        if (kind == Impurity::gini) impurity -= total > 0.0 ? c * c / total : 0.0;
        if (kind == Impurity::entropy && c > 0.0) impurity -= c * std::log(c / total);
    }
    for (std::size_t i = 0; kind == Impurity::variance && i < table.n_rows; ++i) {
        if (inside[i]) impurity += table.weights[i] * std::pow(table.values[i] - sum / total, 2);
    }
    return impurity;
}

// The largest gain of any split of the rows inside: every split with missing values on both sides, every set.
double best_gain(const Table& table, Impurity kind, const std::vector<char>& inside) {
    const double whole = impurity_of(table, kind, inside);
    double best = -1.0;
    const auto consider = [&](const auto& goes_left) {
        std::vector<char> left(table.n_rows, 0);
        std::vector<char> right(table.n_rows, 0);
        std::size_t n_left = 0;
        std::size_t n_right = 0;
        for (std::size_t i = 0; i < table.n_rows; ++i) {
            if (!inside[i]) continue;
            (goes_left(i) ? left : right)[i] = 1;
            ++(goes_left(i) ? n_left : n_right);
        }
        if (n_left == 0 || n_right == 0) return;
        best = std::max(best, whole - impurity_of(table, kind, left) - impurity_of(table, kind, right));
    };
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
        const std::vector<std::uint16_t>& codes = table.columns[j];
        const std::uint32_t missing = table.n_bins[j] - 1;
        if (j + 1 == table.columns.size()) {
            for (std::uint32_t set = 0; set < (1u << table.n_bins[j]); ++set)
                consider([&](std::size_t i) { return ((set >> codes[i]) & 1u) != 0; });
            continue;
        }
        for (std::uint32_t threshold = 1; threshold <= missing; ++threshold) {
            for (bool missing_left : {false, true})
                consider(
                    [&](std::size_t i) { return codes[i] == missing ? missing_left : codes[i] < threshold; });
        }
    }
    return best;
}

void test_splits_gain_most(const Table& table, Impurity kind, bool all_sets) {
    const SupervisedTree tree = grow(table, kind);
    std::vector<std::vector<char>> inside(tree.tree.nodes.size(), std::vector<char>(table.n_rows, 0));
    inside[0].assign(table.n_rows, 1);
    for (std::size_t i = 0; i < tree.tree.nodes.size(); ++i) {
        const double own = impurity_of(table, kind, inside[i]);
        CHECK(std::abs(tree.leaves.impurity[i] - own) < 1e-9);
        const double best = best_gain(table, kind, inside[i]);
        if (tree.tree.nodes[i].feature < 0) {
            CHECK(own < 1e-9 || best < 0.0);
            continue;
        }
        // The order of categories finds the best of all sets for two classes and for values only.
        if (all_sets) CHECK(std::abs(gain_of(tree, i) - best) < 1e-9);
        CHECK(gain_of(tree, i) <= best + 1e-9);
        const auto j = static_cast<std::size_t>(tree.tree.nodes[i].feature);
        double left_weight = 0.0;
        for (std::size_t row = 0; row < table.n_rows; ++row) {
            if (!inside[i][row]) continue;
            const std::uint32_t code = table.columns[j][row];
            bool left = code < tree.tree.nodes[i].threshold;
            if (code == table.n_bins[j] - 1) left = tree.leaves.missing_left[i] != 0;
            if (j + 1 == table.columns.size())
                left = in_category_set(tree.leaves.sets.data() + tree.tree.nodes[i].threshold, code);
            inside[tree.tree.nodes[i].left + (left ? 0 : 1)][row] = 1;
            left_weight += left ? table.weights[row] : 0.0;
        }
        CHECK(std::abs(tree.tree.nodes[tree.tree.nodes[i].left].count - left_weight) < 1e-9);
    }
}

void test_all_kinds() {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const std::size_t n_rows = 5 + 6 * seed;
        for (Impurity kind : {Impurity::gini, Impurity::entropy}) {
            test_splits_gain_most(random_table(n_rows, 3, 5, 2, seed), kind, true);
            test_splits_gain_most(random_table(n_rows, 3, 5, 4, seed), kind, false);
            test_splits_gain_most(random_table(n_rows, 2, 6, 30, seed), kind, false);
        }
        test_splits_gain_most(random_table(n_rows, 3, 5, 0, seed), Impurity::variance, true);
    }
}

// Few rows are ranked, many fill most bins, and some in between mark theirs.
void test_any_number_of_rows_and_bins() {
    for (std::size_t n_rows : {63u, 64u, 65u, 130u}) {
        for (std::uint32_t n_bins : {20u, 400u}) {
            for (std::size_t n_classes : {0u, 2u, 3u}) {
                Table table = random_table(n_rows, 3, n_bins, n_classes, n_rows + n_bins);
                table.n_bins.back() = 3;  // all sets of categories are tried
                for (std::uint16_t& code : table.columns.back()) code %= 3;
                test_splits_gain_most(table, n_classes == 0 ? Impurity::variance : Impurity::gini,
                                      n_classes != 3);
            }
        }
    }
}

// Depth first the rows of deep nodes are read from copies, best first from the table itself.
void test_order_of_growth_does_not_matter() {
    const Table table = random_table(40000, 4, 200, 2, 3);
    GrowOptions options;
    options.max_features = 2;
    options.min_samples_leaf = 0.0;
    const SupervisedTree depth_first = grow(table, Impurity::gini, options);
    options.best_first = true;
    const SupervisedTree best_first = grow(table, Impurity::gini, options);
    CHECK(depth_first.tree.nodes.size() == best_first.tree.nodes.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes = {{0, 0}};
    while (!nodes.empty()) {
        const TreeNode& a = depth_first.tree.nodes[nodes.back().first];
        const TreeNode& b = best_first.tree.nodes[nodes.back().second];
        nodes.pop_back();
        CHECK(a.feature == b.feature && a.count == b.count);
        CHECK(a.threshold == b.threshold || a.feature == 3);
        if (a.is_leaf()) continue;
        for (std::uint32_t side : {0u, 1u}) nodes.emplace_back(a.left + side, b.left + side);
    }
}

// Of several values variances add up: every split is the best by their sum.
void test_several_values() {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Table first = random_table(30 + 40 * seed, 3, 7, 0, seed);
        const Table second = random_table(first.n_rows, 3, 7, 0, seed + 100);
        std::vector<double> values;
        for (std::size_t i = 0; i < first.n_rows; ++i) {
            values.push_back(first.values[i]);
            values.push_back(second.values[i]);
        }
        std::vector<ColumnCodes> columns;
        for (std::size_t j = 0; j < 3; ++j) columns.push_back({first.columns[j].data(), 2, 7, j == 2, 0});
        const SupervisedTable made(columns, first.n_rows, {nullptr, 0, values.data(), 2},
                                   first.weights.data());
        const SupervisedTree tree = grow_supervised_tree(made.data(), Impurity::variance, {});
        CHECK(tree.leaves.response.size() == 2 * tree.tree.nodes.size());
        std::vector<char> all(first.n_rows, 1);
        Table other = first;
        other.values = second.values;
        const double whole =
            impurity_of(first, Impurity::variance, all) + impurity_of(other, Impurity::variance, all);
        CHECK(std::abs(tree.leaves.impurity[0] - whole) < 1e-9);
        double best = -1.0;  // of all splits of numbers; sets of categories are ordered by one value only
        for (std::size_t j = 0; j < 2; ++j) {
            for (std::uint32_t threshold = 1; threshold <= 6; ++threshold) {
                for (bool missing_left : {false, true}) {
                    std::vector<char> halves[2] = {all, all};
                    for (std::size_t i = 0; i < first.n_rows; ++i) {
                        const std::uint32_t code = first.columns[j][i];
                        halves[(code == 6 ? missing_left : code < threshold) ? 1 : 0][i] = 0;
                    }
                    double rest = 0.0;
                    for (const std::vector<char>& half : halves)
                        rest += impurity_of(first, Impurity::variance, half) +
                                impurity_of(other, Impurity::variance, half);
                    if (std::isfinite(rest)) best = std::max(best, whole - rest);
                }
            }
        }
        CHECK(gain_of(tree, 0) >= best - 1e-9);
        CHECK(tree.tree.nodes[0].feature == 2 || std::abs(gain_of(tree, 0) - best) < 1e-9);
    }
}

void test_codes_of_any_width_give_the_same_tree() {
    const Table table = random_table(300, 3, 40, 2, 5);
    const Targets targets{table.classes.data(), 2, nullptr, 1};
    std::vector<SupervisedTree> trees;
    for (std::uint32_t width : {1u, 2u, 4u}) {
        std::vector<std::vector<unsigned char>> bytes;
        std::vector<ColumnCodes> columns;
        for (std::size_t j = 0; j < 3; ++j) {
            bytes.emplace_back();
            for (std::uint32_t code : table.columns[j]) {
                for (std::uint32_t b = 0; b < width; ++b) bytes.back().push_back((code >> (8 * b)) & 0xffu);
            }
        }
        for (std::size_t j = 0; j < 3; ++j) columns.push_back({bytes[j].data(), width, 40, j == 2, 0});
        const SupervisedTable made(columns, table.n_rows, targets, nullptr);
        trees.push_back(grow_supervised_tree(made.data(), Impurity::gini, {}));
    }
    for (const SupervisedTree& tree : trees) {
        CHECK(tree.tree.nodes.size() == trees[0].tree.nodes.size());
        for (std::size_t i = 0; i < tree.tree.nodes.size(); ++i)
            CHECK(tree.tree.nodes[i].count == trees[0].tree.nodes[i].count);
    }
}

void test_monotone_columns() {
    Table table = random_table(400, 2, 30, 0, 9);
    for (std::size_t i = 0; i < table.n_rows; ++i) table.values[i] += table.columns[0][i];
    std::vector<ColumnCodes> columns;
    for (std::size_t j = 0; j < 2; ++j)
        columns.push_back({table.columns[j].data(), 2, 30, false, j == 0 ? 1 : 0});
    const SupervisedTable made(columns, table.n_rows, {nullptr, 0, table.values.data(), 1}, nullptr);
    const SupervisedTree tree = grow_supervised_tree(made.data(), Impurity::variance, {});
    CHECK(tree.tree.nodes.size() > 20);
    for (std::uint32_t other = 0; other < 29; ++other) {
        double before = -1e9;
        for (std::uint32_t code = 0; code < 29; ++code) {
            std::size_t at = 0;
            while (!tree.tree.nodes[at].is_leaf()) {
                const TreeNode& node = tree.tree.nodes[at];
                at = node.left + ((node.feature == 0 ? code : other) < node.threshold ? 0 : 1);
            }
            CHECK(tree.leaves.response[at] >= before);
            before = tree.leaves.response[at];
        }
    }
}

}  // namespace

CASE("every split gains as much as the best of all that there are", { test_all_kinds(); });

CASE("and so it is for any number of rows and bins", { test_any_number_of_rows_and_bins(); });

CASE("the order of growth does not matter", { test_order_of_growth_does_not_matter(); });

CASE("of several values variances add up", { test_several_values(); });

CASE("codes of any width give the same tree", { test_codes_of_any_width_give_the_same_tree(); });

CASE("what a monotone column predicts does not fall", { test_monotone_columns(); });

CHECK_MAIN()
