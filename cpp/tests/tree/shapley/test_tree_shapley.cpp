#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/check.hpp"
#include "tree/shapley/tree_shapley.hpp"

using namespace boxwood;

namespace {

// x0 < 0 ? (x1 < 0 ? 1 : 2) : (x0 < 5 ? 4 : 8), with rows 1, 2, 3, 6 in the leaves.
struct Small {
    FittedTrees trees{{0, 1, 0, -1, -1, -1, -1},
                      {1, 3, 5, 0, 0, 0, 0},
                      {0, 0, 5, 0, 0, 0, 0},
                      {0, 1, 0, 0, 0, 0, 0},
                      {0},
                      {},
                      {-1, -1},
                      {},
                      {}};
    std::vector<double> counts{12, 3, 9, 1, 2, 3, 6};
    std::vector<double> responses{0, 0, 0, 1, 2, 4, 8};
};

std::vector<double> values_of(const TreeShapley& shapley, std::vector<double> row) {
    std::vector<double> out(shapley.n_columns() * shapley.n_outputs());
    shapley.values(row.data(), 1, out.data(), 1, {});
    return out;
}

// What the tree predicts where only some columns are known.
double worth(const Small& small, const double* row, unsigned known, std::uint32_t at = 0) {
    const FittedTrees& trees = small.trees;
    if (trees.feature[at] < 0) return small.responses[at];
    const std::uint32_t left = trees.left[at];
    if (((known >> trees.feature[at]) & 1u) != 0)
        return worth(small, row, known, left + (goes_left(trees, at, row) ? 0 : 1));
    const double a = small.counts[left], b = small.counts[left + 1];
    return (a * worth(small, row, known, left) + b * worth(small, row, known, left + 1)) / (a + b);
}

}  // namespace

CASE("two columns: the mean of the two orders", {
    const Small small;
    const TreeShapley shapley(small.trees, small.counts, small.responses, 1);
    CHECK(std::abs(shapley.expected()[0] - worth(small, nullptr, 0)) < 1e-14);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double x0 : {-1.0, 1.0, 6.0, nan}) {
        for (const double x1 : {-1.0, 1.0, nan}) {
            const std::vector<double> row{x0, x1};
            const double none = worth(small, row.data(), 0), first = worth(small, row.data(), 1);
            const double second = worth(small, row.data(), 2), both = worth(small, row.data(), 3);
            const std::vector<double> values = values_of(shapley, row);
            CHECK(std::abs(values[0] - 0.5 * (first - none + both - second)) < 1e-14);
            CHECK(std::abs(values[1] - 0.5 * (second - none + both - first)) < 1e-14);
        }
    }
});

CASE("a chain of a thousand nodes", {
    FittedTrees trees;
    std::vector<double> counts, responses;
    const std::uint32_t depth = 1000;
    for (std::uint32_t i = 0; i < depth; ++i) {  // x0 < −i goes on, else it ends there
        for (const bool inner : {true, false}) {
            if (i == 0 && !inner) continue;
            trees.feature.push_back(inner ? 0 : -1);
            trees.left.push_back(inner ? 2 * i + 1 : 0);
            trees.threshold.push_back(inner ? -static_cast<double>(i) : 0.0);
            trees.missing_left.push_back(0);
            counts.push_back(inner ? static_cast<double>(depth - i + 1) : 1.0);
            responses.push_back(static_cast<double>(i));
        }
    }
    for (int k = 0; k < 2; ++k) {
        trees.feature.push_back(-1);
        trees.left.push_back(0);
        trees.threshold.push_back(0.0);
        trees.missing_left.push_back(0);
        counts.push_back(1.0);
        responses.push_back(static_cast<double>(depth));
    }
    trees.roots = {0};
    trees.n_categories = {-1};
    const TreeShapley shapley(trees, counts, responses, 1);
    const double expected = shapley.expected()[0];
    CHECK(std::abs(values_of(shapley, {1.0})[0] + expected - 1.0) < 1e-9);
    CHECK(std::abs(values_of(shapley, {-1e6})[0] + expected - depth) < 1e-9);
});

CASE("what is no tree of rows is refused", {
    const auto refused = [](const Small& small) {
        try {
            const TreeShapley shapley(small.trees, small.counts, small.responses, 1);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(!refused(Small{}));
    Small small;
    small.counts[3] = 0.0;
    CHECK(refused(small));
    small = {};
    small.responses.pop_back();
    CHECK(refused(small));
    small = {};
    small.trees.left[0] = 0;
    CHECK(refused(small));
    small = {};
    small.trees.directions = {{{0, 1.0F}}};
    small.trees.fill = {0.0, 0.0};
    CHECK(refused(small));
});

CHECK_MAIN()
