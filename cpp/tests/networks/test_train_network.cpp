#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "networks/conditional_network.hpp"
#include "networks/train_network.hpp"
#include "tests/check.hpp"

namespace {

using namespace boxwood;

// Two columns: the second is a bent function of the first, with noise.
struct Bent {
    std::vector<float> values, widths, weights;

    Bent(std::size_t n, unsigned seed) : widths(2 * n), weights(n, 1.0f) {
        std::mt19937_64 random(seed);
        std::normal_distribution<float> normal;
        for (std::size_t i = 0; i < n; ++i) {
            const float x = normal(random);
            values.push_back(x);
            values.push_back(std::sin(2.0f * x) + 0.1f * normal(random));
        }
    }
    NetworkRows rows() const { return {2, 2, values, values, widths, weights}; }
};

}  // namespace

CASE("a network learns a bent function", {
    const Bent train(2000, 1), held(300, 2);
    const TrainedNetwork found = train_network(train.rows(), held.rows(), {{0}, 1, 3}, {}, [] {});
    CHECK(found.parameters.size() == NetworkShape{1}.size());
    // log(1/0.1) less what the standard normal distribution loses on a column of variance 0.6.
    CHECK(found.gain > 1.5);
    const TrainedNetwork again = train_network(train.rows(), held.rows(), {{0}, 1, 3}, {}, [] {});
    CHECK(again.parameters == found.parameters);
});

CASE("all passes are made where every cycle gains, however they are divided", {
    const Bent train(500, 1), held(300, 2);
    for (const std::size_t n_passes : {3, 4, 5, 6, 7}) {
        NetworkTraining options;
        options.n_passes = n_passes;
        options.n_cycles = 2;
        options.least_gain = -10.0;
        const TrainedNetwork found = train_network(train.rows(), held.rows(), {{0}, 1, 3}, options, [] {});
        CHECK(found.n_passes == n_passes);
    }
});

CASE("a column that nothing explains has no network", {
    Bent train(2000, 1);
    Bent held(300, 2);
    std::mt19937_64 random(3);
    std::normal_distribution<float> normal;
    for (std::size_t i = 1; i < train.values.size(); i += 2) train.values[i] = normal(random);
    for (std::size_t i = 1; i < held.values.size(); i += 2) held.values[i] = normal(random);
    NetworkTraining options;
    options.least_gain = 0.02;
    CHECK(train_network(train.rows(), held.rows(), {{0}, 1, 3}, options, [] {}).parameters.empty());
});

CASE("quantiles undo the distribution function, whose slope is the density", {
    const Bent train(1000, 1), held(200, 2);
    const TrainedNetwork found = train_network(train.rows(), held.rows(), {{0}, 1, 3}, {}, [] {});
    const std::vector<std::size_t> inputs{0};
    const ConditionalNetwork network{found.parameters, inputs};
    const std::size_t n = 200;
    const NetworkInputs rows{held.values.data(), 2};
    std::vector<double> scores, above, levels(n), logs(n), levels_above(n), ignored(n), back(n), below(n),
        mass(n);
    for (std::size_t i = 0; i < n; ++i) {
        scores.push_back(held.values[2 * i + 1]);
        above.push_back(scores.back() + 1e-5);
    }
    locate(network, rows, n, {scores.data(), scores.data(), levels.data(), logs.data(), 1});
    locate(network, rows, n, {above.data(), above.data(), levels_above.data(), ignored.data(), 1});
    find_quantiles(network, rows, n, levels.data(), back.data());
    locate(network, rows, n, {scores.data(), above.data(), below.data(), mass.data(), 1});
    for (std::size_t i = 0; i < n; ++i) {
        CHECK(std::abs(back[i] - scores[i]) < 1e-6);
        CHECK(std::abs((levels_above[i] - levels[i]) / 1e-5 / std::exp(logs[i]) - 1.0) < 1e-2);
        CHECK(std::abs(below[i] - levels[i]) < 1e-12);
        CHECK(std::abs(std::exp(mass[i]) - (levels_above[i] - levels[i])) < 1e-12);
    }
});

CASE("a check that throws ends training", {
    const Bent train(600, 1), held(100, 2);
    bool thrown = false;
    try {
        train_network(train.rows(), held.rows(), {{0}, 1, 3}, {}, [] { throw std::runtime_error("stop"); });
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown);
});

CHECK_MAIN()
