// Impurities as sums that rows are added to and taken from: N·I of a set of rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "boxwood/n_log_n.hpp"
#include "boxwood/targets.hpp"

namespace boxwood {

// A sum also takes the rows of a whole cell at once, as a record of `width` numbers that rows are added to.

// Gini: N·I = N − Σ c²/N.
class GiniSum {
  public:
    using Target = std::uint32_t;
    static std::size_t record_width(std::size_t n_classes) { return n_classes; }
    static void add_to_record(double* record, std::uint32_t k, double w) { record[k] += w; }
    void add_record(const double* record) {
        for (std::uint32_t k = 0; k < counts_.size(); ++k) add(k, record[k]);
    }
    void take_record(const double* record) {
        for (std::uint32_t k = 0; k < counts_.size(); ++k) add(k, -record[k]);
    }
    explicit GiniSum(std::size_t n_classes = 0) : counts_(n_classes, 0.0) {}
    void clear() {
        std::fill(counts_.begin(), counts_.end(), 0.0);
        weight_ = squares_ = 0.0;
    }
    void add(std::uint32_t k, double w) {
        squares_ += w * (2.0 * counts_[k] + w);
        counts_[k] += w;
        weight_ += w;
    }
    void take(std::uint32_t k, double w) { add(k, -w); }
    double weight() const { return weight_; }
    double impurity() const { return weight_ > 0.0 ? weight_ - squares_ / weight_ : 0.0; }

  private:
    std::vector<double> counts_;
    double weight_ = 0.0;
    double squares_ = 0.0;
};

// Entropy in nats: N·H = N·log N − Σ c·log c.
class EntropySum {
  public:
    using Target = std::uint32_t;
    static std::size_t record_width(std::size_t n_classes) { return n_classes; }
    static void add_to_record(double* record, std::uint32_t k, double w) { record[k] += w; }
    void add_record(const double* record) {
        for (std::uint32_t k = 0; k < counts_.size(); ++k) {
            if (record[k] != 0.0) add(k, record[k]);
        }
    }
    void take_record(const double* record) {
        for (std::uint32_t k = 0; k < counts_.size(); ++k) {
            if (record[k] != 0.0) add(k, -record[k]);
        }
    }
    explicit EntropySum(std::size_t n_classes = 0) : counts_(n_classes, 0.0) {}
    void clear() {
        std::fill(counts_.begin(), counts_.end(), 0.0);
        weight_ = parts_ = 0.0;
    }
    void add(std::uint32_t k, double w) {
        const double before = counts_[k];
        counts_[k] += w;
        parts_ += n_log_n(counts_[k]) - n_log_n(before);
        weight_ += w;
    }
    void take(std::uint32_t k, double w) { add(k, -w); }
    double weight() const { return weight_; }
    double impurity() const { return n_log_n(weight_) - parts_; }

  private:
    std::vector<double> counts_;
    double weight_ = 0.0;
    double parts_ = 0.0;
};

// Variance: N·I = Σ y² − (Σ y)²/N. Values are given relative to the node's mean, so that nothing cancels.
class VarianceSum {
  public:
    using Target = double;
    static std::size_t record_width(std::size_t) { return 3; }
    static void add_to_record(double* record, double y, double w) {
        record[0] += w;
        record[1] += w * y;
        record[2] += w * y * y;
    }
    void add_record(const double* record) {
        weight_ += record[0];
        sum_ += record[1];
        squares_ += record[2];
    }
    void take_record(const double* record) {
        weight_ -= record[0];
        sum_ -= record[1];
        squares_ -= record[2];
    }
    explicit VarianceSum(std::size_t = 0) {}
    void clear() { weight_ = sum_ = squares_ = 0.0; }
    void add(double y, double w) {
        sum_ += w * y;
        squares_ += w * y * y;
        weight_ += w;
    }
    void take(double y, double w) { add(y, -w); }
    double weight() const { return weight_; }
    double impurity() const { return weight_ > 0.0 ? std::max(0.0, squares_ - sum_ * sum_ / weight_) : 0.0; }

  private:
    double weight_ = 0.0;
    double sum_ = 0.0;
    double squares_ = 0.0;
};

}  // namespace boxwood
