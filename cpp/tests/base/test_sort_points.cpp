#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "base/sort_points.hpp"
#include "tests/check.hpp"

namespace {

enum class Kind { apart, tied, close, in_bunches };

std::vector<double> random_points(std::size_t n, Kind kind) {
    std::mt19937_64 random(n);
    std::normal_distribution<double> normal;
    std::vector<double> points(n);
    for (double& point : points) {
        point = normal(random);
        if (kind == Kind::tied) point = std::round(3.0 * point);
        if (kind == Kind::close) point = 1e6 + 1e-7 * point;  // front digits that say nothing
        if (kind == Kind::in_bunches) point = std::round(300.0 * point) + 1e-9 * normal(random);
    }
    return points;
}

}  // namespace

CASE("points are sorted, equal ones in the order in which they came", {
    for (std::size_t n : {0u, 1u, 2u, 100u, 2048u, 2049u, 20000u}) {
        for (Kind kind : {Kind::apart, Kind::tied, Kind::close, Kind::in_bunches}) {
            const std::vector<double> points = random_points(n, kind);
            std::vector<std::uint32_t> order(n);
            for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
            auto reference = order;
            std::stable_sort(reference.begin(), reference.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return points[a] < points[b]; });
            auto sorted = points;
            boxwood::sort_points(sorted, order);
            CHECK(order == reference);
            for (std::size_t i = 0; i < n; ++i) CHECK(sorted[i] == points[order[i]]);
        }
    }
});

CASE("keys are sorted by all their bits", {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> keys(5000);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = random() >> (i % 64);
    auto reference = keys;
    std::sort(reference.begin(), reference.end());
    boxwood::sort_keys(keys);
    CHECK(keys == reference);
});

CASE("runs are the distinct values with their weights", {
    for (std::size_t n : {0u, 1u, 50u, 5000u}) {
        const std::vector<double> values = random_points(n, Kind::tied);
        std::vector<double> weights;
        for (std::size_t i = 0; i < n; ++i) weights.push_back(static_cast<double>(i % 4));
        for (bool weighted : {false, true}) {
            std::map<double, double> reference;
            for (std::size_t i = 0; i < n; ++i) reference[values[i]] += weighted ? weights[i] : 1.0;
            const boxwood::Runs runs =
                boxwood::runs_of({values.data(), n, 1}, weighted ? weights.data() : nullptr);
            CHECK(runs.value.size() == reference.size());
            std::size_t k = 0;
            for (const auto& [value, weight] : reference) {
                CHECK(runs.value[k] == value && runs.weight[k] == weight);
                ++k;
            }
        }
    }
});

CHECK_MAIN()
