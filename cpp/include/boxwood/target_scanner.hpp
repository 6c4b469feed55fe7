// Splits of decision and regression trees: cuts between the cells that a node's rows are in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "boxwood/cuts.hpp"
#include "boxwood/grow_box.hpp"
#include "boxwood/impurity.hpp"
#include "boxwood/random.hpp"

namespace boxwood {

template <class Sum>
class TargetScanner {
  public:
    static constexpr bool per_node = false;
    static constexpr bool is_regression = std::is_same_v<Sum, VarianceSum>;

    TargetScanner(const GrowData& data, const Targets& targets)
        : data_(data),
          targets_(targets),
          node_(targets.n_classes),
          left_(targets.n_classes),
          right_(targets.n_classes) {}

    void begin_node(std::span<const std::uint32_t> rows, const GrowBox& box) {
        rows_ = rows;
        box_ = &box;
        weights_.resize(rows.size());
        node_targets_.resize(rows.size());
        centre_ = is_regression ? mean_value() : 0.0;
        node_.clear();
        // Side by side for the scans of all columns: rows lie scattered.
        for (std::size_t i = 0; i < rows.size(); ++i) {
            weights_[i] = data_.weight(rows[i]);
            if constexpr (is_regression) {
                node_targets_[i] = targets_.values[rows[i]] - centre_;
            } else {
                node_targets_[i] = targets_.classes[rows[i]];
            }
            node_.add(node_targets_[i], weights_[i]);
        }
        node_impurity_ = node_.impurity();
    }

    // Rounding leaves a pure node with an impurity of about 1e-16 of its weight.
    bool is_pure() const { return node_impurity_ <= 1e-14 * node_.weight() * scale(); }

    // Calls report(cut cell, weight on the left, gain) for cuts of an ordered column: midway between
    // neighbouring cells with rows in them, or, where `n_random` is not 0, so many random ones between the
    // outermost.
    template <class Report>
    void scan_cells(std::size_t j, std::size_t n_random, Draws& draws, Report&& report) {
        const ColumnRange& range = box_->ranges[j];
        const std::size_t n_cells = range.high - range.low;
        const std::size_t width = Sum::record_width(targets_.n_classes);
        // Counting by cells needs no sorting, but a look at every cell of the box.
        const bool by_cells = n_cells * width <= 8 * rows_.size();
        by_cells ? group_by_counting(j, range, width) : group_by_sorting(j);
        if (groups_.size() < 2) return;
        if (n_random > 0) draw_cuts(n_random, draws);
        left_.clear();
        right_ = node_;
        std::size_t next_cut = 0;
        for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
            if (by_cells) {
                left_.add_record(groups_[g].record);
                right_.take_record(groups_[g].record);
            } else {
                for (std::size_t i = groups_[g].begin; i < groups_[g + 1].begin; ++i) move(position(i));
            }
            const std::uint32_t here = groups_[g].cell;
            const std::uint32_t there = groups_[g + 1].cell;
            if (n_random == 0) {
                report((here + there + 1) / 2, left_.weight(), gain());
                continue;
            }
            while (next_cut < random_cuts_.size() && random_cuts_[next_cut] <= here) ++next_cut;
            for (; next_cut < random_cuts_.size() && random_cuts_[next_cut] <= there; ++next_cut) {
                report(random_cuts_[next_cut], left_.weight(), gain());
            }
        }
    }

    // Categories in the order of their mean target; of several classes, of the share of the node's commonest
    // one.
    std::vector<double> cell_keys(const Cuts& cells, std::span<const double> /*widths*/) {
        std::vector<double> weight(cells.n_bins, 0.0);
        std::vector<double> sum(cells.n_bins, 0.0);
        const std::uint32_t common = is_regression ? 0 : commonest_class();
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            weight[cells.bin[i]] += weights_[i];
            if constexpr (is_regression) {
                sum[cells.bin[i]] += weights_[i] * node_targets_[i];
            } else {
                sum[cells.bin[i]] += node_targets_[i] == common ? weights_[i] : 0.0;
            }
        }
        for (std::size_t k = 0; k < cells.n_bins; ++k) {
            // Categories without rows go to the end, away from the cut.
            sum[k] = weight[k] > 0.0 ? sum[k] / weight[k] : std::numeric_limits<double>::max();
        }
        return sum;
    }

    template <class Report>
    void scan(const Cuts& cuts, Report&& report) {
        order_.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) order_[i] = (std::uint64_t{cuts.bin[i]} << 32) | i;
        std::sort(order_.begin(), order_.end());
        left_.clear();
        right_ = node_;
        for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
            move(position(i));
            if (cell(i) != cell(i + 1)) report(cell(i) + 1, left_.weight(), gain());
        }
    }

  private:
    // Rows of the node that share a cell: a record of their sum, or where they begin in `order_`.
    struct Group {
        std::uint32_t cell;
        std::size_t begin;
        const double* record;
    };

    double mean_value() const {
        double weight = 0.0;
        double sum = 0.0;
        for (std::uint32_t row : rows_) {
            weight += data_.weight(row);
            sum += data_.weight(row) * targets_.values[row];
        }
        return sum / weight;
    }

    double scale() const { return is_regression ? 1.0 + centre_ * centre_ : 1.0; }

    // `order_` keeps the cell in the upper half of a word and the position in the node in the lower.
    std::uint32_t cell(std::size_t i) const { return static_cast<std::uint32_t>(order_[i] >> 32); }
    std::uint32_t position(std::size_t i) const { return static_cast<std::uint32_t>(order_[i]); }

    void group_by_sorting(std::size_t j) {
        order_.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            order_[i] = (std::uint64_t{data_.cell(rows_[i], j)} << 32) | i;
        }
        std::sort(order_.begin(), order_.end());
        groups_.clear();
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (i == 0 || cell(i) != cell(i - 1)) groups_.push_back({cell(i), i, nullptr});
        }
    }

    void group_by_counting(std::size_t j, const ColumnRange& range, std::size_t width) {
        const std::size_t n_cells = range.high - range.low;
        records_.assign(n_cells * width, 0.0);
        filled_.assign(n_cells, 0);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const std::size_t c = data_.cell(rows_[i], j) - range.low;
            Sum::add_to_record(records_.data() + c * width, node_targets_[i], weights_[i]);
            filled_[c] = 1;
        }
        groups_.clear();
        for (std::size_t c = 0; c < n_cells; ++c) {
            if (filled_[c])
                groups_.push_back(
                    {range.low + static_cast<std::uint32_t>(c), 0, records_.data() + c * width});
        }
    }

    void draw_cuts(std::size_t n, Draws& draws) {
        const std::uint32_t first = groups_.front().cell;
        const std::uint32_t last = groups_.back().cell;
        random_cuts_.clear();
        for (std::size_t k = 0; k < n; ++k) {
            random_cuts_.push_back(first + 1 + static_cast<std::uint32_t>(draws.below(last - first)));
        }
        std::sort(random_cuts_.begin(), random_cuts_.end());
    }

    void move(std::uint32_t i) {
        left_.add(node_targets_[i], weights_[i]);
        right_.take(node_targets_[i], weights_[i]);
    }

    double gain() const { return node_impurity_ - left_.impurity() - right_.impurity(); }

    std::uint32_t commonest_class() const {
        std::vector<double> weight(targets_.n_classes, 0.0);
        for (std::size_t i = 0; i < rows_.size(); ++i) weight[node_targets_[i]] += weights_[i];
        return static_cast<std::uint32_t>(std::max_element(weight.begin(), weight.end()) - weight.begin());
    }

    const GrowData& data_;
    const Targets& targets_;
    std::span<const std::uint32_t> rows_;
    Sum node_;
    Sum left_;
    Sum right_;
    double centre_ = 0.0;
    double node_impurity_ = 0.0;
    const GrowBox* box_ = nullptr;
    std::vector<double> weights_;
    std::vector<typename Sum::Target> node_targets_;
    std::vector<std::uint64_t> order_;
    std::vector<Group> groups_;
    std::vector<double> records_;
    std::vector<char> filled_;
    std::vector<std::uint32_t> random_cuts_;
};

}  // namespace boxwood
