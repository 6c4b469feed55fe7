// The quick way over the cuts of an ordered column, for criteria that see nothing of the rows but how many
// there are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boxwood/cut_bounds.hpp"
#include "boxwood/enough_rows.hpp"
#include "boxwood/gap_cuts.hpp"
#include "boxwood/kept_rows.hpp"
#include "boxwood/node_counts.hpp"
#include "boxwood/scan_cuts.hpp"

namespace boxwood {

template <class Criterion>
class CountScanner : public CutScanner<Criterion> {
  public:
    CountScanner(const GrowData& data, const GrowOptions& options, double total)
        : CutScanner<Criterion>(Criterion(data, total), std::isfinite(options.max_aspect)),
          data_(data),
          options_(options),
          enough_(options.min_samples_leaf),
          counts_(data) {}

    // `counts` are those that the node has from its parent, or none; they are made here where it pays.
    void begin_node(const KeptRows& kept, std::size_t begin, std::span<const std::uint32_t> rows,
                    double weight, const GrowBox& box, NodeCounts::Handle& counts) {
        kept_ = &kept;
        begin_ = begin;
        this->rows_ = rows;
        this->volume_ = box.volume;
        this->node_ = {weight};
        if (!counts && counts_.pays(box, rows.size())) counts = counts_.count(kept, begin, rows.size(), box);
        node_counts_ = counts;
    }

    // Makes the counts of a node those of its larger half.
    void take_away(const KeptRows& kept, std::size_t begin, std::size_t end, std::size_t split_column,
                   const NodeCounts::Handle& counts) const {
        counts_.take_away(kept, begin, end, split_column, counts);
    }

    // Finds the cuts of a column. False where the quick way does not lead there: sets of categories, random
    // cuts, fewer cuts than cells, shapes of boxes that matter.
    bool find_cuts(const GrowBox& box, std::size_t j, Cuts& cuts) {
        const ColumnRange& range = box.ranges[j];
        if ((*data_.columns)[j].categorical || options_.random_splits > 0) return false;
        if (std::isfinite(options_.max_aspect)) return false;
        if (!data_.exact(j) && range.high - range.low > options_.max_candidates) return false;
        cuts.feature = j;
        if (data_.exact(j)) {
            find_cut_points(range, j, cuts);
        } else if (node_counts_) {
            find_all_cuts(range, j, cuts);
        } else {
            find_cuts_next_to_rows(range, j, cuts);
        }
        return true;
    }

    // Calls report(c, weight on the left, gain) for the cuts found that may gain more than `best`.
    template <class Report>
    void scan_found(Cuts& cuts, double best, Report&& report) {
        forget_gap();
        const std::size_t top = bound_({left_.data(), u_.data(), n_found_, low_, scale_, this->node_.n,
                                        cuts.share.data(), bounds_.data()});
        if constexpr (!Criterion::has_bound) {
            for (std::size_t c = 0; c < n_found_; ++c) look_at(cuts, c, report);
        } else if (n_found_ > 0) {
            // The bounds take no logarithm, and the cut of the largest one leaves few others to look at.
            // Rounding must not hide the best: gains are differences of terms of size n·log n.
            const double slack = 1e-12 * (this->node_.n + 1.0);
            look_at(cuts, top, [&](std::size_t, double, double gain) { best = std::max(best, gain); });
            forget_gap();
            const double least = best - slack;
            std::size_t c = 0;
            const double* b = bounds_.data();
            for (; c + 4 <= n_found_; c += 4) {
                if (!((b[c] >= least) | (b[c + 1] >= least) | (b[c + 2] >= least) | (b[c + 3] >= least)))
                    continue;
                for (std::size_t k = c; k < c + 4; ++k) {
                    if (b[k] >= least) look_at(cuts, k, report);
                }
            }
            for (; c < n_found_; ++c) {
                if (b[c] >= least) look_at(cuts, c, report);
            }
        }
    }

  private:
    // Of an exactly split column, the cut itself; else the two outermost cuts of its gap, which gain no more
    // than the cuts right beside rows promise.
    template <class Report>
    void look_at(Cuts& cuts, std::size_t c, Report&& report) {
        if (data_.exact(cuts.feature)) {
            report(c, left_[c], gain(cuts, c));
            return;
        }
        const std::size_t knot = cuts.cut_cell[c];
        if (gap_begin_ <= knot && knot <= gap_end_) return;  // its cuts were looked at
        find_gap(knot);
        const double* u = (*data_.columns)[cuts.feature].u.data();
        const double left = left_[c];
        const auto share = [&](std::size_t k) { return (u[k] - low_) * scale_; };
        const GapCuts found = cuts_of_gap(gap_begin_, gap_end_, left, this->node_.n - left, share);
        if (found.empty()) return;
        const auto tell = [&](std::size_t k) {
            if (!is_allowed(left, u[k])) return;
            cuts.cut_cell[n_found_] = static_cast<std::uint32_t>(k);
            cuts.share[n_found_] = share(k);
            left_[n_found_] = left;
            report(n_found_, left, gain(cuts, n_found_));
        };
        tell(found.begin);
        if (found.end - found.begin > 1) tell(found.end - 1);
    }

    // The empty stretch around a knot: from knot to knot.
    void find_gap(std::size_t knot) {
        gap_begin_ = gap_end_ = knot;
        if (cell_counts_ == nullptr) {
            const auto key = static_cast<std::uint32_t>(knot << 16);
            const auto above = std::lower_bound(few_.begin(), few_.end(), key);
            gap_begin_ = above == few_.begin() ? range_low_ : (*(above - 1) >> 16) + 1;
            gap_end_ = above == few_.end() ? range_high_ : *above >> 16;
            return;
        }
        while (gap_begin_ > range_low_ && cell_counts_[gap_begin_ - 1] <= 0.0) --gap_begin_;
        while (gap_end_ < range_high_ && cell_counts_[gap_end_] <= 0.0) ++gap_end_;
    }

    void forget_gap() {
        gap_begin_ = 1;
        gap_end_ = 0;
    }

    double gain(const Cuts& cuts, std::size_t c) const {
        return this->criterion_.gain(this->node_, {left_[c]}, cuts.share[c], this->volume_);
    }

    // Room for so many cuts of an interval, and for one more that is looked at.
    void begin_cuts(std::size_t most, double low, double high, Cuts& cuts) {
        const std::size_t n_cuts = most + 1;
        if (left_.size() < n_cuts) {
            for (auto* values : {&left_, &u_, &bounds_}) values->resize(n_cuts);
        }
        if (cuts.share.size() < n_cuts) cuts.share.resize(n_cuts);
        if (cuts.cut_cell.size() < n_cuts) cuts.cut_cell.resize(n_cuts);
        low_ = low;
        scale_ = 1.0 / (high - low);
        n_found_ = 0;
    }

    // Gaps are found by counts of cells, or without them by `few_`.
    void begin_gaps(const ColumnRange& range, const double* cell_counts) {
        range_low_ = range.low;
        range_high_ = range.high;
        cell_counts_ = cell_counts;
    }

    bool is_allowed(double left, double u) const {
        return enough_.allows(this->node_.n, left, (u - low_) * scale_);
    }

    void add_cell(std::uint32_t cell, double left, double u, Cuts& cuts) {
        if (!is_allowed(left, u)) return;
        left_[n_found_] = left;
        u_[n_found_] = u;
        cuts.cut_cell[n_found_++] = cell;
    }

    // At every cell. The cuts that leave enough rows on both sides are neighbours; of those that cut off an
    // empty margin the largest is best.
    void find_all_cuts(const ColumnRange& range, std::size_t j, Cuts& cuts) {
        const std::size_t n = range.high - range.low - 1;
        const double* u = (*data_.columns)[j].u.data() + range.low;
        const double* counts = counts_.of(node_counts_, j) + range.low;
        begin_cuts(n + 2, u[0], u[n + 1], cuts);
        begin_gaps(range, counts_.of(node_counts_, j));
        std::size_t first = 0;  // the lowest cut that leaves rows on the left: it lies above this cell
        double left = counts[0];
        while (left <= 0.0 && first < n) left += counts[++first];
        std::size_t last = n;  // the highest cut that leaves rows on the right lies below this cell
        double right = counts[n];
        while (right <= 0.0 && last > 0) right += counts[--last];
        if (first > 0) add_cell(range.low + static_cast<std::uint32_t>(first), 0.0, u[first], cuts);
        if (last < n)
            add_cell(range.low + static_cast<std::uint32_t>(last) + 1, this->node_.n, u[last + 1], cuts);
        while (left < options_.min_samples_leaf && first < last) left += counts[++first];
        while (right < options_.min_samples_leaf && last > first) right += counts[--last];
        const std::size_t n_cuts = last > first ? last - first : 0;
        add_up(left - counts[first], counts + first, n_cuts, left_.data() + n_found_);
        std::copy_n(u + first + 1, n_cuts, u_.data() + n_found_);
        std::uint32_t* cells = cuts.cut_cell.data() + n_found_;
        for (std::size_t c = 0; c < n_cuts; ++c)
            cells[c] = range.low + static_cast<std::uint32_t>(first + c + 1);
        n_found_ += n_cuts;
    }

    // Running sums, four at a time: each waits for the one before. Sums of weights are exact in any order.
    static void add_up(double sum, const double* values, std::size_t n, double* out) {
        std::size_t i = 0;
        for (; i + 4 <= n; i += 4) {
            const double two = values[i] + values[i + 1];
            const double three = two + values[i + 2];
            const double four = three + values[i + 3];
            out[i] = sum + values[i];
            out[i + 1] = sum + two;
            out[i + 2] = sum + three;
            out[i + 3] = sum += four;
        }
        for (; i < n; ++i) out[i] = sum += values[i];
    }

    // Few rows in many cells are sorted: on either side of each stretch of cells with rows.
    void find_cuts_next_to_rows(const ColumnRange& range, std::size_t j, Cuts& cuts) {
        const std::size_t n_rows = this->rows_.size();
        const double* u = (*data_.columns)[j].u.data();
        begin_cuts(2 * n_rows, u[range.low], u[range.high], cuts);
        begin_gaps(range, nullptr);
        const std::uint16_t* cells = kept_->cells(begin_) + j;
        const double* weights = kept_->weights(begin_);
        few_.resize(n_rows);
        for (std::size_t i = 0; i < n_rows; ++i) {
            const auto cell = static_cast<std::uint32_t>(cells[i * kept_->stride()]);
            few_[i] = cell << 16 | static_cast<std::uint32_t>(i);
        }
        std::sort(few_.begin(), few_.end());
        double left = 0.0;
        std::uint32_t last = range.low;
        const auto add = [&](std::uint32_t cell) {
            if (cell == last || cell == range.high) return;
            last = cell;
            add_cell(cell, left, u[cell], cuts);
        };
        for (std::size_t i = 0; i < n_rows; ++i) {
            const std::uint32_t cell = few_[i] >> 16;
            const std::uint32_t before = i == 0 ? cell : few_[i - 1] >> 16;
            if (before != cell) add(before + 1);
            if (before != cell || i == 0) add(cell);
            left += weights == nullptr ? 1.0 : weights[few_[i] & 0xffffu];
        }
        add((few_.back() >> 16) + 1);
    }

    // Midway between neighbouring points, and between the outermost points and the box's edges.
    void find_cut_points(const ColumnRange& range, std::size_t j, Cuts& cuts) {
        const std::size_t n_rows = this->rows_.size();
        begin_cuts(n_rows + 1, range.low_point, range.high_point, cuts);
        const KeptRows::Sorted& column = kept_->sorted(j);
        const bool weighted = kept_->weights(begin_) != nullptr;
        double left = 0.0;
        double previous = range.low_point;
        const auto add = [&](double next) {
            const double point = 0.5 * (previous + next);
            left_[n_found_] = left;
            u_[n_found_] = point;
            n_found_ += (previous < point) & (point <= next) & is_allowed(left, point) ? 1 : 0;
        };
        for (std::size_t i = begin_; i < begin_ + n_rows; ++i) {
            add(column.point[i]);
            previous = column.point[i];
            left += weighted ? data_.weight(column.row[i]) : 1.0;
        }
        add(range.high_point);
        cuts.cut_point.assign(u_.begin(), u_.begin() + static_cast<std::ptrdiff_t>(n_found_));
    }

    const GrowData& data_;
    const GrowOptions& options_;
    EnoughRows enough_;
    NodeCounts counts_;
    NodeCounts::Handle node_counts_;
    const KeptRows* kept_ = nullptr;
    std::size_t begin_ = 0;
    BoundCuts bound_ = bound_cuts();
    // The cuts found: weight on the left, place, and what the gain cannot exceed.
    std::size_t n_found_ = 0;
    std::vector<double> left_;
    std::vector<double> u_;
    std::vector<double> bounds_;
    double low_ = 0.0;  // of the interval that is cut
    double scale_ = 1.0;
    std::vector<std::uint32_t> few_;  // cells of few rows, sorted, and which row each is of
    const double* cell_counts_ = nullptr;
    std::size_t range_low_ = 0;
    std::size_t range_high_ = 0;
    std::size_t gap_begin_ = 1;  // of the gap that was looked at last
    std::size_t gap_end_ = 0;
};

}  // namespace boxwood
