#include <cmath>

#include "base/random.hpp"
#include "binning/supervised_table.hpp"
#include "tests/check.hpp"
#include "tree/supervised/supervised_forest.hpp"

using namespace boxwood;

namespace {

struct Table {
    std::vector<std::uint8_t> codes[2];
    std::vector<std::uint32_t> classes;
    std::vector<double> weights;

    explicit Table(std::size_t n_rows) {
        Draws draws(7);
        for (std::size_t i = 0; i < n_rows; ++i) {
            for (auto& column : codes) column.push_back(static_cast<std::uint8_t>(draws.below(30)));
            classes.push_back(codes[0].back() + draws.below(12) > 30 ? 1u : 0u);
            weights.push_back(1.0 + static_cast<double>(draws.below(2)));
        }
    }
    std::vector<ColumnCodes> columns() const {
        return {{codes[0].data(), 1, 31, false, 0}, {codes[1].data(), 1, 31, true, 0}};
    }
    Targets targets() const { return {classes.data(), 2, nullptr, 1}; }
};

bool same(const SupervisedTree& a, const SupervisedTree& b) {
    bool good = a.tree.nodes.size() == b.tree.nodes.size() && a.leaves.response == b.leaves.response &&
                a.leaves.sets == b.leaves.sets && a.leaves.missing_left == b.leaves.missing_left;
    for (std::size_t i = 0; good && i < a.tree.nodes.size(); ++i) {
        good = a.tree.nodes[i].feature == b.tree.nodes[i].feature &&
               a.tree.nodes[i].threshold == b.tree.nodes[i].threshold;
    }
    return good;
}

}  // namespace

CASE("a tree depends on the seed and its number, not on the threads or the other trees", {
    const Table rows(200);
    const SupervisedTable table(rows.columns(), 200, rows.targets(), rows.weights.data());
    SupervisedForestOptions options;
    options.n_trees = 6;
    options.seed = 3;
    options.grow.max_features = 1;
    const auto all = fit_supervised_forest(table.data(), options, {});
    CHECK(!same(all[0], all[1]));
    options.n_threads = 3;
    options.first_tree = 2;
    options.n_trees = 4;
    const auto last = fit_supervised_forest(table.data(), options, {});
    for (std::size_t t = 0; t < 4; ++t) CHECK(same(last[t], all[t + 2]));
    options.seed = 4;
    CHECK(!same(fit_supervised_forest(table.data(), options, {})[0], last[0]));
});

CASE("without bootstrap a tree sees all rows", {
    const Table rows(100);
    const SupervisedTable table(rows.columns(), 100, rows.targets(), rows.weights.data());
    SupervisedForestOptions options;
    options.bootstrap = false;
    options.n_trees = 1;
    const auto trees = fit_supervised_forest(table.data(), options, {});
    CHECK(same(trees[0], grow_supervised_tree(table.data(), Impurity::gini, options.grow_of(0))));
    double total = 0.0;
    for (double w : rows.weights) total += w;
    CHECK(trees[0].tree.nodes[0].count == total);
});

CASE("the classes of a balanced sample weigh the same", {
    const Table rows(200);
    const SupervisedTable table(rows.columns(), 200, rows.targets(), rows.weights.data());
    SupervisedForestOptions options;
    options.balanced = true;
    options.n_trees = 5;
    for (const SupervisedTree& fitted : fit_supervised_forest(table.data(), options, {})) {
        const std::vector<double>& response = fitted.leaves.response;
        CHECK(std::abs(response[0] - response[1]) < 1e-9 * response[0]);
    }
});

CHECK_MAIN()
