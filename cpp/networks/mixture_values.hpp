// Distribution functions, densities and quantiles of mixtures of normals, of several rows at once and in
// double precision.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "networks/double_lanes.hpp"
#include "networks/network_kernels.hpp"

namespace boxwood {

namespace {  // a version a file

// The mass of the standard normal distribution above x ≥ 0 over e^(−x²/2), within 6e-16 relatively: (1 + x)
// times that is nearly constant, and a polynomial of (x − 5)/(x + 5) by Chebyshev's interpolation.
BOXWOOD_INLINE Doubles tail_ratio(Doubles x) {
    constexpr double series[] = {
        0.46151582985003775,    -0.09155228183401112,   0.031030368425963708,    0.010002352385413518,
        -0.026401042966308307,  0.024536963238891124,   -0.015170415402514863,   0.0065220007252342425,
        -0.00167607234455447,   7.79121440702919e-06,   0.00018233414511643843,  -5.360602125091952e-05,
        -9.896097759279782e-06, 9.055745037072721e-06,  -7.034644683537101e-08,  -1.3004549261799018e-06,
        1.27878221820937e-07,   1.8846163807542468e-07, -2.6286205089898754e-08, -2.54667816805072e-08,
        3.627373163401201e-09,  2.2070652717459774e-09, -2.8220772290629865e-10};
    x = smaller(x, all(1e100));
    const Doubles beside = x + 5.0;
    const Doubles inverse = 1.0 / (beside * (x + 1.0));
    return polynomial(series, (x - 5.0) * inverse * (x + 1.0)) * inverse * beside;
}

// One mixture a lane.
struct MixtureLanes {
    Doubles weights[kNormals], means[kNormals], deviations[kNormals], inverses[kNormals],
        log_factors[kNormals];

    // From the outputs of a network for `size` rows.
    BOXWOOD_INLINE MixtureLanes(const float* outputs, std::size_t size) {
        alignas(64) double values[3 * kNormals][kDoubles] = {};
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < 3 * kNormals; ++j) values[j][i] = outputs[i * kOutputs + j];
        Doubles most = load(values[kLogits]), sum{};
        for (std::size_t k = 1; k < kNormals; ++k) most = larger(most, load(values[kLogits + k]));
        for (std::size_t k = 0; k < kNormals; ++k) {
            weights[k] = exponential(load(values[kLogits + k]) - most);
            sum += weights[k];
        }
        const Doubles by_sum = 1.0 / sum, log_sum = logarithm(sum) + most + 0.91893853320467274178;
        for (std::size_t k = 0; k < kNormals; ++k) {
            const Doubles log_deviation =
                larger(smaller(load(values[kLogDeviations + k]), all(double{kMostLogDeviation})),
                       all(double{kLeastLogDeviation}));
            log_factors[k] = load(values[kLogits + k]) - log_sum - log_deviation;
            weights[k] *= by_sum;
            means[k] = load(values[kMeans + k]);
            deviations[k] = exponential(log_deviation);
            inverses[k] = 1.0 / deviations[k];
        }
    }

    struct Value {
        Doubles below, above;       // masses on either side: the smaller one is exact
        Doubles most, sum, slopes;  // the density is e^most·sum, its derivative e^most·slopes
    };

    BOXWOOD_INLINE Value at(Doubles z) const {
        Doubles away[kNormals], logs[kNormals];
        for (std::size_t k = 0; k < kNormals; ++k) {
            away[k] = (z - means[k]) * inverses[k];
            logs[k] = fused(-0.5 * away[k], away[k], log_factors[k]);
        }
        Value value{{}, {}, logs[0], {}, {}};
        for (std::size_t k = 1; k < kNormals; ++k) value.most = larger(value.most, logs[k]);
        const Doubles scale = exponential(value.most) * 2.5066282746310005024;  // √(2π)
        for (std::size_t k = 0; k < kNormals; ++k) {
            const Doubles part = exponential(logs[k] - value.most);
            const LongLanes left = away[k] < 0.0;
            const Doubles tail = part * scale * deviations[k] * tail_ratio(magnitude(away[k]));
            value.below += pick(left, tail, weights[k] - tail);
            value.above += pick(left, weights[k] - tail, tail);
            value.sum += part;
            value.slopes = fused(-away[k] * inverses[k], part, value.slopes);
        }
        return value;
    }

    struct Masses {
        Doubles below, between;
    };

    // Below `low`, and from it to `high`, by the tail that does not cancel.
    BOXWOOD_INLINE Masses masses(Doubles low, Doubles high) const {
        Masses found{};
        for (std::size_t k = 0; k < kNormals; ++k) {
            const Doubles a = (low - means[k]) * inverses[k], b = (high - means[k]) * inverses[k];
            const Doubles at_a = tail(magnitude(a)), at_b = tail(magnitude(b));
            const Doubles between = pick(a > 0.0, at_a - at_b, pick(b < 0.0, at_b - at_a, 1.0 - at_a - at_b));
            found.below = fused(weights[k], pick(a < 0.0, at_a, 1.0 - at_a), found.below);
            found.between = fused(weights[k], between, found.between);
        }
        return found;
    }

    // The quantile of the normal into whose share of the masses, in the order of the means, the level falls:
    // with sharp normals far apart it is nearly the mixture's, where steps from the mean have to find the
    // right one.
    BOXWOOD_INLINE Doubles first_guess(Doubles below) const {
        Doubles mean = means[0], deviation = deviations[0], level = all(0.5);
        for (std::size_t k = 0; k < kNormals; ++k) {
            Doubles before{};
            for (std::size_t j = 0; j < kNormals; ++j) {
                const LongLanes earlier = j < k ? means[j] <= means[k] : means[j] < means[k];
                before += pick(earlier, weights[j], Doubles{});
            }
            const LongLanes here = (before < below) & (below <= before + weights[k]);
            mean = pick(here, means[k], mean);
            deviation = pick(here, deviations[k], deviation);
            level = pick(here, (below - before) / weights[k], level);
        }
        level = larger(smaller(level, all(1.0 - 1e-3)), all(1e-3));
        // A logistic distribution of this deviation is nearly normal.
        return mean + 0.58 * deviation * logarithm(level / (1.0 - level));
    }

    // Where a mass of `below` lies to the left, `above` = 1 − below to the right: by Halley's steps within
    // bounds. The last one is so small that its error, a multiple of its cube, is below rounding.
    BOXWOOD_INLINE Doubles quantiles(Doubles below, Doubles above) const {
        constexpr int most_steps = 200;
        constexpr double last_step = 1e-8, closest = 1e-15, rounding_of = 4e-16;
        const LongLanes lower_half = below < above;
        const Doubles mass = smaller(below, above);
        // Φ(−x) ≤ ½·e^(−x²/2): no normal has the mass further out, 38 deviations at the most, and none above
        // its mean.
        const Doubles deviate =
            root(larger(-2.0 * logarithm(larger(2.0 * mass, all(1e-307))), all(0.0))) + 1e-9;
        Doubles low = all(1e300), high = all(-1e300);
        for (std::size_t k = 0; k < kNormals; ++k) {
            const Doubles outer = deviate * deviations[k], rounding = 1e-9 * deviations[k];
            low = smaller(low, means[k] - pick(lower_half, outer, rounding));
            high = larger(high, means[k] + pick(lower_half, rounding, outer));
        }
        Doubles z = larger(smaller(first_guess(below), high), low);
        z = pick(mass > 0.0, z, pick(lower_half, low, high));
        LongLanes active = mass > 0.0;
        for (int n_steps = 0; n_steps < most_steps && any(active); ++n_steps) {
            const Value here = at(z);
            // By the smaller mass, which does not cancel.
            const Doubles excess = pick(lower_half, here.below - below, above - here.above);
            high = pick(active & (excess > 0.0), z, high);
            low = pick(active & (excess <= 0.0), z, low);
            const Doubles newton = excess / (exponential(here.most) * here.sum);
            const Doubles bend = larger(1.0 - 0.5 * newton * here.slopes / here.sum, all(0.5));
            const Doubles step = newton / bend;
            const Doubles next = z - step;
            const LongLanes inside = (next > low) & (next < high),
                            exact = magnitude(excess) <= rounding_of * mass;
            const Doubles moved = pick(exact, z, pick(inside, next, 0.5 * (low + high)));
            const LongLanes small = magnitude(step) <= last_step;
            z = pick(active & (inside | ~small), moved, z);
            active &= ~(exact | small) & (high - low > closest * (1.0 + magnitude(z)));
        }
        return z;
    }

  private:
    static BOXWOOD_INLINE Doubles tail(Doubles x) { return exponential(-0.5 * x * x) * tail_ratio(x); }
};

// Calls visit(first row, how many) for groups of rows, as many as there are lanes.
template <class Visit>
BOXWOOD_INLINE void for_each_group(std::size_t n, const Visit& visit) {
    for (std::size_t begin = 0; begin < n; begin += kDoubles) visit(begin, std::min(kDoubles, n - begin));
}

void locate_values(const float* outputs, std::size_t n, const double* low, const double* high, double* below,
                   double* logs) {
    alignas(64) double from[kDoubles] = {}, to[kDoubles] = {}, masses[kDoubles], found[kDoubles];
    for_each_group(n, [&](std::size_t begin, std::size_t size) {
        std::copy_n(low + begin, size, from);
        std::copy_n(high + begin, size, to);
        const MixtureLanes mixtures(outputs + begin * kOutputs, size);
        const LongLanes intervals = load(from) < load(to);
        Doubles mass{}, log{};
        if (any(~intervals)) {
            const MixtureLanes::Value value = mixtures.at(load(from));
            mass = pick(value.below < value.above, value.below, 1.0 - value.above);
            log = value.most + logarithm(value.sum);
        }
        if (any(intervals)) {
            const MixtureLanes::Masses of_intervals = mixtures.masses(load(from), load(to));
            const Doubles least = all(std::numeric_limits<double>::min());
            mass = pick(intervals, of_intervals.below, mass);
            log = pick(intervals, logarithm(larger(of_intervals.between, least)), log);
        }
        store(mass, masses);
        store(log, found);
        std::copy_n(masses, size, below + begin);
        std::copy_n(found, size, logs + begin);
    });
}

void quantile_values(const float* outputs, std::size_t n, const double* levels, double* scores) {
    alignas(64) double level[kDoubles], found[kDoubles];
    std::fill_n(level, kDoubles, 0.5);
    for_each_group(n, [&](std::size_t begin, std::size_t size) {
        std::copy_n(levels + begin, size, level);
        const MixtureLanes mixtures(outputs + begin * kOutputs, size);
        store(mixtures.quantiles(load(level), 1.0 - load(level)), found);
        std::copy_n(found, size, scores + begin);
    });
}

}  // namespace

}  // namespace boxwood
