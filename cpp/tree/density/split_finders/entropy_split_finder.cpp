#include "tree/density/split_finders/entropy_split_finder.hpp"

#include <algorithm>
#include <cmath>

namespace boxwood {

namespace {

// Added to every variance: this fraction of the variance of the uniform distribution on the cube, 1/12.
// Without it the entropy of rows that lie in a plane is −∞.
constexpr double variance_floor = 1e-4 / 12.0;

// If groups have at least this many rows on average, each group's sums are added up in the order of the rows.
// The rows then need not be sorted.
constexpr std::size_t rows_a_group = 2;

// Adds the moments of a row of centred places.
void add_moments(const double* x, double weight, std::size_t d, double* sums) {
    sums[0] += weight;
    double* products = sums + 1 + d;
    for (std::size_t j = 0; j < d; ++j) {
        const double weighted = weight * x[j];
        sums[1 + j] += weighted;
        for (std::size_t k = 0; k <= j; ++k) products[k] += weighted * x[k];
        products += j + 1;
    }
}

}  // namespace

EntropySplitFinder::EntropySplitFinder(const BinnedRows& data, const GrowOptions& options)
    : data_(data),
      min_samples_leaf_(options.min_samples_leaf),
      max_candidates_(options.max_candidates),
      random_(options.random_splits > 0),
      everywhere_(std::isfinite(options.max_aspect)),
      n_columns_(data.n_columns()),
      width_(moment_count(n_columns_)),
      mean_(n_columns_),
      node_(width_),
      centred_(n_columns_),
      left_(width_),
      lanes_(width_ * split_lanes),
      work_((width_ + n_columns_) * split_lanes) {
    if (data.points != nullptr) return;
    for (const BinEdges& edges : *data.columns) {
        std::vector<double>& middles = middles_.emplace_back(edges.n_bins());
        for (std::size_t k = 0; k < middles.size(); ++k) middles[k] = 0.5 * (edges.u[k] + edges.u[k + 1]);
    }
}

const double* EntropySplitFinder::centred_places(std::uint32_t row) {
    if (data_.points != nullptr) {
        const double* points = data_.points + row * n_columns_;
        for (std::size_t j = 0; j < n_columns_; ++j) centred_[j] = points[j] - mean_[j];
    } else {
        const std::uint16_t* bins = partition_->bins(begin_ + row);
        for (std::size_t j = 0; j < n_columns_; ++j) centred_[j] = middles_[j][bins[j]] - mean_[j];
    }
    return centred_.data();
}

double EntropySplitFinder::weight_of(std::uint32_t row) const {
    if (data_.points != nullptr) return data_.weight(row);
    const double* weights = partition_->weights(begin_);
    return weights == nullptr ? 1.0 : weights[row];
}

void EntropySplitFinder::add_row(std::uint32_t row, double* sums) {
    add_moments(centred_places(row), weight_of(row), n_columns_, sums);
}

// Places are centred at the node's mean: variances of boxes that are small and far from 0 would lose their
// digits otherwise.
void EntropySplitFinder::begin_node(const NodeContext& node) {
    rows_ = node.rows;
    partition_ = &node.partition;
    begin_ = node.begin;
    const bool exact = data_.points != nullptr;
    std::fill(mean_.begin(), mean_.end(), 0.0);
    std::vector<double> sums(n_columns_, 0.0);
    double total = 0.0;
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
        const std::uint32_t row = exact ? rows_[i] : i;
        const double* x = centred_places(row);
        const double weight = weight_of(row);
        total += weight;
        for (std::size_t j = 0; j < n_columns_; ++j) sums[j] += weight * x[j];
    }
    for (std::size_t j = 0; j < n_columns_; ++j) mean_[j] = sums[j] / total;
    std::fill(node_.begin(), node_.end(), 0.0);
    for (std::uint32_t i = 0; i < rows_.size(); ++i) add_row(exact ? rows_[i] : i, node_.data());
    // Half of every sum belongs to the same covariance.
    for (std::size_t s = 0; s < width_; ++s) lanes_[s * split_lanes] = 0.5 * node_[s];
    n_lanes_ = 1;
    find_log_determinants();
    n_lanes_ = 0;
    log_node_ = log_left_[0];
}

std::vector<double> EntropySplitFinder::bin_keys(const CandidateSplits& bins,
                                                 std::span<const double> widths) {
    std::vector<double> keys(bins.n_groups, 0.0);
    const bool exact = data_.points != nullptr;
    for (std::uint32_t i = 0; i < rows_.size(); ++i) keys[bins.group[i]] += weight_of(exact ? rows_[i] : i);
    for (std::size_t k = 0; k < bins.n_groups; ++k) keys[k] /= widths[k];
    return keys;
}

bool EntropySplitFinder::find_candidates(const GrowBox& box, std::size_t j, CandidateSplits& candidates) {
    const ColumnRange& range = box.ranges[j];
    if ((*data_.columns)[j].categorical || random_) return false;
    if (!data_.exact(j) && range.high - range.low > max_candidates_) return false;
    candidates.feature = j;
    boundaries_.clear();
    if (data_.exact(j)) {
        find_boundaries_between_points(box, j, candidates);
    } else {
        find_boundaries_between_bins(box, j, candidates);
    }
    return true;
}

void EntropySplitFinder::find_boundaries_between_points(const GrowBox& box, std::size_t j,
                                                        CandidateSplits& candidates) {
    const ColumnRange& range = box.ranges[j];
    const RowPartition::Sorted& column = partition_->sorted(j);
    const auto first = column.row.begin() + static_cast<std::ptrdiff_t>(begin_);
    below_.assign(first, first + static_cast<std::ptrdiff_t>(rows_.size()));
    by_groups_ = false;
    candidates.threshold_point.clear();
    candidates.fraction.clear();
    const double scale = 1.0 / (range.high_point - range.low_point);
    const double* points = column.point.data() + begin_;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
        const double point = 0.5 * (points[i - 1] + points[i]);
        if (!(points[i - 1] < point && point <= points[i])) continue;
        const auto c = static_cast<std::uint32_t>(candidates.fraction.size());
        boundaries_.push_back({static_cast<std::uint32_t>(i), c, c});
        candidates.threshold_point.push_back(point);
        candidates.fraction.push_back((point - range.low_point) * scale);
    }
}

void EntropySplitFinder::find_boundaries_between_bins(const GrowBox& box, std::size_t j,
                                                      CandidateSplits& candidates) {
    const ColumnRange& range = box.ranges[j];
    const std::uint16_t* bins = partition_->bins(begin_) + j;
    const std::size_t stride = partition_->stride();
    order_groups(range.high - range.low, [&](std::size_t i) { return bins[i * stride] - range.low; });
    candidates.threshold_bin.clear();
    candidates.fraction.clear();
    const std::vector<double>& u = (*data_.columns)[j].u;
    const double low = u[range.low];
    const double scale = 1.0 / (u[range.high] - low);
    std::uint32_t c = 0;
    for (Boundary& boundary : boundaries_) {
        const std::uint32_t n = boundary.last - boundary.first + 1;
        for (std::uint32_t bin = boundary.first; bin <= boundary.last; ++bin) {
            candidates.threshold_bin.push_back(range.low + bin);
            candidates.fraction.push_back((u[range.low + bin] - low) * scale);
        }
        boundary.first = c;
        boundary.last = (c += n) - 1;
    }
}

void EntropySplitFinder::find_boundaries(const CandidateSplits& candidates) {
    order_groups(candidates.n_groups, [&](std::size_t i) { return candidates.group[i]; });
}

// Puts the rows, or the groups that have any, into the order of the groups, with a boundary between any two
// neighbours.
template <class GroupOf>
void EntropySplitFinder::order_groups(std::size_t n_groups, const GroupOf& group_of) {
    const bool exact = data_.points != nullptr;
    by_groups_ = rows_.size() >= rows_a_group * n_groups;
    boundaries_.clear();
    group_end_.assign(n_groups, 0);
    for (std::size_t i = 0; i < rows_.size(); ++i) ++group_end_[group_of(i)];
    below_.resize(by_groups_ ? 0 : rows_.size());
    std::uint32_t n_below = 0;
    std::uint32_t first = 1;
    for (std::uint32_t group = 0; group < n_groups; ++group) {
        const std::uint32_t count = group_end_[group];
        group_end_[group] = n_below;
        if (count == 0) continue;
        if (n_below > 0) add_boundary(n_below, first, group, true);
        if (by_groups_) below_.push_back(group);
        n_below += by_groups_ ? 1 : count;
        first = group + 1;
    }
    if (by_groups_) {
        table_.assign(n_groups * width_, 0.0);
        for (std::uint32_t i = 0; i < rows_.size(); ++i)
            add_row(exact ? rows_[i] : i, table_.data() + group_of(i) * width_);
    } else {
        for (std::uint32_t i = 0; i < rows_.size(); ++i)
            below_[group_end_[group_of(i)]++] = exact ? rows_[i] : i;
    }
}

// Through a stretch without rows the threshold in its middle keeps away from the rows of both sides.
void EntropySplitFinder::add_boundary(std::size_t n_below, std::size_t first, std::size_t last,
                                      bool has_gaps) {
    if (has_gaps && !everywhere_) first = last = first + (last - first + 1) / 2;
    boundaries_.push_back({static_cast<std::uint32_t>(n_below), static_cast<std::uint32_t>(first),
                           static_cast<std::uint32_t>(last)});
}

void EntropySplitFinder::keep_allowed_boundaries() {
    std::size_t n_kept = 0;
    std::size_t n_added = 0;
    double left = 0.0;
    for (Boundary& boundary : boundaries_) {
        for (; n_added < boundary.n_below; ++n_added) {
            const std::uint32_t next = below_[n_added];
            left += by_groups_ ? table_[next * width_] : weight_of(next);
        }
        boundary.weight = left;
        const double right = node_[0] - left;
        const bool is_allowed =
            left > 0.0 && right > 0.0 && left >= min_samples_leaf_ && right >= min_samples_leaf_;
        if (is_allowed) boundaries_[n_kept++] = boundary;
    }
    boundaries_.resize(n_kept);
}

void EntropySplitFinder::begin_scan(std::size_t n_checkpoints) {
    std::fill(left_.begin(), left_.end(), 0.0);
    if (checkpoints_.size() < n_checkpoints * width_) checkpoints_.resize(n_checkpoints * width_);
    n_added_ = 0;
    n_lanes_ = 0;
}

void EntropySplitFinder::add_until(std::size_t boundary) {
    for (; n_added_ < boundaries_[boundary].n_below; ++n_added_) {
        const std::uint32_t next = below_[n_added_];
        if (!by_groups_) {
            add_row(next, left_.data());
            continue;
        }
        const double* sums = table_.data() + next * width_;
        for (std::size_t s = 0; s < width_; ++s) left_[s] += sums[s];
    }
}

void EntropySplitFinder::keep_sums(std::size_t checkpoint) {
    std::copy(left_.begin(), left_.end(),
              checkpoints_.begin() + static_cast<std::ptrdiff_t>(checkpoint * width_));
}

void EntropySplitFinder::take_sums(std::size_t checkpoint, std::size_t boundary) {
    std::copy_n(checkpoints_.begin() + static_cast<std::ptrdiff_t>(checkpoint * width_), width_,
                left_.begin());
    n_added_ = boundaries_[boundary].n_below;
}

void EntropySplitFinder::put_into_lane(std::size_t boundary) {
    double* lane = lanes_.data() + n_lanes_;
    for (std::size_t s = 0; s < width_; ++s) lane[s * split_lanes] = left_[s];
    in_lane_[n_lanes_++] = boundary;
}

// Rows that join a side never make its scatter n·Σ smaller in any direction, so that log det Σ falls by
// D·log(n'/n) at most. Between two boundaries the left side has at least the rows of the first one, and the
// right side those of the second; the resulting bound is convex in the weight, and largest at one of its
// ends.
double EntropySplitFinder::largest_gain_between(const Boundary& a, const Boundary& b) const {
    const double n = node_[0];
    const auto d = static_cast<double>(n_columns_);
    const double right_of_a = n - a.weight;
    const double right_of_b = n - b.weight;
    const double least_at_a =
        a.weight * a.log_left + right_of_a * (b.log_right - d * std::log(right_of_a / right_of_b));
    const double least_at_b =
        b.weight * (a.log_left - d * std::log(b.weight / a.weight)) + right_of_b * b.log_right;
    return 0.5 * (log_node_ - std::min(least_at_a, least_at_b) / n);
}

// Lanes that are left over repeat the first one.
void EntropySplitFinder::find_log_determinants() {
    if (n_lanes_ == 0) return;
    if (n_lanes_ < split_lanes) {
        for (std::size_t s = 0; s < width_; ++s) {
            double* lanes = lanes_.data() + s * split_lanes;
            std::fill(lanes + n_lanes_, lanes + split_lanes, lanes[0]);
        }
    }
    log_determinants_(
        {lanes_.data(), node_.data(), n_columns_, variance_floor, work_.data(), log_left_, log_right_});
}

}  // namespace boxwood
