#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "histogram/bins.hpp"
#include "histogram/fill.hpp"
#include "histogram/ranks.hpp"
#include "tests/check.hpp"

using boxwood::Ranks;

namespace {

std::vector<double> sorted_values(std::size_t n, double rounded_to) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    std::vector<double> values(n);
    for (double& value : values) value = std::round(normal(random) / rounded_to) * rounded_to;
    std::sort(values.begin(), values.end());
    return values;
}

std::vector<double> linspace(double low, double high, std::size_t n_bins) {
    std::vector<double> edges;
    const double step = (high - low) / static_cast<double>(n_bins);
    for (std::size_t m = 0; m < n_bins; ++m) edges.push_back(static_cast<double>(m) * step + low);
    edges.push_back(high);
    return edges;
}

}  // namespace

CASE("ranks are those of a search among all values", {
    for (double rounded_to : {1e-9, 0.25}) {
        for (std::size_t n : {1u, 2u, 9u, 1000u}) {
            const auto values = sorted_values(n, rounded_to);
            const Ranks ranks(values.data(), n);
            auto probes = values;
            for (double x = -5.0; x < 5.0; x += 0.01) probes.push_back(x);
            for (double x : probes) {
                const auto expected = std::lower_bound(values.begin(), values.end(), x) - values.begin();
                CHECK(ranks.below(x) == static_cast<std::size_t>(expected));
            }
        }
    }
});

CASE("counts from ranks are the counts of a fill", {
    for (double rounded_to : {1e-9, 0.1}) {
        const auto values = sorted_values(5000, rounded_to);
        const Ranks ranks(values.data(), values.size());
        std::vector<double> cumulative(values.size() + 1);
        std::iota(cumulative.begin(), cumulative.end(), 0.0);
        for (std::size_t n_bins : {1u, 2u, 10u, 37u, 1000u}) {
            const double low = values.front();
            const double high = values.back();
            const boxwood::Bins bins(linspace(low, high, n_bins));
            auto expected = boxwood::count_values(bins, {values.data(), values.size(), 1}, 1);
            expected.pop_back();
            const std::vector<double> wanted(expected.begin(), expected.end());
            CHECK(ranks.uniform_counts(low, high, n_bins) == wanted);
            CHECK(ranks.uniform_weights(low, high, n_bins, cumulative.data()) == wanted);
        }
    }
});

CASE("values that are not sorted or not finite are refused", {
    for (const auto& values : {std::vector<double>{2.0, 1.0}, {0.0, std::nan("")}, {0.0, INFINITY}, {}}) {
        bool refused = false;
        try {
            const Ranks ranks(values.data(), values.size());
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
});

CHECK_MAIN()
