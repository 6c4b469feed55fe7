// Losses and packed derivatives beside the obvious implementation.
#include <cmath>
#include <random>
#include <vector>

#include "boosting/logistic_loss.hpp"
#include "tests/check.hpp"

namespace {

using namespace boxwood;

struct Example {
    std::vector<double> logits, signs, weights;
    double total = 0.0;

    explicit Example(std::size_t n) {
        std::mt19937_64 random(n);
        std::normal_distribution<double> normal;
        for (std::size_t i = 0; i < n; ++i) {
            logits.push_back(i % 10 == 0 ? 300.0 * normal(random) : 2.0 * normal(random));
            signs.push_back(i % 3 == 0 ? 1.0 : -1.0);
            weights.push_back(std::exp(normal(random)));
            total += weights.back();
        }
        logits[0] = 0.0;
        logits[1] = 5000.0;
    }

    LogisticRows rows() const { return {logits.data(), signs.data(), weights.data(), logits.size()}; }

    Derivatives derivatives(std::size_t i) const {
        const double chance = 1.0 / (1.0 + std::exp(-logits[i]));
        const double real = signs[i] > 0.0 ? 1.0 : 0.0;
        return {weights[i] * (real - chance), weights[i] * chance * (1.0 - chance)};
    }
};

}  // namespace

CASE("losses are those of the obvious implementation, and the same on all machines", {
    const Example example(1003);
    std::size_t count = 0;
    const LogisticLoss* all = all_logistic_losses(count);
    std::vector<double> first(1003), found(1003);
    for (std::size_t k = 0; k < count; ++k) {
        all[k].losses(example.rows(), found.data());
        if (k == 0) first = found;
        CHECK(found == first);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double x = example.signs[i] * example.logits[i];
        const double expected = example.weights[i] * (std::log1p(std::exp(-std::abs(x))) + std::max(-x, 0.0));
        CHECK(std::abs(found[i] - expected) <= 1e-14 * (expected + 1e-280));
    }
});

CASE("packed derivatives are rounded to a part of what all rows weigh, and sum up exactly", {
    const Example example(1003);
    const PackedScale scale(example.total, 1003);
    std::size_t count = 0;
    const LogisticLoss* all = all_logistic_losses(count);
    std::vector<PackedDerivatives> first(1003), found(1003);
    for (std::size_t k = 0; k < count; ++k) {
        all[k].derivatives(example.rows(), scale, found.data());
        if (k == 0) first = found;
        CHECK(found == first);
    }
    const double unit = example.total * std::exp2(-30.0);
    Derivatives sums;
    PackedDerivatives packed_sums = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Derivatives expected = example.derivatives(i), of_row = scale.unpack(found[i]);
        CHECK(std::abs(of_row.first - expected.first) <= unit);
        CHECK(std::abs(of_row.second - expected.second) <= unit);
        sums = {sums.first + of_row.first, sums.second + of_row.second};
        packed_sums += found[i];
    }
    CHECK(scale.unpack(packed_sums).first == sums.first);
    CHECK(scale.unpack(packed_sums).second == sums.second);
});

CASE("rows of one sign, whose sums are as large as they can be, do not flow over", {
    constexpr std::size_t n = 100'000;
    for (const double weight : {1e-9, 1.0, 3.0, 1e9}) {
        const PackedScale scale(weight * n, n);
        const PackedDerivatives certain = scale.pack({-weight, 0.0}), open = scale.pack({0.0, 0.25 * weight});
        const auto many = static_cast<PackedDerivatives>(n);
        CHECK(std::abs(scale.unpack(certain * many).first / (weight * n) + 1.0) < 1e-4);
        CHECK(std::abs(scale.unpack(open * many).second / (weight * n) - 0.25) < 1e-4);
        CHECK(scale.unpack(certain * many).second == 0.0);
        CHECK(scale.unpack(open * many).first == 0.0);
    }
});

CHECK_MAIN()
