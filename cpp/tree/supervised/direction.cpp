#include "tree/supervised/direction.hpp"

#include <algorithm>
#include <cmath>

namespace boxwood {

namespace {

// Fraction of each variance that is added to it: nodes have few rows, and columns may depend on each other.
constexpr double shrinkage = 1e-2;
// Of the largest; smaller ones are noise and cost space.
constexpr double smallest_fraction = 1e-2;

// Solves A·x = b for a positive definite A (lower half, row-major) in place.
void solve(std::vector<double>& a, std::vector<double>& b) {
    const std::size_t m = b.size();
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = a[i * m + j];
            for (std::size_t k = 0; k < j; ++k) sum -= a[i * m + k] * a[j * m + k];
            a[i * m + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j * m + j];
        }
    }
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * m + k] * b[k];
        b[i] /= a[i * m + i];
    }
    for (std::size_t i = m; i-- > 0;) {
        for (std::size_t k = i + 1; k < m; ++k) b[i] -= a[k * m + i] * b[k];
        b[i] /= a[i * m + i];
    }
}

}  // namespace

Direction fit_direction(std::span<const std::uint32_t> columns, std::span<const double> numbers,
                        std::span<const double> targets, std::span<const double> weights) {
    const std::size_t m = columns.size();
    const std::size_t n = targets.size();
    double total = 0.0;
    double target_mean = 0.0;
    std::vector<double> mean(m, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        total += weights[i];
        target_mean += weights[i] * targets[i];
        for (std::size_t j = 0; j < m; ++j) mean[j] += weights[i] * numbers[i * m + j];
    }
    for (double& value : mean) value /= total;
    target_mean /= total;
    std::vector<double> scale(m, 0.0);  // deviations: the system is solved for standardised columns
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j)
            scale[j] += weights[i] * (numbers[i * m + j] - mean[j]) * (numbers[i * m + j] - mean[j]);
    }
    for (double& value : scale) value = std::sqrt(value / total);
    std::vector<double> products(m * m, 0.0);
    std::vector<double> solution(m, 0.0);
    std::vector<double> row(m);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j)
            row[j] = scale[j] > 0.0 ? (numbers[i * m + j] - mean[j]) / scale[j] : 0.0;
        for (std::size_t j = 0; j < m; ++j) {
            solution[j] += weights[i] * row[j] * (targets[i] - target_mean);
            for (std::size_t k = 0; k <= j; ++k) products[j * m + k] += weights[i] * row[j] * row[k];
        }
    }
    for (std::size_t j = 0; j < m; ++j) {
        for (std::size_t k = 0; k <= j; ++k) products[j * m + k] /= total;
        products[j * m + j] += shrinkage;
    }
    solve(products, solution);
    double largest = 0.0;
    for (std::size_t j = 0; j < m; ++j) {
        if (!(scale[j] > 0.0) || !std::isfinite(solution[j])) solution[j] = 0.0;
        largest = std::max(largest, std::abs(solution[j]));
    }
    Direction direction;
    for (std::size_t j = 0; j < m; ++j) {
        if (!(std::abs(solution[j]) > smallest_fraction * largest)) continue;
        const auto weight = static_cast<float>(solution[j] / largest / scale[j]);
        if (std::isfinite(weight) && weight != 0.0f) direction.emplace_back(columns[j], weight);
    }
    std::sort(direction.begin(), direction.end());
    if (direction.size() < 2) direction.clear();
    return direction;
}

}  // namespace boxwood
