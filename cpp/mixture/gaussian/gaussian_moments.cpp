#include "mixture/gaussian/gaussian_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/normal_distribution.hpp"

namespace boxwood {

namespace {

// Below these the differences of the closed forms are mostly rounding.
constexpr double smallest_mass = 1e-6;
constexpr double narrowest = 0.05;  // in deviations
// Of the box's width: rows in one place have no deviation, but for rounding (of a variance about 1e-16).
constexpr double smallest_deviation = 1e-6;

double density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi); }

}  // namespace

GaussianMoments moments_inside(const GaussianMoments& gaussian, double low, double high) {
    const double width = high - low;
    const GaussianMoments uniform{0.5 * (low + high), width * width / 12.0};
    const double deviation = std::sqrt(gaussian.variance);
    if (!(width > narrowest * deviation) || !(deviation > smallest_deviation * width)) return uniform;
    const double a = (low - gaussian.mean) / deviation;
    const double b = (high - gaussian.mean) / deviation;
    const double mass = normal_mass(a, b);
    if (!(mass > smallest_mass)) return uniform;
    const double shift = (density(a) - density(b)) / mass;
    const double spread = 1.0 + (a * density(a) - b * density(b)) / mass - shift * shift;
    return {std::clamp(gaussian.mean + deviation * shift, low, high),
            std::clamp(gaussian.variance * spread, 0.0, uniform.variance)};
}

GaussianMoments pooled_moments(const GaussianMoments& rows, double n, const GaussianMoments& expected,
                               double prior) {
    if (!(n + prior > 0.0)) return expected;
    const double fraction = n / (n + prior);
    const double apart = rows.mean - expected.mean;
    return {fraction * rows.mean + (1.0 - fraction) * expected.mean,
            fraction * rows.variance + (1.0 - fraction) * expected.variance +
                fraction * (1.0 - fraction) * apart * apart};
}

}  // namespace boxwood
