// The Gaussian-entropy criterion: H = ½·log det(2πe·Σ) of the rows of a node and of its halves.
//
// The rows of a node are added up in the order of a column. Between two neighbours the sums so far are the
// moments of the left half, and the node's moments less these are those of the right half. If there are many
// candidates, every eighth is evaluated first, and a bound rules out most of those in between.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/density/candidate_splits.hpp"
#include "tree/density/node_context.hpp"
#include "tree/density/split_finders/split_covariances.hpp"
#include "tree/grow_options.hpp"

namespace boxwood {

class EntropySplitFinder {
  public:
    static constexpr bool per_node = true;
    static constexpr bool sees_volume = false;

    EntropySplitFinder(const BinnedRows& data, const GrowOptions& options);

    void begin_node(const NodeContext& node);
    double node_weight() const { return node_[0]; }
    std::vector<double> bin_keys(const CandidateSplits& bins, std::span<const double> widths);

    // Finds the candidate splits of an ordered column. False if the options ask for random or fewer ones.
    bool find_candidates(const GrowBox& box, std::size_t j, CandidateSplits& candidates);

    // Calls report(c, weight on the left, gain) for the candidates found that leave rows on both sides and
    // may gain more than `best`.
    template <class Report>
    void scan_found(const CandidateSplits& /*candidates*/, double best, Report&& report) {
        keep_allowed_boundaries();
        if (boundaries_.empty()) return;
        const std::size_t last = boundaries_.size() - 1;
        const bool all = boundaries_.size() <= few_boundaries;
        const std::size_t stride = all ? 1 : std::max(least_stride, boundaries_.size() / most_checkpoints);
        begin_scan(all ? 0 : (last + stride - 1) / stride);
        for (std::size_t b = 0;; b = std::min(b + stride, last)) {
            add_until(b);
            if (b < last && !all) keep_sums(b / stride);
            put_into_lane(b);
            if (n_lanes_ == split_lanes) report_lanes(best, report);
            if (b == last) break;
        }
        report_lanes(best, report);
        if (all) return;
        for (std::size_t begin = 0; begin < last; begin += stride) {
            const std::size_t end = std::min(begin + stride, last);
            if (largest_gain_between(boundaries_[begin], boundaries_[end]) < best - rounding) continue;
            take_sums(begin / stride, begin);
            for (std::size_t b = begin + 1; b < end; ++b) {
                add_until(b);
                put_into_lane(b);
                if (n_lanes_ == split_lanes) report_lanes(best, report);
            }
        }
        report_lanes(best, report);
    }

    template <class Report>
    void scan(const CandidateSplits& candidates, double best, Report&& report) {
        find_boundaries(candidates);
        scan_found(candidates, best, report);
    }

    // Moments are not passed on to the larger half.
    void subtract(const RowPartition&, std::size_t, std::size_t, std::size_t,
                  const NodeCounts::Handle&) const {}

  private:
    // Candidates first … last that have the same rows on the left, those first in `below_`; what these weigh;
    // log det of both sides' covariances once it is known.
    struct Boundary {
        std::uint32_t n_below;
        std::uint32_t first;
        std::uint32_t last;
        double weight = 0.0;
        double log_left = 0.0;
        double log_right = 0.0;
    };

    static constexpr std::size_t few_boundaries = 32;  // up to this many, each is evaluated
    static constexpr std::size_t least_stride = 8;
    static constexpr std::size_t most_checkpoints = 2048;
    static constexpr double rounding = 1e-9;  // of gains

    template <class Report>
    void report_lanes(double& best, Report&& report) {
        find_log_determinants();
        for (std::size_t l = 0; l < n_lanes_; ++l) {
            Boundary& boundary = boundaries_[in_lane_[l]];
            boundary.log_left = log_left_[l];
            boundary.log_right = log_right_[l];
            const double fraction = boundary.weight / node_[0];
            const double gain =
                0.5 * (log_node_ - fraction * log_left_[l] - (1.0 - fraction) * log_right_[l]);
            for (std::uint32_t c = boundary.first; c <= boundary.last; ++c) {
                if (report(c, boundary.weight, gain)) best = gain;
            }
        }
        n_lanes_ = 0;
    }

    const double* centred_places(std::uint32_t row);
    double weight_of(std::uint32_t row) const;
    void add_row(std::uint32_t row, double* sums);
    void keep_allowed_boundaries();
    void begin_scan(std::size_t n_checkpoints);
    void add_until(std::size_t boundary);
    void keep_sums(std::size_t checkpoint);
    void take_sums(std::size_t checkpoint, std::size_t boundary);
    void put_into_lane(std::size_t boundary);
    void find_log_determinants();
    double largest_gain_between(const Boundary& a, const Boundary& b) const;
    void find_boundaries_between_points(const GrowBox& box, std::size_t j, CandidateSplits& candidates);
    void find_boundaries_between_bins(const GrowBox& box, std::size_t j, CandidateSplits& candidates);
    void find_boundaries(const CandidateSplits& candidates);
    template <class GroupOf>
    void order_groups(std::size_t n_groups, const GroupOf& group_of);
    void add_boundary(std::size_t n_below, std::size_t first, std::size_t last, bool has_gaps);

    const BinnedRows& data_;
    double min_samples_leaf_;
    std::size_t max_candidates_;
    bool random_;      // candidates are drawn
    bool everywhere_;  // the best candidate may have a shape that is not allowed: all are reported
    std::size_t n_columns_;
    std::size_t width_;                         // sums a side: see moment_count
    std::vector<std::vector<double>> middles_;  // of each column's bins

    // The current node. Rows are numbered as in the table if growth is exact, and otherwise by their position
    // in the node.
    std::span<const std::uint32_t> rows_;
    const RowPartition* partition_ = nullptr;
    std::size_t begin_ = 0;
    std::vector<double> mean_;
    std::vector<double> node_;
    double log_node_ = 0.0;
    std::vector<double> centred_;

    // The current scan. `below_` has rows, or groups of rows in `table_`, in the order of the column.
    std::vector<Boundary> boundaries_;
    std::vector<std::uint32_t> below_;
    bool by_groups_ = false;
    std::vector<double> table_;  // the sums of each group
    std::vector<std::uint32_t> group_end_;
    std::vector<std::uint32_t> occupied_;
    std::size_t n_added_ = 0;  // of `below_`, to `left_`
    std::vector<double> left_;
    std::vector<double> checkpoints_;  // `left_` at some boundaries

    LogDeterminants log_determinants_ = log_determinants();
    std::vector<double> lanes_;
    std::vector<double> work_;
    std::size_t n_lanes_ = 0;
    std::size_t in_lane_[split_lanes];  // a boundary
    double log_left_[split_lanes];
    double log_right_[split_lanes];
};

}  // namespace boxwood
