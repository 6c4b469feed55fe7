#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/normal_distribution.hpp"
#include "mixture/gaussian/normal_box_mass.hpp"
#include "tests/check.hpp"

using boxwood::normal_box_mass;
using boxwood::normal_cdf;
using boxwood::normal_mass;
using boxwood::row_of_triangle;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The factor of a covariance of ones with this correlation between any two.
std::vector<double> equicorrelated(std::size_t n, double correlation) {
    std::vector<double> factor(row_of_triangle(n), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double rest = i == j ? 1.0 : correlation;
            for (std::size_t k = 0; k < j; ++k)
                rest -= factor[row_of_triangle(i) + k] * factor[row_of_triangle(j) + k];
            factor[row_of_triangle(i) + j] = i == j ? std::sqrt(rest) : rest / factor[row_of_triangle(j) + j];
        }
    }
    return factor;
}

// The same box by the one variable that all have in common: √ρ·t + √(1−ρ)·own.
double by_common_part(std::size_t n, double correlation, double low, double high) {
    const int steps = 20000;
    double sum = 0.0;
    for (int i = 0; i < steps; ++i) {
        const double t = -9.0 + 18.0 * (i + 0.5) / steps;
        const double shift = std::sqrt(correlation) * t;
        const double own = std::sqrt(1.0 - correlation);
        sum += std::exp(-0.5 * t * t) *
               std::pow(normal_mass((low - shift) / own, (high - shift) / own), static_cast<double>(n));
    }
    return sum * 18.0 / steps / std::sqrt(2.0 * std::numbers::pi);
}

}  // namespace

CASE("independent coordinates multiply", {
    for (std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}}) {
        const std::vector<double> low(n, -0.7);
        const std::vector<double> high(n, 1.3);
        const double expected = std::pow(normal_mass(-0.7, 1.3), static_cast<double>(n));
        CHECK(std::abs(normal_box_mass(equicorrelated(n, 0.0), low, high) / expected - 1.0) < 1e-12);
    }
});

CASE("two coordinates: orthants of every correlation", {
    for (double correlation : {-0.999, -0.9, -0.3, 0.0, 0.5, 0.95, 0.999}) {
        const std::vector<double> factor = {1.0, correlation, std::sqrt(1.0 - correlation * correlation)};
        const std::vector<double> low = {-infinity, -infinity};
        const std::vector<double> high = {0.0, 0.0};
        const double expected = 0.25 + std::asin(correlation) / (2.0 * std::numbers::pi);
        CHECK(std::abs(normal_box_mass(factor, low, high) - expected) < 1e-10);
    }
});

CASE("orthants of correlation a half have mass 1/(n + 1)", {
    for (std::size_t n = 2; n <= 10; ++n) {
        const std::vector<double> low(n, 0.0);
        const std::vector<double> high(n, infinity);
        const double expected = 1.0 / (static_cast<double>(n) + 1.0);
        CHECK(std::abs(normal_box_mass(equicorrelated(n, 0.5), low, high) / expected - 1.0) < 2e-3);
    }
});

CASE("boxes around the mean, as leaves have them", {
    for (std::size_t n : {std::size_t{2}, std::size_t{3}, std::size_t{5}, std::size_t{10}}) {
        for (double correlation : {0.2, 0.5, 0.8, 0.95}) {
            for (double high : {0.5, 1.0, 2.0, infinity}) {
                const std::vector<double> lows(n, -1.5);
                const std::vector<double> highs(n, high);
                const double got = normal_box_mass(equicorrelated(n, correlation), lows, highs);
                const double expected = by_common_part(n, correlation, -1.5, high);
                CHECK(std::abs(got / expected - 1.0) < (n == 2 ? 1e-10 : n <= 5 ? 1e-4 : 1e-3));
                const double roughly = normal_box_mass(equicorrelated(n, correlation), lows, highs, 128);
                CHECK(std::abs(roughly / expected - 1.0) < (n == 2 ? 1e-10 : n <= 5 ? 1e-2 : 3e-2));
            }
        }
    }
});

CASE("deviations of coordinates scale the box", {
    const std::vector<double> low = {-0.02, -0.1, -3.0};
    const std::vector<double> high = {0.01, 0.3, 1.0};
    std::vector<double> factor = equicorrelated(3, 0.4);
    const double scale[] = {0.01, 0.2, 3.0};
    std::vector<double> scaled = factor;
    std::vector<double> unit_low;
    std::vector<double> unit_high;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j <= i; ++j) scaled[row_of_triangle(i) + j] *= scale[i];
        unit_low.push_back(low[i] / scale[i]);
        unit_high.push_back(high[i] / scale[i]);
    }
    CHECK(std::abs(normal_box_mass(scaled, low, high) - normal_box_mass(factor, unit_low, unit_high)) <
          1e-12);
});

CHECK_MAIN()
