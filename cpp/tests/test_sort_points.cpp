#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "boxwood/sort_points.hpp"
#include "check.hpp"

namespace {

std::vector<double> random_points(std::size_t n, bool tied) {
    std::mt19937_64 random(n);
    std::normal_distribution<double> normal;
    std::vector<double> points(n);
    for (double& point : points) point = tied ? std::round(3.0 * normal(random)) : normal(random);
    return points;
}

}  // namespace

CASE("points are sorted, equal ones in the order in which they came", {
    for (std::size_t n : {0u, 1u, 2u, 100u, 2048u, 2049u, 20000u}) {
        for (bool tied : {false, true}) {
            const std::vector<double> points = random_points(n, tied);
            std::vector<std::uint32_t> order(n);
            for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
            auto slow = order;
            std::stable_sort(slow.begin(), slow.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return points[a] < points[b]; });
            auto sorted = points;
            boxwood::sort_points(sorted, order);
            CHECK(order == slow);
            for (std::size_t i = 0; i < n; ++i) CHECK(sorted[i] == points[order[i]]);
        }
    }
});

CASE("keys are sorted by all their bits", {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> keys(5000);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = random() >> (i % 64);
    auto slow = keys;
    std::sort(slow.begin(), slow.end());
    boxwood::sort_keys(keys);
    CHECK(keys == slow);
});

CASE("runs are the distinct values with their weights", {
    for (std::size_t n : {0u, 1u, 50u, 5000u}) {
        const std::vector<double> values = random_points(n, true);
        std::vector<double> weights;
        for (std::size_t i = 0; i < n; ++i) weights.push_back(static_cast<double>(i % 4));
        for (bool weighted : {false, true}) {
            std::map<double, double> slow;
            for (std::size_t i = 0; i < n; ++i) slow[values[i]] += weighted ? weights[i] : 1.0;
            const boxwood::Runs runs =
                boxwood::runs_of({values.data(), n, 1}, weighted ? weights.data() : nullptr);
            CHECK(runs.value.size() == slow.size());
            std::size_t k = 0;
            for (const auto& [value, weight] : slow) {
                CHECK(runs.value[k] == value && runs.weight[k] == weight);
                ++k;
            }
        }
    }
});

CHECK_MAIN()
