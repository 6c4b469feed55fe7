// Impurities as sums that rows are added to and taken from.
//
// N·I of a node falls by a split as much as the score rises: score(left) + score(right) − score(node). A sum
// also takes the rows of a whole bin at once, as a record of numbers that rows were added to: two where it
// `is_pair`, else `width`.
// `beats` returns whether the score of two halves is above a bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/n_log_n.hpp"
#include "binning/targets.hpp"

namespace boxwood {

// Two classes, the commonest case by far: their weights fit registers.
class TwoClasses {
  public:
    using Target = std::uint32_t;
    static constexpr bool is_regression = false;
    static constexpr bool is_pair = true;
    static void add_to_record(double* record, std::uint32_t k, double w) { record[k] += w; }
    // What the categories of a column are ordered by: the fraction of one class.
    static double record_key(const double* record) { return record[1] / (record[0] + record[1]); }

    explicit TwoClasses(const Targets&) {}
    static std::uint32_t target_of(const Targets& targets, std::size_t row) { return targets.classes[row]; }
    void clear() { zero_ = one_ = 0.0; }
    void add(std::uint32_t k, double w) { (k == 0 ? zero_ : one_) += w; }
    void take(std::uint32_t k, double w) { add(k, -w); }
    void add_record(const double* record) {
        zero_ += record[0];
        one_ += record[1];
    }
    void take_record(const double* record) {
        zero_ -= record[0];
        one_ -= record[1];
    }
    double weight() const { return zero_ + one_; }
    // The fraction that a monotone column is about.
    double value() const { return one_ / weight(); }
    bool is_pure() const { return !(zero_ > 0.0) || !(one_ > 0.0); }

  protected:
    double zero_ = 0.0;
    double one_ = 0.0;
};

// Any number of classes. `Impurity`, which derives from this, has `add`.
template <class Impurity>
class ManyClasses {
  public:
    using Target = std::uint32_t;
    static constexpr bool is_regression = false;
    static constexpr bool is_pair = false;

    explicit ManyClasses(const Targets& targets) : counts_(targets.n_classes, 0.0) {}
    static std::uint32_t target_of(const Targets& targets, std::size_t row) { return targets.classes[row]; }
    std::size_t width() const { return counts_.size(); }
    static void add_to_record(double* record, std::uint32_t k, double w) { record[k] += w; }
    double weight() const { return weight_; }
    double value() const { return counts_[counts_.size() > 1 ? 1 : 0] / weight_; }
    bool is_pure() const { return *std::max_element(counts_.begin(), counts_.end()) >= weight_; }
    // The class whose fraction categories are ordered by: the commonest one.
    std::size_t leading() const {
        return static_cast<std::size_t>(std::max_element(counts_.begin(), counts_.end()) - counts_.begin());
    }
    static double part(std::uint32_t k, std::size_t leading) { return k == leading ? 1.0 : 0.0; }
    double record_key(const double* record, std::size_t leading) const {
        double weight = 0.0;
        for (std::size_t k = 0; k < width(); ++k) weight += record[k];
        return record[leading] / weight;
    }
    void take(std::uint32_t k, double w) { own().add(k, -w); }
    void add_record(const double* record) {
        for (std::uint32_t k = 0; k < counts_.size(); ++k) {
            if (record[k] != 0.0) own().add(k, record[k]);
        }
    }
    void take_record(const double* record) {
        for (std::uint32_t k = 0; k < counts_.size(); ++k) {
            if (record[k] != 0.0) own().add(k, -record[k]);
        }
    }

  protected:
    std::vector<double> counts_;
    double weight_ = 0.0;

  private:
    Impurity& own() { return static_cast<Impurity&>(*this); }
};

// Gini: N·I = N − Σ c²/N, so that the score is Σ c²/N.
class GiniOfTwo : public TwoClasses {
  public:
    using TwoClasses::TwoClasses;
    double score() const { return squares() / weight(); }
    double impurity() const { return std::max(0.0, weight() - score()); }
    static double score(const GiniOfTwo& left, const GiniOfTwo& right) {
        return left.score() + right.score();
    }
    // Without the divisions, which are a quarter of the time of a scan; up to rounding.
    static bool beats(const GiniOfTwo& left, const GiniOfTwo& right, double least) {
        const double l = left.weight();
        const double r = right.weight();
        return left.squares() * r + right.squares() * l > least * (l * r);
    }

  private:
    double squares() const { return zero_ * zero_ + one_ * one_; }
};

class Gini : public ManyClasses<Gini> {
  public:
    using ManyClasses::ManyClasses;
    void clear() {
        std::fill(counts_.begin(), counts_.end(), 0.0);
        weight_ = squares_ = 0.0;
    }
    void add(std::uint32_t k, double w) {
        squares_ += w * (2.0 * counts_[k] + w);
        counts_[k] += w;
        weight_ += w;
    }
    double score() const { return squares_ / weight_; }
    double impurity() const { return std::max(0.0, weight_ - score()); }
    static double score(const Gini& left, const Gini& right) { return left.score() + right.score(); }
    static bool beats(const Gini& left, const Gini& right, double least) {
        return score(left, right) > least;
    }

  private:
    double squares_ = 0.0;
};

// Entropy in nats: N·H = N·log N − Σ c·log c, the score its negative.
class EntropyOfTwo : public TwoClasses {
  public:
    using TwoClasses::TwoClasses;
    double score() const { return n_log_n(zero_) + n_log_n(one_) - n_log_n(weight()); }
    double impurity() const { return std::max(0.0, -score()); }
    static double score(const EntropyOfTwo& left, const EntropyOfTwo& right) {
        return left.score() + right.score();
    }
    static bool beats(const EntropyOfTwo& left, const EntropyOfTwo& right, double least) {
        return score(left, right) > least;
    }
};

class Entropy : public ManyClasses<Entropy> {
  public:
    using ManyClasses::ManyClasses;
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
    double score() const { return parts_ - n_log_n(weight_); }
    double impurity() const { return std::max(0.0, -score()); }
    static double score(const Entropy& left, const Entropy& right) { return left.score() + right.score(); }
    static bool beats(const Entropy& left, const Entropy& right, double least) {
        return score(left, right) > least;
    }

  private:
    double parts_ = 0.0;
};

// Variance: N·I = Σ y² − (Σ y)²/N, so that the score is (Σ y)²/N. Values are taken relative to a centre, the
// node's mean, so that nothing cancels.
class Variance {
  public:
    using Target = double;
    static constexpr bool is_regression = true;
    static constexpr bool is_pair = true;

    explicit Variance(const Targets&) {}
    static double target_of(const Targets& targets, std::size_t row) { return targets.values[row]; }
    void clear() { weight_ = sum_ = squares_ = 0.0; }
    void centre(double centre) { centre_ = centre; }
    void add_to_record(double* record, double y, double w) const {
        record[0] += w;
        record[1] += w * (y - centre_);
    }
    static double record_key(const double* record) { return record[1] / record[0]; }
    void add(double y, double w) {
        const double from_centre = y - centre_;
        weight_ += w;
        sum_ += w * from_centre;
        squares_ += w * from_centre * from_centre;
    }
    void take(double y, double w) { add(y, -w); }
    void add_record(const double* record) {
        weight_ += record[0];
        sum_ += record[1];
    }
    void take_record(const double* record) {
        weight_ -= record[0];
        sum_ -= record[1];
    }
    double weight() const { return weight_; }
    double value() const { return centre_ + sum_ / weight_; }
    double score() const { return sum_ * sum_ / weight_; }
    // Only of sums of rows: records hold no squares.
    double impurity() const { return std::max(0.0, squares_ - score()); }
    // Values span about 1, wherever they lie. Of equal ones rounding leaves the centre's own, squared.
    bool is_pure() const { return impurity() <= weight_ * (1e-14 + 1e-28 * centre_ * centre_); }
    static double score(const Variance& left, const Variance& right) { return left.score() + right.score(); }
    static bool beats(const Variance& left, const Variance& right, double least) {
        const double l = left.weight_;
        const double r = right.weight_;
        return left.sum_ * left.sum_ * r + right.sum_ * right.sum_ * l > least * (l * r);
    }

  private:
    double centre_ = 0.0;
    double weight_ = 0.0;
    double sum_ = 0.0;
    double squares_ = 0.0;
};

}  // namespace boxwood
