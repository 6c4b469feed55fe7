// The quick way over the candidate splits of an ordered column, for criteria that see nothing of the rows but
// how many there are.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/instruction_sets.hpp"
#include "tree/density/enough_rows.hpp"
#include "tree/density/node_counts.hpp"
#include "tree/density/row_partition.hpp"
#include "tree/density/split_finders/additive_split_finder.hpp"
#include "tree/density/split_finders/gain_bounds.hpp"
#include "tree/density/split_finders/gap_thresholds.hpp"
#include "tree/grow_options.hpp"

namespace boxwood {

template <CountingCriterion Criterion>
class CountSplitFinder : public AdditiveSplitFinder<Criterion> {
  public:
    CountSplitFinder(const BinnedRows& data, const GrowOptions& options, double total)
        : AdditiveSplitFinder<Criterion>(Criterion(data, total), std::isfinite(options.max_aspect)),
          data_(data),
          options_(options),
          enough_(options.min_samples_leaf),
          counts_(data) {}

    // Counts that the node does not have from its parent are made where it pays.
    void begin_node(NodeContext& node) {
        rows_partition_ = &node.partition;
        begin_ = node.begin;
        this->rows_ = node.rows;
        this->volume_ = node.box.volume;
        this->node_ = {node.weight};
        if (!counts_.pays(node.box, node.rows.size()))
            node.counts.reset();
        else if (!node.counts)
            node.counts = counts_.count(node.partition, node.begin, node.rows.size(), node.box);
        node_counts_ = node.counts;
    }

    // Makes the counts of a node those of its larger half.
    void subtract(const RowPartition& partition, std::size_t begin, std::size_t end, std::size_t split_column,
                  const NodeCounts::Handle& counts) const {
        counts_.subtract(partition, begin, end, split_column, counts);
    }

    // Finds the candidate splits of a column. False where the quick way does not lead there: sets of
    // categories, random candidates, fewer candidates than bins, shapes of boxes that matter.
    bool find_candidates(const GrowBox& box, std::size_t j, CandidateSplits& candidates) {
        const ColumnRange& range = box.ranges[j];
        if ((*data_.columns)[j].categorical || options_.random_splits > 0) return false;
        if (std::isfinite(options_.max_aspect)) return false;
        if (!data_.exact(j) && range.high - range.low > options_.max_candidates) return false;
        candidates.feature = j;
        if (data_.exact(j)) {
            find_threshold_points(range, j, candidates);
        } else if (node_counts_) {
            find_all_candidates(range, j, candidates);
        } else {
            find_candidates_of_few(range, j, candidates);
        }
        return true;
    }

    // Calls report(c, weight on the left, gain) for the candidates found that may gain more than `best`.
    template <class Report>
    void scan_found(CandidateSplits& candidates, double best, Report&& report) {
        const std::size_t top = bound_({left_.data(), u_.data(), n_found_, low_, scale_, this->node_.n,
                                        candidates.fraction.data(), bounds_.data()});
        if constexpr (!Criterion::has_bound) {
            for (std::size_t c = 0; c < n_found_; ++c) report(c, left_[c], gain(candidates, c));
        } else if (n_found_ > 0) {
            // The bounds take no logarithm, and the candidate of the largest one leaves few others to look
            // at. Rounding must not hide the best: gains are differences of terms of size n·log n.
            const double slack = 1e-12 * (this->node_.n + 1.0);
            const double* b = bounds_.data();
            if (b[top] < least_bound(best - slack)) return;
            best = std::max(best, gain(candidates, top));
            double least = least_bound(best - slack);
            const auto look_at = [&](std::size_t c) {
                const double found = gain(candidates, c);
                report(c, left_[c], found);
                if (found <= best) return;
                best = found;
                least = least_bound(best - slack);
            };
            std::size_t c = 0;
            for (; c + 4 <= n_found_; c += 4) {
                if (!((b[c] >= least) | (b[c + 1] >= least) | (b[c + 2] >= least) | (b[c + 3] >= least)))
                    continue;
                for (std::size_t k = c; k < c + 4; ++k) {
                    if (b[k] >= least) look_at(k);
                }
            }
            for (; c < n_found_; ++c) {
                if (b[c] >= least) look_at(c);
            }
        }
    }

  private:
    // What χ² must at least be for a gain: the divergence of n rows is at most n·log(1 + χ²/n). The first
    // terms of exp(x) − 1, which never exceed it.
    double least_bound(double gain) const {
        const double x = std::max(gain, 0.0) / this->node_.n;
        return this->node_.n * x * (1.0 + x * (1.0 / 2.0 + x * (1.0 / 6.0 + x * (1.0 / 24.0))));
    }

    double gain(const CandidateSplits& candidates, std::size_t c) const {
        return this->criterion_.gain(this->node_, {left_[c]}, candidates.fraction[c], this->volume_);
    }

    // Room for so many candidates of an interval.
    void begin_candidates(std::size_t n_thresholds, double low, double high, CandidateSplits& candidates) {
        if (left_.size() < n_thresholds) {
            for (auto* values : {&left_, &u_, &bounds_}) values->resize(n_thresholds);
        }
        if (candidates.fraction.size() < n_thresholds) candidates.fraction.resize(n_thresholds);
        if (candidates.threshold_bin.size() < n_thresholds) candidates.threshold_bin.resize(n_thresholds);
        low_ = low;
        scale_ = 1.0 / (high - low);
        n_found_ = 0;
    }

    double fraction_below(double u) const { return (u - low_) * scale_; }

    bool is_allowed(double left, double u) const {
        return enough_.allows(this->node_.n, left, fraction_below(u));
    }

    // The outermost thresholds of all stretches without rows: by convex criteria one of them is the best of
    // its stretch. `occupied` has a bit for every bin with rows, weight_of(bin) their weight.
    template <class WeightOf>
    void find_candidates_between(const ColumnRange& range, std::size_t j, const std::uint64_t* occupied,
                                 WeightOf&& weight_of, CandidateSplits& candidates) {
        const double* u = (*data_.columns)[j].u.data();
        const double total = this->node_.n;
        Gap gap{range.low, range.low, range.low, range.high, 0.0, total};
        for (std::uint32_t word = range.low / 64; word < (range.high + 63) / 64; ++word) {
            for (std::uint64_t rest = occupied[word] & bits_inside(range, word); rest != 0;
                 rest &= rest - 1) {
                gap.end = word * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
                add_gap(gap, u, candidates);
                gap.left += weight_of(gap.end);
                gap.right = total - gap.left;
                gap.begin = gap.end + 1;
            }
        }
        gap.end = range.high;
        add_gap(gap, u, candidates);
    }

    // The bits of a word of bins that lie inside of a range.
    static std::uint64_t bits_inside(const ColumnRange& range, std::uint32_t word) {
        std::uint64_t bits = ~std::uint64_t{0};
        if (range.low > word * 64) bits <<= range.low - word * 64;
        if (range.high < (word + 1) * 64) bits &= ~std::uint64_t{0} >> ((word + 1) * 64 - range.high);
        return bits;
    }

    // The gain grows with the distance from where rows would be even: the outermost threshold is best.
    BOXWOOD_INLINE void add_gap(const Gap& gap, const double* u, CandidateSplits& candidates) {
        if (!gap.has_two_sides()) {
            add_margin(gap, u, candidates);
            return;
        }
        if (!(gap.left >= options_.min_samples_leaf) | !(gap.right >= options_.min_samples_leaf)) return;
        if (gap.begin == gap.end) {
            add_threshold(gap.begin, gap.left, u, candidates);
            return;
        }
        const bool right_is_denser = gap.left < this->node_.n * fraction_below(u[gap.begin]);
        const bool left_is_denser = gap.left > this->node_.n * fraction_below(u[gap.end]);
        if (!right_is_denser) add_threshold(gap.after_left(), gap.left, u, candidates);
        if (!left_is_denser) add_threshold(gap.before_right(), gap.left, u, candidates);
    }

    void add_margin(const Gap& gap, const double* u, CandidateSplits& candidates) {
        const GapThresholds found = gap.candidates(0.0, 0.0);
        if (found.empty()) return;
        const std::uint32_t bin = gap.left > 0.0 ? found.begin : found.end - 1;
        if (is_allowed(gap.left, u[bin])) add_threshold(bin, gap.left, u, candidates);
    }

    BOXWOOD_INLINE void add_threshold(std::uint32_t bin, double left, const double* u,
                                      CandidateSplits& candidates) {
        left_[n_found_] = left;
        u_[n_found_] = u[bin];
        candidates.threshold_bin[n_found_++] = bin;
    }

    void find_all_candidates(const ColumnRange& range, std::size_t j, CandidateSplits& candidates) {
        const double* u = (*data_.columns)[j].u.data();
        begin_candidates(2 * (range.high - range.low) + 2, u[range.low], u[range.high], candidates);
        const double* counts = counts_.of(node_counts_, j);
        find_candidates_between(
            range, j, counts_.occupied(node_counts_, j), [&](std::uint32_t bin) { return counts[bin]; },
            candidates);
    }

    // Few rows in many bins are counted for this column alone, in a table that is left as it was found:
    // empty.
    void find_candidates_of_few(const ColumnRange& range, std::size_t j, CandidateSplits& candidates) {
        const std::size_t n_rows = this->rows_.size();
        const double* u = (*data_.columns)[j].u.data();
        begin_candidates(2 * n_rows + 2, u[range.low], u[range.high], candidates);
        if (few_counts_.size() < range.high) {
            few_counts_.resize(range.high, 0.0);
            few_occupied_.resize((range.high + 63) / 64, 0);
        }
        const std::uint16_t* bins = rows_partition_->bins(begin_) + j;
        const double* weights = rows_partition_->weights(begin_);
        for (std::size_t i = 0; i < n_rows; ++i) {
            const std::size_t bin = bins[i * rows_partition_->stride()];
            few_counts_[bin] += weights == nullptr ? 1.0 : weights[i];
            few_occupied_[bin / 64] |= std::uint64_t{1} << (bin % 64);
        }
        find_candidates_between(
            range, j, few_occupied_.data(),
            [&](std::uint32_t bin) { return std::exchange(few_counts_[bin], 0.0); }, candidates);
        std::fill(few_occupied_.begin() + range.low / 64, few_occupied_.begin() + (range.high + 63) / 64, 0);
    }

    // Midway between neighbouring points, and between the outermost points and the box's ends.
    void find_threshold_points(const ColumnRange& range, std::size_t j, CandidateSplits& candidates) {
        const std::size_t n_rows = this->rows_.size();
        begin_candidates(n_rows + 1, range.low_point, range.high_point, candidates);
        const RowPartition::Sorted& column = rows_partition_->sorted(j);
        const bool weighted = rows_partition_->weights(begin_) != nullptr;
        const std::size_t end = begin_ + n_rows;
        const OpenMargins open(range, options_.min_samples_leaf, n_rows > 0 ? column.point[begin_] : 0.0,
                               n_rows > 0 ? column.point[end - 1] : 0.0);
        double left = 0.0;
        double previous = range.low_point;
        const auto add = [&](double next, bool may_cut) {
            const double point = 0.5 * (previous + next);
            left_[n_found_] = left;
            u_[n_found_] = point;
            // Between neighbouring doubles the middle is one of them. The upper end of the box would be no
            // cut.
            const bool parts = (previous < point) & (point <= next) & (point < range.high_point);
            n_found_ += (may_cut & parts & is_allowed(left, point)) ? 1 : 0;
        };
        for (std::size_t i = begin_; i < end; ++i) {
            add(column.point[i], i > begin_ || open.low);
            previous = column.point[i];
            left += weighted ? data_.weight(column.row[i]) : 1.0;
        }
        add(range.high_point, open.high);
        candidates.threshold_point.assign(u_.begin(), u_.begin() + static_cast<std::ptrdiff_t>(n_found_));
    }

    const BinnedRows& data_;
    const GrowOptions& options_;
    EnoughRows enough_;
    NodeCounts counts_;
    NodeCounts::Handle node_counts_;
    const RowPartition* rows_partition_ = nullptr;
    std::size_t begin_ = 0;
    BoundCandidates bound_ = bound_candidates();
    // The candidates found: weight on the left, place, and what the gain cannot exceed.
    std::size_t n_found_ = 0;
    std::vector<double> left_;
    std::vector<double> u_;
    std::vector<double> bounds_;
    double low_ = 0.0;  // of the interval that is split
    double scale_ = 1.0;
    std::vector<double> few_counts_;  // of bins; all zero between two columns
    std::vector<std::uint64_t> few_occupied_;
};

}  // namespace boxwood
