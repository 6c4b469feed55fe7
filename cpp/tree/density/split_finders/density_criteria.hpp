// What a split of a density tree gains: criteria whose statistics are sums over rows.
//
// `fraction` is the left part's fraction of the node's volume.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>

#include "base/fast_log.hpp"
#include "base/n_log_n.hpp"
#include "binning/binned_rows.hpp"

namespace boxwood {

// What a split gains, by `Stats` of the node and of its left half that are sums over their rows.
template <class Criterion>
concept DensityCriterion =
    requires(const Criterion& criterion, std::size_t row, typename Criterion::Stats& sum,
             const typename Criterion::Stats& stats, double fraction, double volume) {
        // Gains are per row of the node, not per row of the table: best-first order must weight them by the
        // node.
        { Criterion::per_node } -> std::convertible_to<bool>;
        // For fixed counts the gain is convex in the fraction: of the candidate splits through an empty
        // stretch an outermost is best.
        { Criterion::convex } -> std::convertible_to<bool>;
        { stats.n } -> std::convertible_to<double>;
        sum += stats;
        { criterion.of_row(row) } -> std::same_as<typename Criterion::Stats>;
        { criterion.gain(stats, stats, fraction, volume) } -> std::same_as<double>;
    };

struct CountStats {
    double n = 0.0;

    CountStats& operator+=(const CountStats& other) {
        n += other.n;
        return *this;
    }
};

// Sees nothing of the rows but how many there are. `has_bound`: gains are at most those of gain_bounds.hpp.
template <class Criterion>
concept CountingCriterion =
    DensityCriterion<Criterion> && std::same_as<typename Criterion::Stats, CountStats> && requires {
        { Criterion::has_bound } -> std::convertible_to<bool>;
    };

class CountCriterion {
  public:
    using Stats = CountStats;
    static constexpr bool per_node = false;
    static constexpr bool convex = true;
    static constexpr bool has_bound = false;

    CountCriterion(const BinnedRows& data, double total) : data_(data), total_(total) {}
    Stats of_row(std::size_t row) const { return {data_.weight(row)}; }

  protected:
    const BinnedRows& data_;
    double total_;
};

class LogLikelihoodCriterion : public CountCriterion {
  public:
    using CountCriterion::CountCriterion;
    static constexpr bool has_bound = true;
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

    LooCriterion(const BinnedRows& data, double total) : data_(data), total_(total) {}

    Stats of_row(std::size_t row) const {
        const double w = data_.weight(row);
        const double out = data_.leave_out == nullptr ? 1.0 : data_.leave_out[row];
        const double rest = total_ - out;
        if (rest <= 0.0) return {w, 0.0, 0.0};
        return {w, w / rest, w * out / rest};
    }

    // Error of a node times its volume. Differences leave rounding errors in the sums of an empty side, which
    // its small fraction of the volume would make large.
    double error(const Stats& s) const {
        if (s.n <= 0.0) return 0.0;
        return s.n * s.n / (total_ * total_) - 2.0 / total_ * (s.n * s.a - s.b);
    }

    double gain(const Stats& node, const Stats& left, double fraction, double volume) const {
        const Stats right{node.n - left.n, node.a - left.a, node.b - left.b};
        return (error(node) - error(left) / fraction - error(right) / (1.0 - fraction)) / volume;
    }

  private:
    const BinnedRows& data_;
    double total_;
};

}  // namespace boxwood
