#include "tree/density/split_finders/entropy_split_finder.hpp"

#include <cmath>
#include <numbers>

namespace boxwood {

namespace {

// Added to every variance: this fraction of the variance of the uniform distribution on the cube, 1/12.
// Without it the entropy of rows that lie in a plane is −∞.
constexpr double variance_floor = 1e-4 / 12.0;

}  // namespace

EntropySplitFinder::EntropySplitFinder(const BinnedRows& data)
    : data_(data),
      n_columns_(data.n_columns()),
      width_(1 + n_columns_ + n_columns_ * (n_columns_ + 1) / 2),
      node_(width_, 0.0) {}

void EntropySplitFinder::add_row(std::uint32_t row, double* sums) const {
    const double w = data_.weight(row);
    double* products = sums + 1 + n_columns_;
    sums[0] += w;
    for (std::size_t j = 0; j < n_columns_; ++j) {
        const double x = data_.place(row, j);
        sums[1 + j] += w * x;
        for (std::size_t k = 0; k <= j; ++k) *products++ += w * x * data_.place(row, k);
    }
}

void EntropySplitFinder::begin_node(const NodeContext& node) {
    rows_ = node.rows;
    node_.assign(width_, 0.0);
    for (std::uint32_t row : rows_) add_row(row, node_.data());
}

void EntropySplitFinder::fill(const CandidateSplits& candidates) {
    table_.assign(candidates.n_groups * width_, 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i)
        add_row(rows_[i], table_.data() + candidates.group[i] * width_);
}

// By the Cholesky factor of the covariance: log det is twice the sum of the logarithms of its diagonal.
double EntropySplitFinder::entropy(const std::vector<double>& sums) const {
    const double n = sums[0];
    if (n <= 0.0) return 0.0;
    const std::size_t d = n_columns_;
    std::vector<double> factor(d * d, 0.0);
    const double* products = sums.data() + 1 + d;
    double log_det = 0.0;
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t k = 0; k <= j; ++k) {
            double value = *products++ / n - sums[1 + j] / n * (sums[1 + k] / n);
            if (j == k) value = std::max(value, 0.0) + variance_floor;
            for (std::size_t m = 0; m < k; ++m) value -= factor[j * d + m] * factor[k * d + m];
            factor[j * d + k] =
                j == k ? std::sqrt(std::max(value, 0.5 * variance_floor)) : value / factor[k * d + k];
        }
        log_det += 2.0 * std::log(factor[j * d + j]);
    }
    return 0.5 * (log_det + static_cast<double>(d) * std::log(2.0 * std::numbers::pi * std::numbers::e));
}

double EntropySplitFinder::gain(const std::vector<double>& left) const {
    std::vector<double> right(width_);
    for (std::size_t k = 0; k < width_; ++k) right[k] = node_[k] - left[k];
    const double fraction = left[0] / node_[0];
    return entropy(node_) - fraction * entropy(left) - (1.0 - fraction) * entropy(right);
}

std::vector<double> EntropySplitFinder::bin_keys(const CandidateSplits& bins,
                                                 std::span<const double> widths) {
    fill(bins);
    std::vector<double> keys(bins.n_groups);
    for (std::size_t k = 0; k < bins.n_groups; ++k) keys[k] = table_[k * width_] / widths[k];
    return keys;
}

}  // namespace boxwood
