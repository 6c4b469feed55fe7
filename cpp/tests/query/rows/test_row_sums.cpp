#include <limits>

#include "query/rows/row_conditionals.hpp"
#include "query/rows/row_sums.hpp"
#include "tests/check.hpp"
#include "tests/query/random_mixture.hpp"

using namespace boxwood;

namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> random_points(std::size_t n, std::uint64_t seed) {
    Draws draws(seed);
    std::vector<double> points(4 * n);
    for (double& point : points) point = draws.uniform() < 0.05 ? nan : draws.uniform();
    return points;
}

// The density of a leaf's piece at a point; 1 where it is not known.
double slow_density(const ColumnLeaves& column, std::size_t leaf, double point) {
    return std::isnan(point) ? 1.0 : density_in_bin(column, leaf, column.bin_edges->bin_of(point));
}

double slow_log_density(const LeafTable& leaves, const double* point, std::size_t free) {
    double joint = 0.0;
    double rest = 0.0;
    for (std::size_t leaf = 0; leaf < leaves.n_leaves(); ++leaf) {
        double without = leaves.mass()[leaf];
        for (std::size_t j = 0; j < 4; ++j)
            without *= j == free ? 1.0 : slow_density(leaves.column(j), leaf, point[j]);
        rest += without;
        joint += without * slow_density(leaves.column(free), leaf, point[free]);
    }
    return std::log(joint) - std::log(rest);
}

// The mass of each entry given the columns 0 and 1 of a row, and what it has in column 3 where no value
// follows.
std::vector<double> slow_masses(const LeafTable& leaves, const RuleEvent& rule, const double* point) {
    const RuleComponent& component = rule.component();
    std::vector<double> sums(3, 0.0);
    for (std::size_t leaf = 0; leaf < leaves.n_leaves(); ++leaf) {
        double weight = leaves.mass()[leaf];
        for (std::size_t j = 0; j < 2; ++j) weight *= slow_density(leaves.column(j), leaf, point[j]);
        for (std::size_t e = 0; e < 3; ++e) {
            const double root =
                e == 2 ? slow_probability(leaves.column(2), leaf, rule.others())
                       : component.width[e] * slow_density(leaves.column(2), leaf, component.point[e]);
            sums[e] += weight * root * slow_density(leaves.column(3), leaf, e == 0 ? 0.3 : point[3]);
        }
    }
    return sums;
}

}  // namespace

CASE("many rows together, few rows and leaf by leaf: the same conditionals", {
    for (const bool histograms : {true, false}) {
        const Mixture mixture = random_mixture(21, histograms, 150);
        const LeafTable leaves(mixture, 1, {});
        const RowConditionals rows(leaves);
        const std::size_t n = 100;
        const auto points = random_points(n, 22);
        std::vector<double> fast(4 * n);
        std::vector<double> search(4 * n);
        rows.log_density({points.data(), n, 1}, {}, fast.data(), {});
        rows.log_density_by_search({points.data(), n, 1}, search.data(), {});
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < 4; ++j) {
                if (std::isnan(points[4 * i + j])) {
                    CHECK(std::isnan(fast[4 * i + j]) && std::isnan(search[4 * i + j]));
                    continue;
                }
                CHECK(is_close(fast[4 * i + j], slow_log_density(leaves, points.data() + 4 * i, j)));
                CHECK(is_close(search[4 * i + j], fast[4 * i + j]));
            }
        }
    }
});

CASE("masses of a rule's entries, and the columns beside it as without rules", {
    const Mixture mixture = random_mixture(23, true, 150);
    const LeafTable leaves(mixture, 1, {});
    const RowConditionals rows(leaves);
    const RulePointer rule = small_rule(mixture.columns());
    const std::size_t n = 90;
    const auto points = random_points(n, 24);
    std::vector<double> logs(4 * n);
    std::vector<double> plain(4 * n);
    std::vector<double> fast(3 * n);
    std::vector<double> search(3 * n);
    rows.log_density({points.data(), n, 1}, {points.data(), {rule}, {fast.data()}}, logs.data(), {});
    rows.log_density({points.data(), n, 1}, {}, plain.data(), {});
    rows.rule_masses({points.data(), n, 1}, points.data(), *rule, search.data(), {});
    for (std::size_t i = 0; i < n; ++i) {
        const auto expected = slow_masses(leaves, *rule, points.data() + 4 * i);
        // On a scale of each row's own.
        double total = 0.0;
        double of_fast = 0.0;
        double of_search = 0.0;
        for (std::size_t e = 0; e < 3; ++e) {
            total += expected[e];
            of_fast += fast[3 * i + e];
            of_search += search[3 * i + e];
        }
        for (std::size_t e = 0; e < 3; ++e) {
            CHECK(is_close(fast[3 * i + e] / of_fast, expected[e] / total));
            CHECK(is_close(search[3 * i + e] / of_search, expected[e] / total));
        }
        for (std::size_t j = 0; j < 4; ++j)
            CHECK(std::isnan(plain[4 * i + j]) || is_close(logs[4 * i + j], plain[4 * i + j]));
    }
});

CASE("rows do not depend on threads", {
    const Mixture mixture = random_mixture(25, true);
    const LeafTable leaves(mixture, 1, {});
    const RowConditionals rows(leaves);
    const std::size_t n = 3000;
    const auto points = random_points(n, 26);
    std::vector<double> one(4 * n);
    std::vector<double> many(4 * n);
    rows.log_density({points.data(), n, 1}, {}, one.data(), {});
    rows.log_density({points.data(), n, 3}, {}, many.data(), {});
    for (std::size_t i = 0; i < one.size(); ++i)
        CHECK(one[i] == many[i] || (std::isnan(one[i]) && std::isnan(many[i])));
});

CASE("a layout knows which leaves hold a bin, and their bytes", {
    const Mixture mixture = random_mixture(27, true);
    const LeafTable leaves(mixture, 1, {});
    CHECK(TreeLayout::fits(leaves));
    const TreeLayout layout(leaves, 1);
    const BytePlaces places(leaves);
    const std::size_t first = leaves.first_leaf()[1];
    for (std::size_t leaf = first; leaf < leaves.first_leaf()[2]; ++leaf) {
        const std::size_t i = leaf - first;
        for (std::size_t j = 0; j < 4; ++j) {
            const ColumnLeaves& column = leaves.column(j);
            for (std::uint32_t bin = 0; bin < column.n_bins(); ++bin) {
                const bool held = ((layout.holders(j, bin)[i / 64] >> (i % 64)) & 1u) != 0;
                CHECK(held == column.holds(leaf, bin));
                if (!held) continue;
                const auto byte =
                    static_cast<std::size_t>(places.is_wide(j) ? layout.wide_byte(i, j, bin)
                                                               : layout.byte_at(i, places.place_of(j, bin)));
                CHECK(quantised_weights()[byte] == column.weight_of(leaf, bin));
            }
        }
    }
});

CHECK_MAIN()
