#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/random.hpp"
#include "binning/quantile_edges.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

// All values sorted, with their weights added up.
Edges reference_edges(const std::vector<double>& values, const std::vector<std::int64_t>& weights,
                      std::size_t n_parts) {
    std::map<double, std::int64_t> runs;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        runs[values[i]] += weights[i];
        total += weights[i];
    }
    Edges edges;
    for (std::size_t k = 1; k < n_parts; ++k) {
        const double wanted =
            static_cast<double>(total) * (static_cast<double>(k) / static_cast<double>(n_parts));
        std::int64_t below = 0;
        auto run = runs.begin();
        for (; std::next(run) != runs.end(); ++run) {
            below += run->second;
            if (static_cast<double>(below) >= wanted || std::next(run, 2) == runs.end()) break;
        }
        if (!edges.low.empty() && edges.low.back() == run->first) continue;
        edges.low.push_back(run->first);
        edges.high.push_back(std::next(run)->first);
    }
    return edges;
}

void check_edges(const std::vector<double>& values, const std::vector<std::int64_t>& weights) {
    const Edges wanted = reference_edges(values, weights, 20);
    const Edges found = quantile_edges({values.data(), values.size(), 1}, weights.data(), 20, 2);
    CHECK(found.low == wanted.low);
    CHECK(found.high == wanted.high);
}

// `ties`: a fraction of the values is one of a few.
void test_random_values(std::size_t n, double ties, double lump, std::uint64_t seed) {
    Draws draws(seed);
    std::vector<double> values;
    std::vector<std::int64_t> weights;
    for (std::size_t i = 0; i < n; ++i) {
        double value = draws.uniform() * 10.0 - 5.0;
        if (draws.uniform() < ties) value = std::floor(value);
        if (draws.uniform() < lump) value = 7.0;  // the greatest
        if (draws.uniform() < 0.05) value = std::numeric_limits<double>::quiet_NaN();
        values.push_back(value);
        weights.push_back(1 + static_cast<std::int64_t>(draws.below(5)));
    }
    check_edges(values, weights);
}

}  // namespace

CASE("edges are those between sorted values", {
    for (std::size_t n : {2u, 3u, 10u, 100u, 5000u, 30000u}) {
        for (double ties : {0.0, 0.5, 1.0}) {
            for (double lump : {0.0, 0.2}) test_random_values(n, ties, lump, n);
        }
    }
});

CASE("without weights every value weighs 1", {
    const std::vector<double> values = {3.0, 1.0, 2.0, 4.0};
    const Edges edges = quantile_edges({values.data(), 4, 1}, nullptr, 4, 2);
    CHECK((edges.low == std::vector<double>{1.0, 2.0, 3.0}));
    CHECK((edges.high == std::vector<double>{2.0, 3.0, 4.0}));
});

CASE("few values are left to sorting", {
    const std::vector<double> values = {1.0, 2.0, 1.0, std::numeric_limits<double>::quiet_NaN()};
    CHECK(quantile_edges({values.data(), 4, 1}, nullptr, 4, 3).low.empty());
    CHECK(quantile_edges({values.data() + 3, 1, 1}, nullptr, 4, 0).low.empty());
    CHECK(quantile_edges({nullptr, 0, 1}, nullptr, 4, 0).low.empty());
});

CHECK_MAIN()
