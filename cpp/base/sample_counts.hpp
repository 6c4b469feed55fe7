// Random counts: how often a row of some weight is drawn.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.hpp"

namespace boxwood {

// Up to this mean a count is drawn exactly, beyond it by the normal distribution.
inline constexpr double exact_up_to = 200.0;

inline double normal_count(double mean, double variance, Draws& draws) {
    const double radius = std::sqrt(-2.0 * std::log1p(-draws.uniform()));
    const double angle = 2.0 * std::numbers::pi * draws.uniform();
    return std::max(0.0, std::round(mean + std::sqrt(variance) * radius * std::cos(angle)));
}

// `none`: the probability of 0, exp(−mean), for those who draw many of one mean.
inline double poisson_count(double mean, double none, Draws& draws) {
    if (mean > exact_up_to) return normal_count(mean, mean, draws);
    const double uniform = draws.uniform();
    double term = none;
    double below = term;
    double k = 0.0;
    while (uniform >= below && term > 0.0) {
        k += 1.0;
        term *= mean / k;
        below += term;
    }
    return k;
}

inline double poisson_count(double mean, Draws& draws) { return poisson_count(mean, std::exp(-mean), draws); }

inline double binomial_count(double n, double fraction, Draws& draws) {
    if (n > exact_up_to)
        return std::min(n, normal_count(n * fraction, n * fraction * (1.0 - fraction), draws));
    double count = 0.0;
    for (double i = 0.0; i < n; i += 1.0) count += draws.uniform() < fraction ? 1.0 : 0.0;
    return count;
}

}  // namespace boxwood
