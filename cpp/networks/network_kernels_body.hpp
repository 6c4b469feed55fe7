// The kernels of sine networks for the instruction set that the including file is compiled for.
#pragma once

#include <algorithm>

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

// Lanes hold rows here: [output][row].
struct RowTile {
    alignas(64) float values[3 * kNormals][kLanes];
};

// A mixture's negative log-density, and in place of its parameters weight times the gradient by them.
BOXWOOD_INLINE Lanes mixture_loss(RowTile& tile, Lanes target, Lanes weight) {
    Lanes logits[kNormals], joint[kNormals], away[kNormals], inverse[kNormals];
    Lanes most_logit = all(-1e30f), most_joint = all(-1e30f);
    for (std::size_t k = 0; k < kNormals; ++k) {
        const Lanes raw = load(tile.values[kLogDeviations + k]);
        const Lanes log_deviation = larger(smaller(raw, all(kMostLogDeviation)), all(kLeastLogDeviation));
        logits[k] = load(tile.values[kLogits + k]);
        inverse[k] = exponential(-log_deviation);
        away[k] = (target - load(tile.values[kMeans + k])) * inverse[k];
        joint[k] = fused(-0.5f * away[k], away[k], logits[k] - log_deviation);
        most_logit = larger(most_logit, logits[k]);
        most_joint = larger(most_joint, joint[k]);
    }
    Lanes sum_logits{}, sum_joint{};
    for (std::size_t k = 0; k < kNormals; ++k) {
        logits[k] = exponential(logits[k] - most_logit);
        joint[k] = exponential(joint[k] - most_joint);
        sum_logits += logits[k];
        sum_joint += joint[k];
    }
    const Lanes by_logits = weight / sum_logits, by_joint = weight / sum_joint;
    for (std::size_t k = 0; k < kNormals; ++k) {
        const Lanes raw = load(tile.values[kLogDeviations + k]);
        const Lanes posterior = joint[k] * by_joint;
        const IntLanes inside = (raw > kLeastLogDeviation) & (raw < kMostLogDeviation);
        const Lanes by_deviation = posterior * fused(-away[k], away[k], all(1.0f));
        store(fused(logits[k], by_logits, -posterior), tile.values[kLogits + k]);
        store(-posterior * away[k] * inverse[k], tile.values[kMeans + k]);
        store(pick(inside, by_deviation, Lanes{}), tile.values[kLogDeviations + k]);
    }
    constexpr float log_root_2pi = 0.918938533f;
    return (most_logit + logarithm(sum_logits)) - (most_joint + logarithm(sum_joint)) + log_root_2pi;
}

void losses(const float* targets, const float* weights, std::size_t n, NetworkScratch& scratch) {
    alignas(64) float target[kLanes] = {}, weight[kLanes] = {}, found[kLanes];
    RowTile tile{};
    for (std::size_t begin = 0; begin < n; begin += kLanes) {
        const std::size_t size = std::min(kLanes, n - begin);
        const float* outputs = scratch.outputs.data() + begin * kOutputs;
        for (std::size_t i = 0; i < size; ++i) {
            target[i] = targets[begin + i];
            weight[i] = weights[begin + i];
            for (std::size_t j = 0; j < 3 * kNormals; ++j) tile.values[j][i] = outputs[i * kOutputs + j];
        }
        store(mixture_loss(tile, load(target), load(weight)), found);
        float* gradient = scratch.output_gradient.data() + begin * kOutputs;
        for (std::size_t i = 0; i < size; ++i) {
            scratch.losses[begin + i] = found[i];
            for (std::size_t j = 0; j < 3 * kNormals; ++j) gradient[i * kOutputs + j] = tile.values[j][i];
        }
    }
}

inline void sum_rows(const float* rows, std::size_t n, std::size_t n_columns, float* sums) {
    for (std::size_t j = 0; j < n_columns; j += kLanes) {
        Lanes sum{};
        for (std::size_t i = 0; i < n; ++i) sum += load(rows + i * n_columns + j);
        store(sum, sums + j);
    }
}

inline void transpose(const float* matrix, std::size_t n_rows, std::size_t n_columns, float* transposed) {
    for (std::size_t i = 0; i < n_rows; ++i)
        for (std::size_t j = 0; j < n_columns; ++j) transposed[j * n_rows + i] = matrix[i * n_columns + j];
}

inline void multiply(float* values, const float* by, std::size_t n) {
    for (std::size_t i = 0; i < n; i += kLanes) store(load(values + i) * load(by + i), values + i);
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
        std::copy_n(by_hidden, n * kHidden, by_sines);
        multiply(by_sines, scratch.cosines[layer].data(), n * kHidden);
        product({before, 1, n_before}, n_before, by_sines, kHidden, n, Start::zero, nullptr,
                gradient + weights[layer], kHidden, kHidden);
        sum_rows(by_sines, n, kHidden, gradient + biases[layer]);
        if (is_first) break;
        transpose(parameters + weights[layer], kHidden, kHidden, transposed);
        product({by_sines, kHidden, 1}, n, transposed, kHidden, kHidden, Start::target, nullptr, by_hidden,
                kHidden, kHidden);
    }
}

// The arrays are padded to whole registers of the widest kind.
void adam(const AdamStep& step, const float* gradient, std::size_t n, float* parameters, float* first,
          float* second) {
    for (std::size_t i = 0; i < n; i += kLanes) {
        const Lanes g = load(gradient + i) * step.scale;
        const Lanes m = fused(all(0.1f), g - load(first + i), load(first + i));
        const Lanes v = fused(all(0.001f), g * g - load(second + i), load(second + i));
        store(m, first + i);
        store(v, second + i);
        const Lanes spread = root(v * step.second_correction) + 1e-8f;
        store(load(parameters + i) - step.rate * step.first_correction * m / spread, parameters + i);
    }
}

constexpr NetworkKernels network_kernels_of_this_file(const char* name) {
    return {forward, losses, backward, adam, name};
}

}  // namespace

}  // namespace boxwood
