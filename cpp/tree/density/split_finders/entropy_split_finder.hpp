// The Gaussian-entropy criterion: H = ½·log det(2πe·Σ) of the rows of a node and of its halves.
//
// The rows of a node are added up once in the order of a column. Between two neighbours the sums so far are
// the moments of the left half, and the node's moments less these are those of the right half.
#pragma once

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

    // Calls report(c, weight on the left, gain) for the candidates found that leave rows on both sides.
    template <class Report>
    void scan_found(const CandidateSplits& /*candidates*/, double /*best*/, Report&& report) {
        begin_scan();
        std::size_t n_added = 0;
        for (const Boundary& boundary : boundaries_) {
            for (; n_added < boundary.n_below; ++n_added) add_below(below_[n_added]);
            if (!is_allowed(left_[0])) continue;
            put_into_lane(boundary);
            if (n_lanes_ == split_lanes) report_lanes(report);
        }
        if (n_lanes_ > 0) report_lanes(report);
    }

    template <class Report>
    void scan(const CandidateSplits& candidates, double best, Report&& report) {
        find_boundaries(candidates);
        scan_found(candidates, best, report);
    }

    // Moments are not passed on to the larger half.
    void subtract(const RowPartition&, std::size_t, std::size_t, std::size_t, const NodeCounts::Handle&) const {
    }

  private:
    // Candidates that have the same rows on the left: those first in `below_`.
    struct Boundary {
        std::uint32_t n_below;
        std::uint32_t first;
        std::uint32_t last;
    };

    bool is_allowed(double left) const {
        const double right = node_[0] - left;
        return left > 0.0 && right > 0.0 && left >= min_samples_leaf_ && right >= min_samples_leaf_;
    }

    template <class Report>
    void report_lanes(Report&& report) {
        find_log_determinants();
        for (std::size_t l = 0; l < n_lanes_; ++l) {
            const double weight = lanes_[l];
            const double fraction = weight / node_[0];
            const double gain = 0.5 * (log_node_ - fraction * log_left_[l] - (1.0 - fraction) * log_right_[l]);
            for (std::uint32_t c = in_lane_[l].first; c <= in_lane_[l].last; ++c) report(c, weight, gain);
        }
        n_lanes_ = 0;
    }

    const double* centred_places(std::uint32_t row);
    double weight_of(std::uint32_t row) const;
    void add_row(std::uint32_t row, double* sums);
    void begin_scan();
    void add_below(std::uint32_t next);
    void put_into_lane(const Boundary& boundary);
    void find_log_determinants();
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

    // Of the node. A row is called by its number in the table if growth is exact, else by its place in the
    // node.
    std::span<const std::uint32_t> rows_;
    const RowPartition* partition_ = nullptr;
    std::size_t begin_ = 0;
    std::vector<double> mean_;
    std::vector<double> node_;
    double log_node_ = 0.0;
    std::vector<double> centred_;

    // Of the present scan: rows, or groups of rows in `table_`, in the order of the column.
    std::vector<Boundary> boundaries_;
    std::vector<std::uint32_t> below_;
    bool by_groups_ = false;
    std::vector<double> table_;  // the sums of each group
    std::vector<std::uint32_t> group_end_;
    std::vector<std::uint32_t> occupied_;
    std::vector<double> left_;

    LogDeterminants log_determinants_ = log_determinants();
    std::vector<double> lanes_;
    std::vector<double> work_;
    std::size_t n_lanes_ = 0;
    Boundary in_lane_[split_lanes];
    double log_left_[split_lanes];
    double log_right_[split_lanes];
};

}  // namespace boxwood
