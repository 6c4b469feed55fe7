// The policy of growth for density trees, a template over the split finder (and so over the criterion).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/random.hpp"
#include "tree/density/enough_rows.hpp"
#include "tree/density/grow_density_tree.hpp"
#include "tree/density/make_candidates.hpp"
#include "tree/density/node_counts.hpp"
#include "tree/density/row_partition.hpp"
#include "tree/density/row_step.hpp"
#include "tree/density/split.hpp"
#include "tree/density/split_finders/split_finder.hpp"
#include "tree/density/uniformity.hpp"
#include "tree/growth.hpp"

namespace boxwood {

// A box, the counts of its rows where the larger half of a node has taken them over, and where its held-out
// rows stand.
struct NodeBox : GrowBox {
    NodeCounts::Handle counts = {};
    std::size_t held_out_begin = 0;
    std::size_t held_out_end = 0;
};

// A node of a tree that is grown elsewhere, for those who grow it further or choose its split.
struct NodeOrigin {
    GrowBox box;
    double log_volume = 0.0;
    std::size_t step = 1;  // the rows are every so many of the node's
};

// Widths are products of fractions: a box whose aspect is the limit itself may exceed it by rounding.
inline constexpr double aspect_rounding = 1e-12;

template <SplitFinder Finder>
class DensityPolicy {
    static constexpr bool finds_candidates = CountingSplitFinder<Finder>;
    static constexpr bool may_skip_rows = RowSkippingSplitFinder<Finder>;

  public:
    using Grown = GrownDensityTree;
    using Box = NodeBox;
    using Split = boxwood::Split;
    static constexpr bool per_node = Finder::per_node;

    DensityPolicy(const BinnedRows& data, const GrowOptions& options, Finder finder,
                  const std::function<void()>& interrupt)
        : data_(data), options_(options), finder_(std::move(finder)), interrupt_(interrupt) {
        if (data.held_out != nullptr) held_out_ = *data.held_out;
    }

    DensityPolicy(const BinnedRows& data, const GrowOptions& options, Finder finder,
                  const std::function<void()>& interrupt, NodeOrigin origin)
        : DensityPolicy(data, options, std::move(finder), interrupt) {
        origin_ = std::move(origin);
    }

    GrownDensityTree grow() { return Growth<DensityPolicy>(*this, options_, interrupt_).grow(); }

    std::size_t n_columns() const { return data_.n_columns(); }
    Box whole_box() const {
        return {origin_ ? origin_->box : GrowBox::whole(data_), {}, 0, held_out_.size()};
    }
    Box box_of_half(const Box& box, const Split& split, bool left) {
        Box half{boxwood::box_of_half(data_, box, split, left), {}, box.held_out_begin, box.held_out_end};
        parts_rows_ ? half.open_margins() : half.cut_margin(split.feature, !left);
        if constexpr (finds_candidates) half.counts = std::move(half_counts_[left ? 0 : 1]);
        if (!held_out_.empty()) (left ? half.held_out_end : half.held_out_begin) = part_held_out(box, split);
        return half;
    }

    NodeRows start(GrownDensityTree& grown) {
        double total = 0.0;
        for (std::size_t row = 0; row < data_.n_rows; ++row) {
            if (!(data_.weight(row) > 0.0)) continue;
            rows_.push_back(static_cast<std::uint32_t>(row));
            total += data_.weight(row);
        }
        rows_partition_.start(data_, rows_, finds_candidates && data_.points != nullptr);
        std::size_t longest = 0;
        for (const BinEdges& bin_edges : *data_.columns) {
            if (bin_edges.categorical) longest = std::max(longest, bin_edges.n_bins());
        }
        grown.tree.words_per_set = (longest + 63) / 64;
        grown.left_fraction.push_back(0.0);
        grown.log_volume.push_back(origin_ ? origin_->log_volume : 0.0);
        return {0, rows_.size(), total};
    }

    // Without rows there is nothing to part, and by some criteria cutting it would never end.
    bool can_split(const NodeRows& rows) const { return rows.size() > 0; }

    // False where the node is not to be split.
    bool begin_node(const NodeRows& rows, const Box& box) {
        if (data_.held_out != nullptr && box.held_out_begin == box.held_out_end) return false;
        node_ = rows;
        const auto numbers = std::span(rows_).subspan(rows.begin, rows.size());
        if (options_.uniformity_level > 0.0 &&
            uniformity_p_value(data_, box, numbers) >= options_.uniformity_level) {
            return false;
        }
        if constexpr (may_skip_rows) {
            const bool skips = data_.points == nullptr && finder_.may_skip_rows();
            step_ = skips ? row_step(options_, rows.size(), box) : 1;
        }
        skips_rows_ = step_ > 1 || (origin_ && origin_->step > 1);
        NodeContext context{rows_partition_, rows.begin, numbers, rows.weight, box, step_, box.counts};
        finder_.begin_node(context);
        counts_ = std::move(context.counts);
        return true;
    }

    // False where the box has nothing to part along the column.
    bool try_column(std::size_t j, const GrowBox& box, Draws& draws, Split& best) {
        if (!box.can_split(data_, j)) return false;
        // Gains grow with the rows.
        const double scale = skips_rows_ ? node_.weight / finder_.node_weight() : 1.0;
        const auto keep = [&](std::size_t c, double left, double gain) {
            if (!skips_rows_) return keep_if_best(box, c, left, gain, best);
            if (!(gain * scale > best.gain)) return false;
            return keep_if_best(box, c, counts_exactly() ? weight_below(c) : left * scale, gain * scale,
                                best);
        };
        if constexpr (finds_candidates) {
            if (finder_.find_candidates(box, j, candidates_)) {
                finder_.scan_found(candidates_, best.gain, keep);
                return true;
            }
        }
        make_candidates(box, j, draws);
        finder_.scan(candidates_, best.gain / scale, keep);
        return true;
    }

    bool cannot_be_better(const Split&) const { return false; }

    std::size_t partition(const NodeRows& rows, Split& split) {
        const std::size_t middle = rows_partition_.partition(data_, split, rows.begin, rows.end, rows_);
        parts_rows_ = middle > rows.begin && middle < rows.end;
        if constexpr (may_skip_rows) {  // the split may know its left half by a part of the rows
            const double* weights = rows_partition_.weights(rows.begin);
            const std::size_t n = middle - rows.begin;
            split.left_weight =
                weights == nullptr ? static_cast<double>(n) : std::accumulate(weights, weights + n, 0.0);
        }
        if constexpr (finds_candidates) {
            half_counts_[0] = half_counts_[1] = {};
            // Best-first, many nodes would keep their counts for long, and these are not the node's.
            if (!options_.best_first && counts_) {
                const bool left_is_larger = middle - rows.begin > rows.end - middle;
                finder_.subtract(rows_partition_, left_is_larger ? middle : rows.begin,
                                 left_is_larger ? rows.end : middle, split.feature, counts_);
                half_counts_[left_is_larger ? 0 : 1] = std::move(counts_);
            }
        }
        return middle;
    }

    // The node's `threshold`: a bin, the number of a set, or for now the number of an exact threshold.
    std::uint32_t store_threshold(const Split& split, Tree& tree) {
        if (data_.exact(split.feature)) {
            exact_thresholds_.push_back(split.threshold_point);
            return static_cast<std::uint32_t>(exact_thresholds_.size() - 1);
        }
        if (!(*data_.columns)[split.feature].categorical) return split.threshold_bin;
        const std::size_t first = tree.sets.size();
        tree.sets.resize(first + tree.words_per_set, 0);
        for (std::uint32_t bin : split.left_bins)
            tree.sets[first + bin / 64] |= std::uint64_t{1} << (bin % 64);
        return static_cast<std::uint32_t>(first / tree.words_per_set);
    }

    void keep_split(const Split& split, std::uint32_t node, GrownDensityTree& grown) {
        const double volume = grown.log_volume[node];
        grown.left_fraction[node] = split.left_fraction;
        grown.left_fraction.resize(grown.tree.nodes.size(), 0.0);
        grown.log_volume.push_back(volume + std::log(split.left_fraction));
        grown.log_volume.push_back(volume + std::log1p(-split.left_fraction));
    }

    void finish(GrownDensityTree& grown) {
        grown.rows = std::move(rows_);
        grown.bin_stride = rows_partition_.stride();
        grown.bins = rows_partition_.take_bins();
        grown.columns = *data_.columns;
        for (std::size_t j = 0; j < data_.n_columns(); ++j) {
            if (data_.exact(j)) name_exact_thresholds(j, grown);
        }
    }

  private:
    // Puts the held-out rows of a node that go left before the others; does nothing the second time.
    std::size_t part_held_out(const Box& box, const Split& split) {
        const auto begin = held_out_.begin() + static_cast<std::ptrdiff_t>(box.held_out_begin);
        const auto end = held_out_.begin() + static_cast<std::ptrdiff_t>(box.held_out_end);
        const auto goes_left = [&](std::uint32_t row) { return split.goes_left(data_, row); };
        return box.held_out_begin + static_cast<std::size_t>(std::partition(begin, end, goes_left) - begin);
    }

    void make_candidates(const GrowBox& box, std::size_t j, Draws& draws) {
        const NodeColumn column{rows_partition_.bins(node_.begin) + j, rows_partition_.stride() * step_,
                                (node_.size() + step_ - 1) / step_};
        if (data_.exact(j)) {
            candidates_of_points(data_, box, options_, j, std::span(rows_).subspan(node_.begin, node_.size()),
                                 candidates_);
        } else if ((*data_.columns)[j].categorical) {
            candidates_of_categories(data_, box, j, column, candidates_, widths_);
            order_categories(finder_.bin_keys(candidates_, widths_), widths_, candidates_);
        } else {
            candidates_of_bins(data_, box, options_, j, column, draws, candidates_);
        }
    }

    // A part of the rows cannot show whether a side has min_samples_leaf of them, except that a side of one
    // row or more has one.
    bool counts_exactly() const { return options_.min_samples_leaf > 1.0; }

    // Weight of all rows of the node on the left of boundary c.
    double weight_below(std::size_t c) {
        const std::size_t j = candidates_.feature;
        const bool categorical = (*data_.columns)[j].categorical;
        if (categorical) {
            in_left_.assign((*data_.columns)[j].n_bins(), 0);
            for (std::size_t k = 0; k < c; ++k) in_left_[candidates_.bin_order[k]] = 1;
        }
        const double* weights = rows_partition_.weights(node_.begin);
        double sum = 0.0;
        for (std::size_t i = 0; i < node_.size(); ++i) {
            const std::uint16_t bin = rows_partition_.bins(node_.begin + i)[j];
            const bool left = categorical ? in_left_[bin] != 0 : bin < candidates_.threshold_bin[c];
            sum += left ? (weights == nullptr ? 1.0 : weights[i]) : 0.0;
        }
        return sum;
    }

    // Returns whether the candidate is the best so far.
    bool keep_if_best(const GrowBox& box, std::size_t c, double left, double gain, Split& best) {
        if (!(gain > best.gain) || !(gain > options_.min_gain)) return false;
        const double fraction = candidates_.fraction[c];
        if (!(fraction > 0.0 && fraction < 1.0) || !enough_.allows(node_.weight, left, fraction))
            return false;
        const double width = box.ranges[candidates_.feature].width;
        if (is_too_thin(box, width * fraction) || is_too_thin(box, width * (1.0 - fraction))) return false;
        take_candidate(data_, candidates_, c, gain, left, best);
        return true;
    }

    bool is_too_thin(const GrowBox& box, double width) const {
        return std::isfinite(options_.max_aspect) &&
               box.aspect_with(candidates_.feature, width) > options_.max_aspect * (1.0 + aspect_rounding);
    }

    // The thresholds of an exactly split column become its bin edges.
    void name_exact_thresholds(std::size_t j, GrownDensityTree& grown) const {
        std::vector<double> candidates;
        for (const TreeNode& node : grown.tree.nodes) {
            if (node.feature == static_cast<std::int32_t>(j))
                candidates.push_back(exact_thresholds_[node.threshold]);
        }
        std::sort(candidates.begin(), candidates.end());
        candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
        for (TreeNode& node : grown.tree.nodes) {
            if (node.feature != static_cast<std::int32_t>(j)) continue;
            const auto found =
                std::lower_bound(candidates.begin(), candidates.end(), exact_thresholds_[node.threshold]);
            node.threshold = static_cast<std::uint32_t>(found - candidates.begin()) + 1;
        }
        std::vector<double>& u = grown.columns[j].u;
        u.assign(1, 0.0);
        u.insert(u.end(), candidates.begin(), candidates.end());
        u.push_back(1.0);
    }

    const BinnedRows& data_;
    const GrowOptions& options_;
    Finder finder_;
    const std::function<void()>& interrupt_;
    std::vector<std::uint32_t> rows_;      // those of a node stand side by side,
    std::vector<std::uint32_t> held_out_;  // and so do these
    RowPartition rows_partition_;
    NodeRows node_{0, 0, 0.0};  // the one whose candidate splits are looked at
    std::size_t step_ = 1;      // every so many of its rows are looked at,
    bool skips_rows_ = false;   // so that what is counted is not all of them
    bool parts_rows_ = true;    // the last split: both sides have rows
    std::optional<NodeOrigin> origin_;
    std::vector<char> in_left_;
    NodeCounts::Handle counts_;
    NodeCounts::Handle half_counts_[2];
    EnoughRows enough_{options_.min_samples_leaf, Finder::sees_volume};
    std::vector<double> exact_thresholds_;
    CandidateSplits candidates_;
    std::vector<double> widths_;
};

}  // namespace boxwood
