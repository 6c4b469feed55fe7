#include "mixture/gaussian/full_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "base/normal_distribution.hpp"

namespace boxwood {

namespace {

// A box in which so many draws in a row fail has next to none of the normal's mass: the last one is taken.
constexpr int most_draws = 1000000;

const double log_root_2_pi = 0.5 * std::log(2.0 * std::numbers::pi);

double log_diagonal(std::span<const double> factor, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += std::log(factor[row_of_triangle(i) + i]);
    return sum;
}

double log_of_mass(double mass) {
    if (!(mass > 0.0)) throw std::invalid_argument("a leaf has no mass inside its box");
    return std::log(mass);
}

// The factor of the same covariance with its rows and columns in another order.
std::vector<double> reordered(std::span<const double> factor, std::span<const std::size_t> order) {
    const std::size_t n = order.size();
    std::vector<double> result(row_of_triangle(n));
    const auto covariance = [&](std::size_t i, std::size_t j) {
        double sum = 0.0;
        for (std::size_t k = 0; k <= std::min(i, j); ++k)
            sum += factor[row_of_triangle(i) + k] * factor[row_of_triangle(j) + k];
        return sum;
    };
    for (std::size_t i = 0; i < n; ++i) {
        double* row = result.data() + row_of_triangle(i);
        for (std::size_t j = 0; j <= i; ++j) {
            const double own = covariance(order[i], order[j]);
            double rest = own;
            const double* other = result.data() + row_of_triangle(j);
            for (std::size_t k = 0; k < j; ++k) rest -= row[k] * other[k];
            row[j] = i == j ? std::sqrt(std::max(rest, 1e-14 * own)) : rest / other[j];
        }
    }
    return result;
}

}  // namespace

double full_gaussian_log_weight(const Leaves& leaves, std::size_t leaf, std::span<const double> point,
                                std::span<double> z) {
    const std::size_t d = point.size();
    const float* mean = leaves.mean.data() + leaf * d;
    const float* row = leaves.deviation.data() + leaf * row_of_triangle(d);
    double squares = 0.0;
    for (std::size_t j = 0; j < d; row += ++j) {
        z[j] = 0.0;
        if (row[j] == 0.0f) continue;
        double rest = point[j] - static_cast<double>(mean[j]);
        for (std::size_t k = 0; k < j; ++k) rest -= static_cast<double>(row[k]) * z[k];
        z[j] = rest / static_cast<double>(row[j]);
        squares += z[j] * z[j];
    }
    return -0.5 * squares;
}

std::vector<double> shrunk_factor(std::span<const double> deviation, std::span<const double> correlation,
                                  double n, double prior) {
    const std::size_t d = deviation.size();
    const auto is_gaussian = [&](std::size_t j) { return deviation[j] > 0.0; };
    std::size_t n_gaussian = 0;
    for (std::size_t j = 0; j < d; ++j) n_gaussian += is_gaussian(j) ? 1 : 0;
    const double fraction = n > 0.0 ? n / (n + prior + static_cast<double>(n_gaussian)) : 0.0;
    std::vector<double> factor(row_of_triangle(d), 0.0);
    for (std::size_t i = 0; i < d; ++i) {
        double* row = factor.data() + row_of_triangle(i);
        for (std::size_t j = 0; j <= i && is_gaussian(i); ++j) {
            if (!is_gaussian(j)) continue;
            double rest = i == j ? 1.0 : fraction * correlation[i * d + j];
            const double* other = factor.data() + row_of_triangle(j);
            for (std::size_t k = 0; k < j; ++k) rest -= row[k] * other[k];
            row[j] = i == j ? std::sqrt(std::max(rest, 1e-10)) : rest / other[j];
        }
    }
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j <= i; ++j) factor[row_of_triangle(i) + j] *= deviation[i];
    }
    return factor;
}

FullGaussian::FullGaussian(const Leaves& leaves, std::size_t leaf, const Box& box)
    : box_(box), n_lattice_points_(leaves.n_lattice_points) {
    const std::size_t d = box.n_columns();
    const float* mean = leaves.mean.data() + leaf * d;
    const float* factor = leaves.deviation.data() + leaf * row_of_triangle(d);
    for (std::size_t j = 0; j < d; ++j) {
        const float* row = factor + row_of_triangle(j);
        if (row[j] == 0.0f) {
            log_level_ += std::log(box.width(j));
            continue;
        }
        for (std::size_t k : columns_) factor_.push_back(static_cast<double>(row[k]));
        factor_.push_back(static_cast<double>(row[j]));
        const std::vector<double>& u = box.bin_edges(j).u;
        columns_.push_back(j);
        mean_.push_back(static_cast<double>(mean[j]));
        low_.push_back(u[box.low(j)] - mean_.back());
        high_.push_back(u[box.high(j)] - mean_.back());
    }
}

double FullGaussian::log_integral_of(double scale) const {
    std::vector<double> factor = factor_;
    for (double& entry : factor) entry *= scale;
    const auto n = static_cast<double>(columns_.size());
    return log_level_ + n * log_root_2_pi + log_diagonal(factor, columns_.size()) +
           log_of_mass(normal_box_mass(factor, low_, high_, n_lattice_points_));
}

double FullGaussian::log_squared_integral() const { return log_integral_of(1.0 / std::numbers::sqrt2); }

// What is known comes first in the factor: the rest is then the normal given it.
double FullGaussian::log_marginal_weight(const double* point) const {
    double sum = 0.0;
    for (std::size_t j = 0, i = 0; j < box_.n_columns(); ++j) {
        const bool level = i == columns_.size() || columns_[i] != j;
        if (!level) {
            ++i;
        } else if (std::isnan(point[j])) {
            sum += std::log(box_.width(j));
        }
    }
    std::vector<std::size_t> order;
    for (bool known : {true, false}) {
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (std::isnan(point[columns_[i]]) != known) order.push_back(i);
    }
    const std::vector<double> factor = reordered(factor_, order);
    std::vector<double> z;
    std::vector<double> low;
    std::vector<double> high;
    std::vector<double> rest_factor;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double* row = factor.data() + row_of_triangle(i);
        const double value = point[columns_[order[i]]];
        double shift = 0.0;
        for (std::size_t k = 0; k < z.size(); ++k) shift += row[k] * z[k];
        if (!std::isnan(value)) {
            z.push_back((value - mean_[order[i]] - shift) / row[i]);
            sum -= 0.5 * z.back() * z.back();
            continue;
        }
        low.push_back(low_[order[i]] - shift);
        high.push_back(high_[order[i]] - shift);
        rest_factor.insert(rest_factor.end(), row + z.size(), row + i + 1);
    }
    const auto n = static_cast<double>(low.size());
    // Far from what is known the rest may have no mass at all in the box: the density is then next to 0.
    return sum + n * log_root_2_pi + log_diagonal(rest_factor, low.size()) +
           std::log(normal_box_mass(rest_factor, low, high, n_lattice_points_));
}

// Coordinate by coordinate, each from its normal given the ones before, cut off at the box. That density is
// the leaf's over the product of the masses that were cut off at: a draw is kept with the probability of
// that product, relative to the most it can be.
void FullGaussian::draw(Draws& draws, double* point) const {
    const std::size_t n = columns_.size();
    std::vector<double> z(n);
    for (int tries = 1; n > 0; ++tries) {
        double kept = 1.0;
        for (std::size_t i = 0; i < n; ++i) {
            const double* row = factor_.data() + row_of_triangle(i);
            double shift = 0.0;
            for (std::size_t k = 0; k < i; ++k) shift += row[k] * z[k];
            const double from = (low_[i] - shift) / row[i];
            const double to = (high_[i] - shift) / row[i];
            const double half = 0.5 * (to - from);
            const NormalInterval inside(from, to);
            if (i > 0) kept *= inside.mass() / normal_mass(-half, half);
            z[i] = inside.quantile(draws.uniform());
            const double high = high_[i] + mean_[i];
            const double low = low_[i] + mean_[i];
            point[columns_[i]] = std::clamp(mean_[i] + shift + row[i] * z[i], low, std::nextafter(high, low));
        }
        if (draws.uniform() < kept || tries == most_draws) return;
    }
}

}  // namespace boxwood
