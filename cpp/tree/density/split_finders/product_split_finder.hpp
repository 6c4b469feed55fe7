// The product-likelihood criterion: a split is good if the columns are more nearly independent in its halves.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/density/candidate_splits.hpp"
#include "tree/density/node_context.hpp"
#include "tree/density/split_finders/product_sums.hpp"

namespace boxwood {

// log Γ(n + a) − log Γ(a) for counts n, which mostly are small integers.
class LogRising {
  public:
    LogRising(double a);
    double operator()(double n) const {
        const auto k = static_cast<std::size_t>(n);
        return k < table_.size() && static_cast<double>(k) == n ? table_[k] : slow(n);
    }

  private:
    double slow(double n) const;
    double a_;
    double log_gamma_a_;
    std::vector<double> table_;
};

// Bins of a coarse histogram.
inline constexpr std::size_t most_coarse_groups = 4;

// What depends on nothing but the prior: made once, since it takes a millisecond.
struct EvidenceTables {
    LogRising group;                 // of a coarse bin's rows
    std::vector<LogRising> total;    // of all rows, by number of bins
    std::vector<double> log_counts;  // log(n + prior)
    std::vector<double> steps;       // of slots with few rows: see list_steps

    static const EvidenceTables& shared();

  private:
    EvidenceTables();
};

// The weight of which every row's is a small multiple, so that rows can be counted and moved one by one; 0
// where there is none. Where some rows of a table are copies all weights are scaled by one factor: counted in
// units of it the search for a split takes a third of the time, and gains change by that factor, which must
// be near 1: rows that count more than they weigh would be too sure of a split.
double unit_of_counts(std::span<const double> weights);

// The gain of a split is the gain in evidence of a product of coarse histograms (one per column, a few bins
// each, Dirichlet prior ½) fitted to either half instead of the whole, the column of the split left out, plus
// the gain in likelihood of uniform halves. Measured on five tables against uniform likelihood alone, as the
// splits of forests with histogram leaves: 0.5 to 1.5 nats.
class ProductSplitFinder {
  public:
    static constexpr bool per_node = false;
    static constexpr bool sees_volume = true;

    // `everywhere`: not the best split alone is wanted, but the best of those that a box's shape allows.
    explicit ProductSplitFinder(const BinnedRows& data, bool everywhere = false);
    // The same for some rows of a tree's sample, by the unit of all of them.
    ProductSplitFinder(const BinnedRows& data, bool everywhere, double unit);
    // Of weights that have no unit, by sums over rows that are elsewhere; or one that finds nothing, but
    // writes what it counts.
    ProductSplitFinder(const BinnedRows& data, bool everywhere, ProductSums& sums)
        : ProductSplitFinder(data, everywhere, 0.0) {
        sums_ = &sums;
    }

    void begin_node(const NodeContext& node);
    // Of the rows that are looked at.
    double node_weight() const { return weighted_ ? node_weight_ : node_weight_ * unit_; }
    std::vector<double> bin_keys(const CandidateSplits& bins, std::span<const double> widths);

    // Whether a part of many rows can stand for all of them: not where few rows may have most of the weight.
    bool may_skip_rows() const { return !weighted_; }

    // Calls report(c, weight on the left, gain) for the candidates that may gain more than `best`.
    template <class Report>
    void scan(const CandidateSplits& candidates, double best, Report&& report) {
        begin_scan(candidates);
        if (sums_ != nullptr && !sums_->reads()) return;
        const double slack = 1e-12 * (node_weight_ + 1.0);
        const auto consider = [&](std::size_t c, double product) {
            if (product + bound_of_uniform(candidates.fraction[c]) < best - slack) return;
            const double gain = product + uniform_gain(candidates.fraction[c]);
            best = std::max(best, report(c, left_weight_, gain) ? gain : best);
        };
        // Between two rows nothing changes but the fraction: the best boundary of a gap is at one of its
        // ends. Thresholds farther from rows (gap_thresholds.hpp) make a single tree better, a forest not:
        // its mean evens out what each tree's boxes are too small by.
        const auto consider_gap = [&](std::size_t first, std::size_t last, double product) {
            consider(first, product);
            for (std::size_t c = first + 1; c < last && everywhere_; ++c) consider(c, product);
            if (last > first) consider(last, product);
        };
        std::size_t group = first_occupied(0);
        if (group > 0) consider_gap(everywhere_ ? 1 : group, group, 0.0);
        while (true) {
            by_rows_ ? move_rows(group) : move_group(group);
            if (group + 1 == candidates.n_groups) return;
            const std::size_t next = first_occupied(group + 1);
            const bool is_last = next == candidates.n_groups;
            consider_gap(group + 1, !is_last ? next : everywhere_ ? next - 1 : group + 1, product_gain());
            if (is_last) return;
            group = next;
        }
    }

  private:
    static constexpr std::size_t coarse_groups = most_coarse_groups;

    double weight(std::size_t i) const {
        if (weights_ == nullptr) return 1.0;
        return weighted_ ? weights_[i * step_] : std::rint(weights_[i * step_] * inverse_unit_);
    }
    void find_profiles(const CandidateSplits& bins);
    void take_profiles_of_rows(const CandidateSplits& bins);
    void take_profiles_of_sums();
    void find_coarse_groups(const GrowBox& box);
    void list_steps();
    void fill(const CandidateSplits& candidates);
    void exchange_sums();
    void keep_bins(const CandidateSplits& bins);
    void order_kept_bins(const CandidateSplits& candidates);
    void chain_rows(const CandidateSplits& candidates);
    void begin_scan(const CandidateSplits& candidates);
    void move_group(std::size_t group);
    void move_rows(std::size_t group);
    // The first bin with rows from one on; the number of bins where there is none.
    std::size_t first_occupied(std::size_t group) const;
    double product_gain() const;
    double uniform_gain(double fraction) const;
    // χ², which takes no logarithm.
    double bound_of_uniform(double fraction) const {
        const double surplus = left_weight_ - node_weight_ * fraction;
        return surplus * surplus / (node_weight_ * fraction * (1.0 - fraction));
    }

    const BinnedRows& data_;
    ProductSums* sums_ = nullptr;
    bool everywhere_;
    double unit_;  // of the rows' weights, which are small multiples of it; 0: they are not
    double inverse_unit_;
    bool weighted_;         // by other than such weights: rows cannot be moved one by one
    bool by_rows_ = false;  // of the present scan
    std::size_t n_columns_;
    std::size_t stride_;  // counts a bin: coarse_bins for every column
    const LogRising& log_group_ = EvidenceTables::shared().group;
    const std::vector<LogRising>& log_total_ = EvidenceTables::shared().total;
    const std::vector<double>& log_counts_ = EvidenceTables::shared().log_counts;

    // Of the node.
    const RowPartition* rows_partition_ = nullptr;
    std::size_t begin_ = 0;
    std::span<const std::uint32_t> rows_;
    std::size_t step_ = 1;
    std::size_t n_rows_ = 0;  // those that are looked at
    const double* weights_ = nullptr;
    double node_weight_ = 0.0;
    std::vector<std::uint32_t> slots_;   // for each row and column, column · coarse_bins + bin
    std::vector<std::size_t> n_coarse_;  // bins of each column
    std::vector<double> node_counts_;    // stride_ counts
    std::vector<double> node_evidence_;  // of each column
    std::vector<double> steps_ =
        EvidenceTables::shared().steps;    // what the evidence gains by each row that moves: see list_steps
    std::vector<std::uint32_t> steps_of_;  // where the steps of each slot begin

    // Of the bins of a categorical column.
    std::vector<std::uint32_t> profiled_;    // those with rows
    std::vector<std::uint32_t> profile_of_;  // and the number of each bin among them
    std::vector<double> profiles_;           // stride_ numbers each
    // The same by sums: bins in their own order, until the order that is wanted is known.
    std::vector<std::uint32_t> kept_bins_;
    std::vector<double> kept_table_;
    std::vector<double> kept_weight_;

    // Of the present scan.
    std::vector<std::uint64_t> occupied_;  // one bit a bin
    std::size_t n_groups_ = 0;
    std::vector<std::uint32_t> first_row_;  // of each occupied bin
    std::vector<std::uint32_t> next_row_;   // of the same bin; a row that is its own successor is the last
    std::vector<std::uint32_t> next_step_;  // of each slot
    std::vector<double> table_;             // stride_ counts for each bin of the candidates
    std::vector<double> group_weight_;
    std::vector<double> left_counts_;
    double left_weight_ = 0.0;
    double evidence_ = 0.0;  // Σ over columns and coarse bins of both halves, the split's column left out
    std::vector<double> other_columns_;  // how many columns other than the split's have k bins
    double other_evidence_ = 0.0;
    std::size_t feature_ = 0;
};

}  // namespace boxwood
