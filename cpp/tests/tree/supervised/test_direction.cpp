#include <cmath>

#include "base/random.hpp"
#include "tests/check.hpp"
#include "tree/supervised/direction.hpp"

using namespace boxwood;

namespace {

struct Sample {
    std::vector<std::uint32_t> columns = {4, 7, 9};
    std::vector<double> numbers;
    std::vector<double> targets;
    std::vector<double> weights;
};

// Targets 2·a − b of columns on very different scales, the third one noise.
Sample linear_sample(std::size_t n) {
    Sample sample;
    Draws draws(2);
    for (std::size_t i = 0; i < n; ++i) {
        const double a = draws.uniform() - 0.5;
        const double b = 1e6 * (draws.uniform() - 0.5);
        sample.numbers.insert(sample.numbers.end(), {a, b, draws.uniform()});
        sample.targets.push_back(2.0 * a - b * 1e-6);
        sample.weights.push_back(1.0 + static_cast<double>(i % 3));
    }
    return sample;
}

}  // namespace

CASE("the direction is that of the targets, and noise is left out", {
    const Sample s = linear_sample(4000);
    const Direction direction = fit_direction(s.columns, s.numbers, s.targets, s.weights);
    CHECK(direction.size() == 2);
    CHECK(direction[0].first == 4);
    CHECK(direction[1].first == 7);
    const double ratio = static_cast<double>(direction[1].second) / static_cast<double>(direction[0].second);
    CHECK(std::abs(ratio / -0.5e-6 - 1.0) < 0.02);
});

CASE("a weight counts as rows", {
    const Sample s = linear_sample(60);
    Sample repeated;
    for (std::size_t i = 0; i < 60; ++i) {
        for (double k = 0.0; k < s.weights[i]; k += 1.0) {
            for (std::size_t j = 0; j < 3; ++j) repeated.numbers.push_back(s.numbers[3 * i + j]);
            repeated.targets.push_back(s.targets[i]);
            repeated.weights.push_back(1.0);
        }
    }
    const Direction a = fit_direction(s.columns, s.numbers, s.targets, s.weights);
    const Direction b = fit_direction(s.columns, repeated.numbers, repeated.targets, repeated.weights);
    CHECK(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
        CHECK(std::abs(a[k].second - b[k].second) <= 1e-5f * std::abs(a[k].second));
});

CASE("constant columns and targets have no direction", {
    Sample s = linear_sample(50);
    for (std::size_t i = 0; i < 50; ++i) s.numbers[3 * i] = s.numbers[3 * i + 2] = 1.0;
    CHECK(fit_direction(s.columns, s.numbers, s.targets, s.weights).empty());
    s = linear_sample(50);
    s.targets.assign(50, 3.0);
    CHECK(fit_direction(s.columns, s.numbers, s.targets, s.weights).empty());
});

CASE("missing numbers count as what stands for them", {
    const Direction direction = {{0, 2.0f}, {2, -1.0f}};
    const std::vector<double> row = {std::nan(""), 5.0, 3.0};
    const std::vector<double> fill = {10.0, 0.0, 0.0};
    CHECK(place_along(direction, row.data(), fill.data()) == 17.0);
});

CHECK_MAIN()
