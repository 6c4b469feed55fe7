#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "histogram/fill.hpp"
#include "tests/check.hpp"

using boxwood::Bins;
using boxwood::Strided;

namespace {

std::vector<double> normal_values(std::size_t n) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::vector<double> values(n);
    for (double& value : values) value = normal(random);
    return values;
}

std::vector<std::int64_t> reference_counts(const Bins& bins, const std::vector<double>& values) {
    std::vector<std::int64_t> counts(bins.size() + 1);
    for (double x : values) {
        std::size_t bin = bins.size();
        for (std::size_t m = 0; m < bins.size(); ++m) {
            const bool last = m + 1 == bins.size() && x == bins.edges().back();
            if (x >= bins.edges()[m] && (x < bins.edges()[m + 1] || last)) bin = m;
        }
        ++counts[bin];
    }
    return counts;
}

}  // namespace

CASE("counts are those of one comparison after the other, at any stride", {
    for (std::size_t n : {1u, 7u, 1023u, 1024u, 5000u}) {
        auto values = normal_values(n);
        values[n / 2] = std::numeric_limits<double>::quiet_NaN();
        std::vector<double> apart(3 * n);
        for (std::size_t i = 0; i < n; ++i) apart[3 * i] = values[i];
        for (const auto& edges : {std::vector<double>{-2.0, -1.0, 0.0, 1.0, 2.0}, {-1.0, 0.3, 0.31, 2.0}}) {
            const Bins bins(edges);
            const auto expected = reference_counts(bins, values);
            CHECK(boxwood::count_values(bins, {values.data(), n, 1}, 1) == expected);
            CHECK(boxwood::count_values(bins, {apart.data(), n, 3}, 1) == expected);
        }
    }
});

CASE("any number of threads gives the same counts and the same sums", {
    const auto values = normal_values(1'200'000);
    std::vector<double> weights(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) weights[i] = 0.1 + std::abs(values[i]);
    const Strided column{values.data(), values.size(), 1};
    for (const Bins& bins : {Bins({-3.0, -1.0, 1.0, 3.0}), Bins({-3.0, 0.1, 0.2, 3.0})}) {
        const auto counts = boxwood::count_values(bins, column, 1);
        const auto sums = boxwood::weigh_values(bins, column, weights.data(), 1);
        for (unsigned n_threads : {2u, 3u, 16u}) {
            CHECK(boxwood::count_values(bins, column, n_threads) == counts);
            CHECK(boxwood::weigh_values(bins, column, weights.data(), n_threads) == sums);
        }
    }
});

CASE("any number of bins and of values is counted alike, in eight tables or in one", {
    for (int n_bins : {1, 2, 10, 60, 127, 128, 300, 5000}) {
        std::vector<double> edges;
        for (int m = 0; m <= n_bins; ++m) edges.push_back(5.0 * m / n_bins - 2.5);
        const Bins bins(edges);
        for (std::size_t n : {100u, 3001u, 30'001u}) {
            const auto values = normal_values(n);
            CHECK(boxwood::count_values(bins, {values.data(), n, 1}, 1) == reference_counts(bins, values));
        }
    }
});

CASE("a table's entries are added by bin, NaN adds nothing", {
    const Bins bins({0.0, 1.0, 2.0});
    const std::vector<double> values = {0.5, 1.5, 2.0, 7.0, std::numeric_limits<double>::quiet_NaN()};
    const std::vector<double> table = {10.0, 20.0, -1.0};
    std::vector<double> out(values.size(), 1.0);
    boxwood::add_by_bin(bins, {values.data(), values.size(), 1}, table.data(), out.data());
    CHECK((out == std::vector<double>{11.0, 21.0, 21.0, 0.0, 1.0}));
    std::vector<std::int32_t> found(values.size());
    boxwood::find_bins(bins, {values.data(), values.size(), 1}, found.data());
    CHECK((found == std::vector<std::int32_t>{0, 1, 1, 2, 2}));
});

CHECK_MAIN()
