#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "base/normal_distribution.hpp"
#include "networks/network_kernels.hpp"
#include "tests/check.hpp"

namespace {

using namespace boxwood;

// Rows, targets and parameters of a small network.
struct Example {
    NetworkShape shape;
    std::size_t n;
    std::vector<float> parameters, inputs, middles, widths, weights;

    Example(std::size_t n_inputs, std::size_t n_rows, bool intervals) : shape{n_inputs}, n(n_rows) {
        std::mt19937_64 random(7 * n_inputs + n_rows);
        std::normal_distribution<float> normal;
        for (std::size_t i = 0; i < shape.size(); ++i) parameters.push_back(0.15f * normal(random));
        for (std::size_t i = 0; i < n * n_inputs; ++i) inputs.push_back(normal(random));
        for (std::size_t i = 0; i < n; ++i) {
            middles.push_back(normal(random));
            widths.push_back(intervals && i % 3 ? (i % 3 == 1 ? 0.01f : 1.5f) : 0.0f);
            weights.push_back(1.0f + 0.5f * static_cast<float>(i % 2));
        }
    }

    NetworkTargets targets() const { return {middles.data(), widths.data(), weights.data()}; }

    NetworkScratch run(const NetworkKernels& kernels, const std::vector<float>& at, bool cosines) const {
        NetworkScratch scratch(shape.n_inputs);
        std::copy(inputs.begin(), inputs.end(), scratch.inputs.begin());
        kernels.forward(shape, at.data(), n, cosines, scratch);
        kernels.losses(targets(), n, scratch);
        return scratch;
    }

    // The outputs of a row, in double precision and the obvious way.
    std::vector<double> outputs(std::size_t row, const std::vector<double>& at) const {
        const float* x = inputs.data() + row * shape.n_inputs;
        std::vector<double> before(x, x + shape.n_inputs), hidden;
        const std::size_t weights_at[3] = {shape.first(), shape.second(), shape.third()};
        const std::size_t biases_at[3] = {shape.first_bias(), shape.second_bias(), shape.third_bias()};
        for (std::size_t layer = 0; layer < 3; ++layer) {
            hidden.assign(kHidden, 0.0);
            for (std::size_t unit = 0; unit < kHidden; ++unit) {
                double sum = at[biases_at[layer] + unit];
                for (std::size_t j = 0; j < before.size(); ++j)
                    sum += before[j] * at[weights_at[layer] + j * kHidden + unit];
                hidden[unit] = std::sin(sum) + (layer ? before[unit] : 0.0);
            }
            before = hidden;
        }
        std::vector<double> found(kOutputs);
        for (std::size_t o = 0; o < kOutputs; ++o) {
            found[o] = at[shape.last_bias() + o];
            for (std::size_t j = 0; j < kHidden; ++j)
                found[o] += before[j] * at[shape.last() + j * kOutputs + o];
            if (o >= kSkipped) continue;
            for (std::size_t j = 0; j < shape.n_inputs; ++j)
                found[o] += x[j] * at[shape.skip() + j * kSkipped + o];
        }
        return found;
    }

    double loss(std::size_t row, const std::vector<double>& at) const {
        const std::vector<double> o = outputs(row, at);
        double density = 0.0, total = 0.0;
        for (std::size_t k = 0; k < kNormals; ++k) {
            const double deviation = std::exp(std::clamp(o[kLogDeviations + k], -7.0, 3.0));
            const double weight = std::exp(o[kLogits + k]);
            const double away = (middles[row] - o[kMeans + k]) / deviation;
            const double half = 0.5 * widths[row] / deviation;
            density += weight * (widths[row] > 0.0f ? normal_mass(away - half, away + half) / widths[row]
                                                    : std::exp(-0.5 * away * away) /
                                                          std::sqrt(2.0 * std::numbers::pi) / deviation);
            total += weight;
        }
        return std::log(total) - std::log(density);
    }

    double total_loss(const std::vector<double>& at) const {
        double sum = 0.0;
        for (std::size_t row = 0; row < n; ++row) sum += weights[row] * loss(row, at);
        return sum;
    }
};

}  // namespace

CASE("outputs and losses are those of the obvious implementation", {
    for (const bool intervals : {false, true}) {
        const Example example(5, 37, intervals);
        const std::vector<double> at(example.parameters.begin(), example.parameters.end());
        for (const NetworkKernels* kernels : all_network_kernels()) {
            const NetworkScratch scratch = example.run(*kernels, example.parameters, false);
            for (std::size_t row = 0; row < example.n; ++row) {
                const std::vector<double> expected = example.outputs(row, at);
                for (std::size_t o = 0; o < kOutputs; ++o)
                    CHECK(std::abs(scratch.outputs[row * kOutputs + o] - expected[o]) < 1e-4);
                CHECK(std::abs(scratch.losses[row] - example.loss(row, at)) < 1e-3);
            }
        }
    }
});

CASE("gradients are differences of losses", {
    for (const bool intervals : {false, true}) {
        const Example example(3, 11, intervals);
        std::vector<double> at(example.parameters.begin(), example.parameters.end());
        NetworkScratch scratch = example.run(network_kernels(), example.parameters, true);
        std::vector<float> gradient(example.shape.size());
        network_kernels().backward(example.shape, example.parameters.data(), example.n, scratch,
                                   gradient.data());
        for (std::size_t i = 0; i < at.size(); i += 61) {
            const double step = 1e-5;
            const double before = at[i];
            at[i] = before + step;
            const double above = example.total_loss(at);
            at[i] = before - step;
            const double below = example.total_loss(at);
            at[i] = before;
            const double slope = (above - below) / (2.0 * step);
            CHECK(std::abs(gradient[i] - slope) < 1e-2 * (0.1 + std::abs(slope)));
        }
    }
});

CASE("all instruction sets agree to the bit", {
    for (const std::size_t n_rows : {64, 97, 99, 100, 101}) {  // what tiles of six rows leave over
        const Example example(4, n_rows, true);
        std::vector<float> gradients[3], moved[3], means[3];
        float norms[3];
        std::size_t k = 0;
        for (const NetworkKernels* kernels : all_network_kernels()) {
            NetworkScratch scratch = example.run(*kernels, example.parameters, true);
            const std::size_t n = example.shape.size();
            gradients[k].resize(n);
            kernels->backward(example.shape, example.parameters.data(), n_rows, scratch, gradients[k].data());
            moved[k] = means[k] = example.parameters;
            std::vector<float> first(n), second(n);
            kernels->adam({0.01f, 10.0f, 1000.0f, 0.5f, 0.1f, 0.99f}, gradients[k].data(), n,
                          {moved[k].data(), means[k].data(), first.data(), second.data()});
            norms[k] = kernels->squared_norm(gradients[k].data(), n, 0.5f);
            CHECK(gradients[k] == gradients[0]);
            CHECK(moved[k] == moved[0]);
            CHECK(means[k] == means[0]);
            CHECK(norms[k] == norms[0]);
            ++k;
        }
    }
});

CASE("a step and the norm are those of the obvious implementation", {
    const Example example(2, 9, false);
    const std::size_t n = example.shape.size();
    const std::vector<float>& gradient = example.parameters;
    std::vector<float> values(n, 1.0f), means(n, 2.0f), first(n, 0.5f), second(n, 0.25f);
    const AdamStep step{0.01f, 1.5f, 3.0f, 2.0f, 0.1f, 0.9f};
    network_kernels().adam(step, gradient.data(), n,
                           {values.data(), means.data(), first.data(), second.data()});
    double squares = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double g = 2.0 * gradient[i], m = 0.9 * 0.5 + 0.1 * g, v = 0.999 * 0.25 + 0.001 * g * g;
        const double value = (1.0 - 0.01 * 1.5 * m / std::sqrt(3.0 * v)) * 0.9;
        CHECK(std::abs(first[i] - m) < 1e-6);
        CHECK(std::abs(second[i] - v) < 1e-6);
        CHECK(std::abs(values[i] - value) < 1e-6);
        CHECK(std::abs(means[i] - (2.0 + 0.1 * (value - 2.0))) < 1e-6);
        squares += g * g;
    }
    CHECK(std::abs(network_kernels().squared_norm(gradient.data(), n, 2.0f) / squares - 1.0) < 1e-5);
});

CHECK_MAIN()
