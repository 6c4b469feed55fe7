// Distribution functions and quantiles of mixtures of normals, beside the obvious implementation.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "base/normal_distribution.hpp"
#include "networks/network_kernels.hpp"
#include "tests/check.hpp"

namespace {

using namespace boxwood;

constexpr double infinite = std::numeric_limits<double>::infinity();

// Outputs of a network for n rows: sharp normals far apart, wide ones above each other, and all between.
std::vector<float> outputs_of(std::size_t n) {
    std::mt19937_64 random(n);
    std::normal_distribution<float> normal;
    std::vector<float> outputs(n * kOutputs);
    for (std::size_t i = 0; i < n; ++i) {
        const float apart = std::exp(normal(random)), sharp = 2.0f * normal(random) - 2.0f;
        for (std::size_t k = 0; k < kNormals; ++k) {
            outputs[i * kOutputs + kMeans + k] = apart * normal(random);
            outputs[i * kOutputs + kLogits + k] = 2.0f * normal(random);
            outputs[i * kOutputs + kLogDeviations + k] = sharp + normal(random);
        }
    }
    return outputs;
}

// A mixture, one normal after the other.
struct Mixture {
    double weights[kNormals], means[kNormals], deviations[kNormals];

    explicit Mixture(const float* outputs) {
        double sum = 0.0;
        for (std::size_t k = 0; k < kNormals; ++k) sum += std::exp(double{outputs[kLogits + k]});
        for (std::size_t k = 0; k < kNormals; ++k) {
            weights[k] = std::exp(double{outputs[kLogits + k]}) / sum;
            means[k] = outputs[kMeans + k];
            deviations[k] = std::exp(std::clamp(double{outputs[kLogDeviations + k]}, -7.0, 3.0));
        }
    }
    double mass(double low, double high) const {
        double sum = 0.0;
        for (std::size_t k = 0; k < kNormals; ++k)
            sum +=
                weights[k] * normal_mass((low - means[k]) / deviations[k], (high - means[k]) / deviations[k]);
        return sum;
    }
    double log_density(double z) const {
        double logs[kNormals], sum = 0.0;
        for (std::size_t k = 0; k < kNormals; ++k) {
            const double away = (z - means[k]) / deviations[k];
            logs[k] = std::log(weights[k] / deviations[k]) - 0.5 * away * away -
                      0.5 * std::log(2.0 * std::numbers::pi);
        }
        const double most = *std::max_element(logs, logs + kNormals);
        for (const double log : logs) sum += std::exp(log - most);
        return most + std::log(sum);
    }
};

bool is_near(double found, double expected, double tolerance) {
    return std::abs(found - expected) <= tolerance * std::abs(expected) + 1e-300;
}

constexpr std::size_t n_rows = 203;  // no multiple of any number of lanes

struct Located {
    std::vector<double> below, logs;
};

Located locate(const NetworkKernels& kernels, const std::vector<float>& outputs,
               const std::vector<double>& low, const std::vector<double>& high) {
    Located found{std::vector<double>(low.size()), std::vector<double>(low.size())};
    kernels.locate(outputs.data(), low.size(), low.data(), high.data(), found.below.data(),
                   found.logs.data());
    return found;
}

}  // namespace

CASE("masses and log-densities of points are those of the obvious implementation", {
    const std::vector<float> outputs = outputs_of(n_rows);
    for (const double scale : {0.1, 1.0, 5.0, 30.0}) {
        std::mt19937_64 random(3);
        std::normal_distribution<double> normal;
        std::vector<double> z(n_rows);
        for (double& value : z) value = scale * normal(random);
        for (const NetworkKernels* kernels : all_network_kernels()) {
            const Located found = locate(*kernels, outputs, z, z);
            for (std::size_t i = 0; i < n_rows; ++i) {
                const Mixture mixture(outputs.data() + i * kOutputs);
                CHECK(is_near(found.below[i], mixture.mass(-infinite, z[i]), 1e-11));
                CHECK(std::abs(found.logs[i] - mixture.log_density(z[i])) <
                      1e-13 * (1.0 + std::abs(found.logs[i])));
            }
        }
    }
});

CASE("masses of intervals are those of the obvious implementation, their ends may be infinite", {
    const std::vector<float> outputs = outputs_of(n_rows);
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    std::vector<double> low(n_rows), high(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
        low[i] = i % 7 == 0 ? -infinite : 2.0 * normal(random);
        high[i] = i % 5 == 0 ? infinite : std::max(low[i], -5.0) + std::exp(3.0 * normal(random) - 2.0);
        if (i % 11 == 1) high[i] = low[i] = normal(random);  // a point between them
    }
    for (const NetworkKernels* kernels : all_network_kernels()) {
        const Located found = locate(*kernels, outputs, low, high);
        for (std::size_t i = 0; i < n_rows; ++i) {
            const Mixture mixture(outputs.data() + i * kOutputs);
            CHECK(is_near(found.below[i], mixture.mass(-infinite, low[i]), 1e-11));
            const double expected =
                low[i] < high[i] ? std::log(mixture.mass(low[i], high[i])) : mixture.log_density(low[i]);
            if (expected > -600.0) CHECK(std::abs(found.logs[i] - expected) < 1e-10);
        }
    }
});

CASE("quantiles undo the distribution function, far out as well as in gaps", {
    const std::vector<float> outputs = outputs_of(n_rows);
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform;
    for (const bool far : {false, true}) {
        std::vector<double> levels(n_rows), scores(n_rows);
        for (double& level : levels) {
            level = far ? std::pow(10.0, -30.0 * uniform(random)) : uniform(random);
            if (far && level > 1e-15 && uniform(random) < 0.5) level = 1.0 - level;
        }
        for (const NetworkKernels* kernels : all_network_kernels()) {
            kernels->quantiles(outputs.data(), n_rows, levels.data(), scores.data());
            for (std::size_t i = 0; i < n_rows; ++i) {
                const Mixture mixture(outputs.data() + i * kOutputs);
                const bool lower = levels[i] < 0.5;
                const double expected = lower ? levels[i] : 1.0 - levels[i];
                const double mass =
                    lower ? mixture.mass(-infinite, scores[i]) : mixture.mass(scores[i], infinite);
                // What the nearest numbers to the score miss, too.
                const double unit =
                    4e-15 * (1.0 + std::abs(scores[i])) * std::exp(mixture.log_density(scores[i]));
                CHECK(std::abs(mass - expected) < 1e-11 * expected + unit);
            }
        }
    }
});

CASE("levels of 0 and 1 have finite quantiles", {
    const std::vector<float> outputs = outputs_of(n_rows);
    std::vector<double> levels(n_rows), scores(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) levels[i] = i % 2;
    network_kernels().quantiles(outputs.data(), n_rows, levels.data(), scores.data());
    for (std::size_t i = 0; i < n_rows; ++i) {
        const Mixture mixture(outputs.data() + i * kOutputs);
        CHECK(std::isfinite(scores[i]));
        CHECK((i % 2 ? mixture.mass(scores[i], infinite) : mixture.mass(-infinite, scores[i])) < 1e-250);
    }
});

CASE("all instruction sets agree to the bit, and rows do not hang on their neighbours", {
    const std::vector<float> outputs = outputs_of(n_rows);
    std::vector<double> levels(n_rows), first, scores(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) levels[i] = (static_cast<double>(i) + 0.5) / n_rows;
    for (std::size_t i = 0; i < 3; ++i) levels[i] = i == 2 ? 1e-30 : static_cast<double>(i);
    std::vector<double> above(n_rows);
    for (const NetworkKernels* kernels : all_network_kernels()) {
        kernels->quantiles(outputs.data(), n_rows, levels.data(), scores.data());
        if (first.empty()) first = scores;
        for (std::size_t i = 0; i < n_rows; ++i) above[i] = first[i] + 0.25;
        const Located between = locate(*kernels, outputs, first, above),
                      portable_between = locate(*all_network_kernels()[0], outputs, first, above);
        CHECK(between.below == portable_between.below);
        CHECK(between.logs == portable_between.logs);
        CHECK(scores == first);
        const Located found = locate(*kernels, outputs, first, first),
                      portable = locate(*all_network_kernels()[0], outputs, first, first);
        CHECK(found.below == portable.below);
        CHECK(found.logs == portable.logs);
        double alone = 0.0;
        for (std::size_t i = 0; i < n_rows; i += 17) {
            kernels->quantiles(outputs.data() + i * kOutputs, 1, levels.data() + i, &alone);
            CHECK(alone == first[i]);
        }
    }
});

CHECK_MAIN()
