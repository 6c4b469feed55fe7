// The product-likelihood criterion: a split is good if the columns are more nearly independent in its halves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boxwood/cuts.hpp"
#include "boxwood/grow_box.hpp"
#include "boxwood/kept_rows.hpp"

namespace boxwood {

// log Γ(n + a) − log Γ(a) for counts n, which mostly are small whole numbers.
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

// The gain of a split is the gain in evidence of a product of coarse histograms (one per column, a few bins
// each, Dirichlet prior ½) fitted to either half instead of the whole, the column of the split left out, plus
// the gain in likelihood of uniform halves. Measured on five tables against uniform likelihood alone, as the
// splits of forests with histogram leaves: 0.5 to 1.5 nats.
class ProductScanner {
  public:
    static constexpr bool per_node = false;

    // `everywhere`: not the best cut alone is wanted, but the best of those that a box's shape allows.
    explicit ProductScanner(const GrowData& data, bool everywhere = false);

    void begin_node(const KeptRows& kept, std::size_t begin, std::span<const std::uint32_t> rows,
                    const GrowBox& box);
    double node_weight() const { return node_weight_; }
    std::vector<double> cell_keys(const Cuts& cells, std::span<const double> widths);

    // Calls report(c, weight on the left, gain) for the cuts that may gain more than `best`.
    template <class Report>
    void scan(const Cuts& cuts, double best, Report&& report) {
        begin_scan(cuts);
        const double slack = 1e-12 * (node_weight_ + 1.0);
        for (std::size_t c = 1; c < cuts.n_bins; ++c) {
            // Between two rows nothing changes but the share: the best boundary of a gap is at one of its
            // ends. Cuts farther from rows (gap_cuts.hpp) make a single tree better, a forest not: its mean
            // evens out what each tree's boxes are too small by.
            const bool moved = by_bins_ ? move_bin(c - 1) : move_rows(c - 1);
            if (!moved && is_empty(c) && !everywhere_) continue;
            const double product = product_gain();
            if (product + bound_of_uniform(cuts.share[c]) < best - slack) continue;
            const double gain = product + uniform_gain(cuts.share[c]);
            best = std::max(best, report(c, left_weight_, gain) ? gain : best);
        }
    }

  private:
    static constexpr std::size_t coarse_bins = 4;

    void find_coarse_bins(const GrowBox& box);
    void fill(const Cuts& cuts);
    void sort_rows(const Cuts& cuts);
    void begin_scan(const Cuts& cuts);
    bool move_bin(std::size_t bin);
    bool move_rows(std::size_t bin);
    bool is_empty(std::size_t bin) const {
        return by_bins_ ? bin_weight_[bin] == 0.0 : bin_begin_[bin] == bin_begin_[bin + 1];
    }
    double log_count(std::uint32_t n) const {
        return n < log_counts_.size() ? log_counts_[n] : slow_log_count(n);
    }
    static double slow_log_count(std::uint32_t n);
    double product_gain() const;
    double uniform_gain(double share) const;
    // χ², which takes no logarithm.
    double bound_of_uniform(double share) const {
        const double surplus = left_weight_ - node_weight_ * share;
        return surplus * surplus / (node_weight_ * share * (1.0 - share));
    }

    const GrowData& data_;
    bool everywhere_;
    bool weighted_;         // by other than small whole weights: rows cannot be moved one by one
    bool by_bins_ = false;  // of the present scan
    std::size_t n_columns_;
    std::size_t stride_;  // counts a bin: coarse_bins for every column
    LogRising log_bin_;
    std::vector<LogRising> log_total_;  // by number of bins
    std::vector<double> log_counts_;    // log(n + prior)
    const KeptRows* kept_ = nullptr;
    std::size_t begin_ = 0;
    std::span<const std::uint32_t> rows_;
    double node_weight_ = 0.0;
    std::vector<std::uint8_t> coarse_;   // coarse bin of each row and column of the node
    std::vector<std::size_t> n_coarse_;  // bins of each column
    std::vector<double> node_counts_;    // stride_ counts
    std::vector<double> node_evidence_;  // of each column
    std::vector<double> table_;          // stride_ counts for each bin of the cuts
    std::vector<double> bin_weight_;
    std::vector<double> left_counts_;
    std::vector<std::uint32_t> bin_begin_;  // rows in the order of their bins, unweighted
    std::vector<std::uint32_t> sorted_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint64_t>
        halves_;  // stride_ counts of rows: left ones in the low half, right in the high
    double left_weight_ = 0.0;
    double evidence_ = 0.0;  // Σ over columns and coarse bins of both halves, the split's column left out
    std::vector<double> other_columns_;  // how many columns other than the split's have k bins
    double other_evidence_ = 0.0;
    std::size_t feature_ = 0;
};

}  // namespace boxwood
