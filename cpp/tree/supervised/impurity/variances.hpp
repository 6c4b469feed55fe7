// The variances of several values, added up: an impurity as those of impurity.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/targets.hpp"

namespace boxwood {

// N·I = Σ (Σ y² − (Σ y)²/N) over the values of a row. A row's target is its number: its values stay where
// they are. They should begin near 0, so that nothing cancels.
class Variances {
  public:
    using Target = std::uint32_t;
    static constexpr bool is_regression = true;
    static constexpr bool is_pair = false;

    explicit Variances(const Targets& targets)
        : values_(targets.values), sums_(targets.n_values, 0.0), squares_(targets.n_values, 0.0) {}
    static std::uint32_t target_of(const Targets&, std::size_t row) {
        return static_cast<std::uint32_t>(row);
    }

    // A record has the sums of the values, and behind them the weight.
    std::size_t width() const { return sums_.size() + 1; }
    void add_to_record(double* record, std::uint32_t row, double w) const {
        const double* y = values_ + row * sums_.size();
        for (std::size_t k = 0; k < sums_.size(); ++k) record[k] += w * y[k];
        record[sums_.size()] += w;
    }
    void clear() {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        std::fill(squares_.begin(), squares_.end(), 0.0);
        weight_ = 0.0;
    }
    void add(std::uint32_t row, double w) {
        const double* y = values_ + row * sums_.size();
        for (std::size_t k = 0; k < sums_.size(); ++k) {
            sums_[k] += w * y[k];
            squares_[k] += w * y[k] * y[k];
        }
        weight_ += w;
    }
    void take(std::uint32_t row, double w) { add(row, -w); }
    void add_record(const double* record) {
        for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += record[k];
        weight_ += record[sums_.size()];
    }
    void take_record(const double* record) {
        for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] -= record[k];
        weight_ -= record[sums_.size()];
    }
    double weight() const { return weight_; }
    double value() const { return sums_[0] / weight_; }
    double score() const {
        double squared = 0.0;
        for (double sum : sums_) squared += sum * sum;
        return squared / weight_;
    }
    // Only of sums of rows: records hold no squares.
    double impurity() const {
        double rest = 0.0;
        for (std::size_t k = 0; k < sums_.size(); ++k) rest += std::max(0.0, impurity_of(k));
        return rest;
    }
    // Rounding leaves equal values with a variance of about 1e-16.
    bool is_pure() const {
        double squares = 0.0;
        for (double of_value : squares_) squares += of_value;
        return impurity() <= 1e-14 * (weight_ + squares);
    }
    static double score(const Variances& left, const Variances& right) {
        return left.score() + right.score();
    }
    static bool beats(const Variances& left, const Variances& right, double least) {
        return score(left, right) > least;
    }

    // The value whose mean categories are ordered by: that of most variance.
    std::size_t leading() const {
        std::size_t most = 0;
        for (std::size_t k = 1; k < sums_.size(); ++k) {
            if (impurity_of(k) > impurity_of(most)) most = k;
        }
        return most;
    }
    double part(std::uint32_t row, std::size_t leading) const {
        return values_[row * sums_.size() + leading];
    }
    double record_key(const double* record, std::size_t leading) const {
        return record[leading] / record[sums_.size()];
    }

  private:
    double impurity_of(std::size_t k) const { return squares_[k] - sums_[k] * sums_[k] / weight_; }

    const double* values_;
    std::vector<double> sums_;
    std::vector<double> squares_;
    double weight_ = 0.0;
};

}  // namespace boxwood
