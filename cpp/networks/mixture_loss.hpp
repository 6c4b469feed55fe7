// Negative log-densities of mixtures of normals and their gradients, several rows at once.
#pragma once

#include <algorithm>
#include <cstddef>

#include "networks/lanes.hpp"
#include "networks/network_kernels.hpp"

namespace boxwood {

namespace {  // a version a file

constexpr float kLogRoot2Pi = 0.918938533f, kInverseRoot2Pi = 0.398942280f;
// Up to this width in deviations (times one more than the distance) two terms of a series are the mean
// density.
constexpr float kNarrow = 0.5f;

// The log-density of a normal, its mean over an interval, and the derivatives by mean and log-deviation.
struct NormalTerm {
    Lanes log_density, by_mean, by_log_deviation;
};

// `away`: of the interval's middle from the mean, `width`: of it, both in deviations; `inverse`: of the
// latter.
BOXWOOD_INLINE NormalTerm narrow_term(Lanes away, Lanes width, Lanes log_deviation, Lanes inverse) {
    const Lanes squared = away * away, bent = width * width * (1.0f / 24.0f);
    return {fused(-0.5f * away, away, -log_deviation - kLogRoot2Pi) + bent * (squared - 1.0f),
            away * inverse * (1.0f - 2.0f * bent), squared - 1.0f + 2.0f * bent * (1.0f - 2.0f * squared)};
}

// The mass above x ≥ 0 over e^(−x²/2), within 3e-7 relatively: t·e^(p(t)) with p by Chebyshev's polynomials.
BOXWOOD_INLINE Lanes scaled_tail(Lanes x) {
    const Lanes t = 1.0f / fused(x, all(0.353553391f), all(1.0f));
    Lanes p = fused(t, all(0.17087277f), all(-0.82215223f));
    p = fused(t, p, all(1.48851587f));
    p = fused(t, p, all(-1.13520398f));
    p = fused(t, p, all(0.27886807f));
    p = fused(t, p, all(-0.18628806f));
    p = fused(t, p, all(0.09678418f));
    p = fused(t, p, all(0.37409196f));
    p = fused(t, p, all(1.00002368f));
    p = fused(t, p, all(-1.26551223f));
    return 0.5f * t * exponential(p);
}

// Edges at x₀ < x₁ from the mean, mirrored so that the middle is above it. The mass is e^(−x₀²/2)·part where
// x₀ > 0, else `part` itself.
BOXWOOD_INLINE NormalTerm wide_term(Lanes away, Lanes width, Lanes log_width, Lanes inverse) {
    const Lanes distance = larger(away, -away);
    const Lanes near = distance - 0.5f * width, far = distance + 0.5f * width;
    const IntLanes outside = near > 0.0f;
    const Lanes y = larger(near, -near);
    const Lanes at_near = pick(outside, all(1.0f), exponential(-0.5f * y * y));
    const Lanes at_far = exponential(pick(outside, -distance * width, -0.5f * far * far));
    const Lanes tails = at_near * scaled_tail(y), beyond = at_far * scaled_tail(far);
    const Lanes part = larger(pick(outside, tails - beyond, 1.0f - tails - beyond), all(1e-30f));
    const Lanes near_ratio = kInverseRoot2Pi * at_near / part, far_ratio = kInverseRoot2Pi * at_far / part;
    const Lanes by_mean = (near_ratio - far_ratio) * inverse;
    return {logarithm(part) - pick(outside, 0.5f * y * y, Lanes{}) - log_width,
            pick(away < 0.0f, -by_mean, by_mean), near * near_ratio - far * far_ratio};
}

// Lanes hold rows here: [output][row].
struct RowTile {
    alignas(64) float values[3 * kNormals][kLanes];
};

BOXWOOD_INLINE Lanes clipped(Lanes log_deviation) {
    return larger(smaller(log_deviation, all(kMostLogDeviation)), all(kLeastLogDeviation));
}

// A mixture's negative log-density, and in place of its parameters weight times the gradient by them.
template <bool kIntervals>
BOXWOOD_INLINE Lanes mixture_loss(RowTile& tile, Lanes middle, Lanes width, Lanes weight) {
    Lanes logits[kNormals], joint[kNormals];
    NormalTerm terms[kNormals];
    Lanes most_logit = all(-1e30f), most_joint = all(-1e30f);
    const Lanes log_width = kIntervals ? logarithm(larger(width, all(1e-30f))) : Lanes{};
    for (std::size_t k = 0; k < kNormals; ++k) {
        const Lanes log_deviation = clipped(load(tile.values[kLogDeviations + k]));
        const Lanes inverse = exponential(-log_deviation);
        const Lanes away = (middle - load(tile.values[kMeans + k])) * inverse;
        terms[k] = narrow_term(away, width * inverse, log_deviation, inverse);
        if (kIntervals) {
            const Lanes own = width * inverse;
            const IntLanes narrow = own * (1.0f + larger(away, -away)) < kNarrow;
            const NormalTerm wide = wide_term(away, own, log_width, inverse);
            terms[k] = {pick(narrow, terms[k].log_density, wide.log_density),
                        pick(narrow, terms[k].by_mean, wide.by_mean),
                        pick(narrow, terms[k].by_log_deviation, wide.by_log_deviation)};
        }
        logits[k] = load(tile.values[kLogits + k]);
        joint[k] = logits[k] + terms[k].log_density;
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
        const IntLanes inside = (raw > kLeastLogDeviation) & (raw < kMostLogDeviation);
        const Lanes posterior = joint[k] * by_joint;
        store(fused(logits[k], by_logits, -posterior), tile.values[kLogits + k]);
        store(-posterior * terms[k].by_mean, tile.values[kMeans + k]);
        store(pick(inside, -posterior * terms[k].by_log_deviation, Lanes{}), tile.values[kLogDeviations + k]);
    }
    return (most_logit + logarithm(sum_logits)) - (most_joint + logarithm(sum_joint));
}

inline void losses(const NetworkTargets& targets, std::size_t n, NetworkScratch& scratch) {
    alignas(64) float middle[kLanes] = {}, width[kLanes] = {}, weight[kLanes] = {}, found[kLanes];
    RowTile tile{};
    const bool intervals = std::any_of(targets.widths, targets.widths + n, [](float w) { return w > 0.0f; });
    for (std::size_t begin = 0; begin < n; begin += kLanes) {
        const std::size_t size = std::min(kLanes, n - begin);
        const float* outputs = scratch.outputs.data() + begin * kOutputs;
        std::copy_n(targets.middles + begin, size, middle);
        std::copy_n(targets.widths + begin, size, width);
        std::copy_n(targets.weights + begin, size, weight);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < 3 * kNormals; ++j) tile.values[j][i] = outputs[i * kOutputs + j];
        store(intervals ? mixture_loss<true>(tile, load(middle), load(width), load(weight))
                        : mixture_loss<false>(tile, load(middle), Lanes{}, load(weight)),
              found);
        float* gradient = scratch.output_gradient.data() + begin * kOutputs;
        std::copy_n(found, size, scratch.losses.data() + begin);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < 3 * kNormals; ++j) gradient[i * kOutputs + j] = tile.values[j][i];
    }
}

}  // namespace

}  // namespace boxwood
