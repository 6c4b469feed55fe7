#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"
#include "boosting/ratio_trees.hpp"
#include "tests/check.hpp"

using boxwood::check_ratio_trees;
using boxwood::Draws;
using boxwood::grow_ratio_trees;
using boxwood::RatioOptions;
using boxwood::RatioRows;
using boxwood::RatioTrees;

namespace {

// One cut of the second of two columns, whose left side is cut along the first.
RatioTrees by_hand() {
    RatioTrees trees{2, {}, {0}, {}};
    trees.nodes = {{0.5, 0.0, 0.25f, 1, 1},
                   {0.3, 0.0, 0.5f, 3, 0},
                   {0.0, -1.0, 0.0f, 0, -1},
                   {0.0, 2.0, 0.0f, 0, -1},
                   {0.0, 4.0, 0.0f, 0, -1}};
    return trees;
}

bool is_refused(const RatioTrees& trees) {
    try {
        check_ratio_trees(trees);
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

// Rows of two densities in four bins of each of two columns: real ones lie twice as often in the first.
struct TwoDensities {
    std::vector<std::uint8_t> codes, is_real;
    std::vector<double> weights;

    TwoDensities(std::size_t n, std::uint64_t seed) {
        Draws draws(seed);
        for (std::size_t i = 0; i < n; ++i) {
            const bool real = i % 2 == 0;
            const double u = draws.uniform();
            const double place = real ? (u < 0.5 ? 0.5 * u : 0.25 + 1.5 * (u - 0.5)) : u;
            codes.push_back(static_cast<std::uint8_t>(4.0 * place));
            codes.push_back(static_cast<std::uint8_t>(4.0 * draws.uniform()));
            is_real.push_back(real ? 1 : 0);
            weights.push_back(1.0);
        }
    }

    RatioRows rows() const { return {codes, is_real, weights}; }
};

const std::vector<std::vector<double>> quarters{{0.25, 0.5, 0.75}, {0.25, 0.5, 0.75}};

}  // namespace

CASE("points side by side have the values of single ones, and unknown coordinates the mean", {
    RatioTrees trees = by_hand();
    check_ratio_trees(trees);
    trees.finish();
    CHECK(trees.depths == std::vector<std::uint32_t>{2});
    Draws draws(3);
    const std::size_t n = 21;
    std::vector<double> points(2 * n), sums(n, 0.0);
    for (double& point : points) point = draws.uniform();
    points[4] = std::numeric_limits<double>::quiet_NaN();
    points[5] = 0.1;
    trees.add_to(points.data(), n, sums.data());
    CHECK(sums[2] == 0.5 * 2.0 + 0.5 * 4.0);
    for (std::size_t i = 0; i < n; ++i) {
        if (i == 2) continue;
        const double expected = points[2 * i + 1] >= 0.5 ? -1.0 : points[2 * i] < 0.3 ? 2.0 : 4.0;
        CHECK(sums[i] == expected);
    }
});

CASE("trees that could not be walked are refused", {
    CHECK(!is_refused(by_hand()));
    RatioTrees trees = by_hand();
    trees.nodes[1].left = 1;
    CHECK(is_refused(trees));
    trees = by_hand();
    trees.nodes[0].column = 2;
    CHECK(is_refused(trees));
    trees = by_hand();
    trees.nodes[1].left = 4;
    CHECK(is_refused(trees));
    trees = by_hand();
    trees.roots[0] = 5;
    CHECK(is_refused(trees));
});

CASE("the sum of trees is the logarithm of the ratio", {
    const TwoDensities train(8000, 1), held(4000, 2);
    const RatioTrees trees = grow_ratio_trees(quarters, train.rows(), held.rows(), RatioOptions{});
    const double points[] = {0.1, 0.6, 0.9, 0.6};
    double sums[2] = {0.0, 0.0};
    trees.add_to(points, 2, sums);
    CHECK(std::abs(sums[0] - std::log(2.0)) < 0.15);
    CHECK(std::abs(sums[1] - std::log(2.0 / 3.0)) < 0.15);
});

// Of a real row and the other one two bins on, the real one is in the upper bin three times in four.
CASE("pairs tell how much likelier one of two rows is, beyond what is known", {
    std::vector<std::uint8_t> codes, is_real;
    Draws draws(4);
    for (std::size_t i = 0; i < 8000; ++i) {
        const bool upper = draws.uniform() < 0.75;
        for (const std::uint8_t code : {upper ? 3 : 1, upper ? 1 : 3}) {
            codes.push_back(code);
            codes.push_back(0);
        }
        is_real.push_back(1);
        is_real.push_back(0);
    }
    const std::vector<double> weights(is_real.size(), 1.0);
    for (const double known : {0.0, 0.5}) {
        std::vector<double> bases;
        for (std::size_t i = 0; i < 8000; ++i) bases.push_back(codes[4 * i] == 3 ? known : -known);
        const RatioRows rows{codes, is_real, weights, bases};
        const RatioTrees trees = grow_ratio_trees(quarters, rows, rows, RatioOptions{});
        const double points[] = {0.9, 0.1, 0.4, 0.1};
        double sums[2] = {0.0, 0.0};
        trees.add_to(points, 2, sums);
        CHECK(std::abs(sums[0] - sums[1] + known - std::log(3.0)) < 0.1);
    }
});

CHECK_MAIN()
