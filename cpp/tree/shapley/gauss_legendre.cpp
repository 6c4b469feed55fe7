#include "tree/shapley/gauss_legendre.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace boxwood {

namespace {

// The Legendre polynomial of degree n at x, and its derivative.
std::pair<double, double> legendre(std::size_t n, double x) {
    double before = 1.0, value = x;
    for (std::size_t k = 2; k <= n; ++k) {
        const auto degree = static_cast<double>(k);
        const double next = ((2.0 * degree - 1.0) * x * value - (degree - 1.0) * before) / degree;
        before = value;
        value = next;
    }
    return {value, static_cast<double>(n) * (x * value - before) / (x * x - 1.0)};
}

}  // namespace

Quadrature gauss_legendre(std::size_t n) {
    Quadrature rule{std::vector<double>(n), std::vector<double>(n)};
    const auto count = static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) {
        // Newton's steps from Chebyshev's points: quadratic from the start.
        double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (count + 0.5));
        for (int step = 0; step < 20; ++step) {
            const auto [value, slope] = legendre(n, x);
            x -= value / slope;
        }
        const double slope = legendre(n, x).second;
        rule.points[i] = 0.5 * (1.0 - x);
        rule.weights[i] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
    return rule;
}

}  // namespace boxwood
