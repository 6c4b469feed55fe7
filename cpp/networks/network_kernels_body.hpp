// The kernels of sine networks for the instruction set that the including file is compiled for.
#pragma once

#include <numeric>

#include "networks/mixture_loss.hpp"
#include "networks/mixture_values.hpp"
#include "networks/network_kernels.hpp"
#include "networks/small_product.hpp"

namespace boxwood {

namespace {  // a version a file

// values = before + sin(values); the cosines where asked.
inline void add_sines(float* values, const float* before, float* cosines, std::size_t n) {
    for (std::size_t i = 0; i < n; i += kLanes) {
        const SineAndCosine both = sine_and_cosine(load(values + i));
        store(before ? load(before + i) + both.sine : both.sine, values + i);
        if (cosines) store(both.cosine, cosines + i);
    }
}

void forward(NetworkShape shape, const float* parameters, std::size_t n, bool cosines,
             NetworkScratch& scratch) {
    const std::size_t weights[3] = {shape.first(), shape.second(), shape.third()};
    const std::size_t biases[3] = {shape.first_bias(), shape.second_bias(), shape.third_bias()};
    for (std::size_t layer = 0; layer < 3; ++layer) {
        const bool is_first = layer == 0;
        const float* before = is_first ? nullptr : scratch.hidden[layer - 1].data();
        const std::size_t n_before = is_first ? shape.n_inputs : kHidden;
        float* hidden = scratch.hidden[layer].data();
        product({is_first ? scratch.inputs.data() : before, n_before, 1}, n, parameters + weights[layer],
                kHidden, n_before, Start::bias, parameters + biases[layer], hidden, kHidden, kHidden);
        add_sines(hidden, before, cosines ? scratch.cosines[layer].data() : nullptr, n * kHidden);
    }
    float* outputs = scratch.outputs.data();
    product({scratch.hidden[2].data(), kHidden, 1}, n, parameters + shape.last(), kOutputs, kHidden,
            Start::bias, parameters + shape.last_bias(), outputs, kOutputs, kOutputs);
    product({scratch.inputs.data(), shape.n_inputs, 1}, n, parameters + shape.skip(), kSkipped,
            shape.n_inputs, Start::target, nullptr, outputs, kOutputs, kSkipped);
}

inline void sum_rows(const float* rows, std::size_t n, std::size_t n_columns, float* sums) {
    for (std::size_t j = 0; j < n_columns; j += kLanes) {
        Lanes sum{};
        for (std::size_t i = 0; i < n; ++i) sum += load(rows + i * n_columns + j);
        store(sum, sums + j);
    }
}

// Of a matrix whose sides are multiples of four.
inline void transpose(const float* matrix, std::size_t n_rows, std::size_t n_columns, float* transposed) {
    for (std::size_t i = 0; i < n_rows; i += 4)
        for (std::size_t j = 0; j < n_columns; j += 4)
            transpose_four(matrix + i * n_columns + j, n_columns, transposed + j * n_rows + i, n_rows);
}

inline void multiply(const float* values, const float* by, std::size_t n, float* products) {
    for (std::size_t i = 0; i < n; i += kLanes) store(load(values + i) * load(by + i), products + i);
}

void backward(NetworkShape shape, const float* parameters, std::size_t n, NetworkScratch& scratch,
              float* gradient) {
    const float* by_outputs = scratch.output_gradient.data();
    float* by_hidden = scratch.hidden_gradient.data();
    float* by_sines = scratch.other_gradient.data();
    float* transposed = scratch.transposed.data();
    product({scratch.hidden[2].data(), 1, kHidden}, kHidden, by_outputs, kOutputs, n, Start::zero, nullptr,
            gradient + shape.last(), kOutputs, kOutputs);
    product({scratch.inputs.data(), 1, shape.n_inputs}, shape.n_inputs, by_outputs, kOutputs, n, Start::zero,
            nullptr, gradient + shape.skip(), kSkipped, kSkipped);
    sum_rows(by_outputs, n, kOutputs, gradient + shape.last_bias());
    transpose(parameters + shape.last(), kHidden, kOutputs, transposed);
    product({by_outputs, kOutputs, 1}, n, transposed, kHidden, 3 * kNormals, Start::zero, nullptr, by_hidden,
            kHidden, kHidden);
    const std::size_t weights[3] = {shape.first(), shape.second(), shape.third()};
    const std::size_t biases[3] = {shape.first_bias(), shape.second_bias(), shape.third_bias()};
    for (std::size_t layer = 3; layer-- > 0;) {
        const bool is_first = layer == 0;
        const float* before = is_first ? scratch.inputs.data() : scratch.hidden[layer - 1].data();
        const std::size_t n_before = is_first ? shape.n_inputs : kHidden;
        multiply(by_hidden, scratch.cosines[layer].data(), n * kHidden, by_sines);
        product({before, 1, n_before}, n_before, by_sines, kHidden, n, Start::zero, nullptr,
                gradient + weights[layer], kHidden, kHidden);
        sum_rows(by_sines, n, kHidden, gradient + biases[layer]);
        if (is_first) break;
        transpose(parameters + weights[layer], kHidden, kHidden, transposed);
        product({by_sines, kHidden, 1}, n, transposed, kHidden, kHidden, Start::target, nullptr, by_hidden,
                kHidden, kHidden);
    }
}

// The sum of (scale·values)². Sixteen sums in every width, so that all give the same bytes; one sum alone, in
// double precision, took an eighth of training, since each addition waits for the one before.
float squared_norm(const float* values, std::size_t n, float scale) {
    constexpr std::size_t n_sums = 16;
    Lanes sums[n_sums / kLanes]{};
    for (std::size_t i = 0; i < n; i += n_sums) {
        for (std::size_t v = 0; v < n_sums / kLanes; ++v) {
            const Lanes scaled = load(values + i + v * kLanes) * scale;
            sums[v] = fused(scaled, scaled, sums[v]);
        }
    }
    alignas(64) float parts[n_sums];
    for (std::size_t v = 0; v < n_sums / kLanes; ++v) store(sums[v], parts + v * kLanes);
    return std::accumulate(parts, parts + n_sums, 0.0f);
}

void adam(const AdamStep& step, const float* gradient, std::size_t n, TrainedParameters at) {
    for (std::size_t i = 0; i < n; i += kLanes) {
        const Lanes g = load(gradient + i) * step.scale;
        const Lanes m = fused(all(0.1f), g - load(at.first + i), load(at.first + i));
        const Lanes v = fused(all(0.001f), g * g - load(at.second + i), load(at.second + i));
        store(m, at.first + i);
        store(v, at.second + i);
        const Lanes spread = root(v * step.second_correction) + 1e-8f;
        const Lanes moved =
            (load(at.values + i) - step.rate * step.first_correction * m / spread) * step.shrinkage;
        store(moved, at.values + i);
        store(load(at.means + i) + step.newest * (moved - load(at.means + i)), at.means + i);
    }
}

constexpr NetworkKernels network_kernels_of_this_file(const char* name) {
    return {forward, losses, backward, squared_norm, adam, locate_values, quantile_values, name};
}

}  // namespace

}  // namespace boxwood
