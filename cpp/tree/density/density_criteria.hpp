// What a split of a density tree gains: criteria whose statistics are sums over rows.
//
// A criterion has Stats that add up, of_row(row) and gain(total, left, share, volume): `fraction` is the left
// part's fraction of the node's volume.
#pragma once

#include <cmath>
#include <cstddef>

#include "base/fast_log.hpp"
#include "base/n_log_n.hpp"
#include "tree/density/grow_data.hpp"

namespace boxwood {

struct CountStats {
    double n = 0.0;

    CountStats& operator+=(const CountStats& other) {
        n += other.n;
        return *this;
    }
};

class CountCriterion {
  public:
    using Stats = CountStats;
    // Gains are per row of the node, not per row of the table: best-first order must weight them by the node.
    static constexpr bool per_node = false;
    // For fixed counts the gain is convex in the fraction: of the cuts through an empty stretch an outermost
    // is best.
    static constexpr bool convex = true;
    static constexpr bool has_bound = false;

    CountCriterion(const GrowData& data, double total) : data_(data), total_(total) {}
    Stats of_row(std::size_t row) const { return {data_.weight(row)}; }

  protected:
    const GrowData& data_;
    double total_;
};

class LogLikelihoodCriterion : public CountCriterion {
  public:
    using CountCriterion::CountCriterion;
    static constexpr bool has_bound = true;  // that of cut_bounds.hpp
    double gain(const Stats& node, const Stats& left, double fraction, double /*volume*/) const {
        const double right = node.n - left.n;
        return n_log_n(left.n) + n_log_n(right) - n_log_n(node.n) - left.n * fast_log(fraction) -
               right * fast_log(1.0 - fraction);
    }
};

class SquaredErrorCriterion : public CountCriterion {
  public:
    using CountCriterion::CountCriterion;
    double gain(const Stats& node, const Stats& left, double fraction, double volume) const {
        const double right = node.n - left.n;
        const double split = left.n * left.n / fraction + right * right / (1.0 - fraction);
        return (split - node.n * node.n) / (volume * total_ * total_);
    }
};

class NonuniformityCriterion : public CountCriterion {
  public:
    using CountCriterion::CountCriterion;
    static constexpr bool per_node = true;
    double gain(const Stats& node, const Stats& left, double fraction, double /*volume*/) const {
        return std::abs(left.n / node.n - fraction);
    }
};

// Sums for the leave-one-out error. Leaving out row i takes all its ℓ copies away: the error of a node is
// n²/(N²V) − 2/(N·V)·Σ w(n − ℓ)/(N − ℓ), and that sum is n·a − b.
struct LooStats {
    double n = 0.0;
    double a = 0.0;  // Σ w/(N − ℓ)
    double b = 0.0;  // Σ w·ℓ/(N − ℓ)

    LooStats& operator+=(const LooStats& other) {
        n += other.n;
        a += other.a;
        b += other.b;
        return *this;
    }
};

class LooCriterion {
  public:
    using Stats = LooStats;
    static constexpr bool per_node = false;
    static constexpr bool convex = false;  // a single row has a positive error

    LooCriterion(const GrowData& data, double total) : data_(data), total_(total) {}

    Stats of_row(std::size_t row) const {
        const double w = data_.weight(row);
        const double out = data_.leave_out == nullptr ? 1.0 : data_.leave_out[row];
        const double rest = total_ - out;
        if (rest <= 0.0) return {w, 0.0, 0.0};
        return {w, w / rest, w * out / rest};
    }

    // Error of a node times its volume.
    double error(const Stats& s) const {
        return s.n * s.n / (total_ * total_) - 2.0 / total_ * (s.n * s.a - s.b);
    }

    double gain(const Stats& node, const Stats& left, double fraction, double volume) const {
        const Stats right{node.n - left.n, node.a - left.a, node.b - left.b};
        return (error(node) - error(left) / fraction - error(right) / (1.0 - fraction)) / volume;
    }

  private:
    const GrowData& data_;
    double total_;
};

}  // namespace boxwood
