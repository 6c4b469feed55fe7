// Walks over the candidate splits of a column for decision and regression trees: between the bins that a
// node's rows are in, or between the categories in the order of their targets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/random.hpp"
#include "binning/supervised_data.hpp"
#include "tree/supervised/class_groups.hpp"
#include "tree/supervised/pair_groups.hpp"

namespace boxwood {

template <ImpuritySum Sum>
class BinSplitFinder {
  public:
    using Groups = std::conditional_t<Sum::is_pair, PairGroups<Sum>, ClassGroups<Sum>>;
    using Row = typename Groups::Row;

    BinSplitFinder(const SupervisedData& data, const Sum& empty)
        : groups_(most_bins(data), empty), left_(empty), right_(empty) {}

    void begin_node(std::span<const Row> rows, const Sum& node) {
        node_ = &node;
        groups_.begin_node(rows, node);
    }

    // Sums up the rows of the node by the bins of a column; false where all are in one.
    bool count(const CodeColumn& column, CodesView codes) {
        with_code_type(column, [&]<class Code>(Code) { groups_.template fill<Code>(column, codes); });
        return end_count(column);
    }

    // The same by sums over rows that are elsewhere.
    bool count(const CodeColumn& column, const double* records) {
        groups_.take_records(column.n_bins, records);
        return end_count(column);
    }

    // Calls consider(threshold, missing go left, left sum, right sum) for the splits between numbers: midway
    // between neighbouring bins, or, where `n_random` is not 0, at so many random places between the
    // outermost.
    template <class Consider>
    void scan_numbers(const CodeColumn& column, std::size_t n_random, Draws& draws, Consider&& consider) {
        if (n_random > 0) draw_thresholds(n_random, draws);
        for (bool missing_left : {false, true}) {
            if (missing_left && !has_missing_) break;
            with_halves([&](Sum& left, Sum& right) {
                if (missing_left) groups_.move(groups_.size() - 1, left, right);
                if (n_random > 0) {
                    walk_drawn(missing_left, left, right, consider);
                } else {
                    walk(missing_left, left, right, consider);
                }
                if (has_missing_ && !missing_left) {  // numbers here, missing values there
                    groups_.move(n_numbers() - 1, left, right);
                    consider(column.missing(), false, left, right);
                }
            });
        }
    }

    // The same for categories: consider(number of codes in the first half, its sum, sum of the last).
    template <class Consider>
    void scan_categories(Consider&& consider) {
        order_.resize(groups_.size());
        for (std::uint32_t g = 0; g < order_.size(); ++g) order_[g] = {groups_.key(g), g};
        std::sort(order_.begin(), order_.end());
        with_halves([&](Sum& left, Sum& right) {
            for (std::size_t g = 0; g + 1 < order_.size(); ++g) {
                groups_.move(order_[g].second, left, right);
                consider(g + 1, left, right);
            }
        });
    }
    bool has_missing() const { return has_missing_; }
    // Codes of the node's categories in the order of the last scan.
    std::size_t n_codes() const { return order_.size(); }
    std::uint32_t code(std::size_t g) const { return groups_.bin(order_[g].second); }

  private:
    static std::size_t most_bins(const SupervisedData& data) {
        std::size_t most = 0;
        for (const CodeColumn& column : data.columns) most = std::max<std::size_t>(most, column.n_bins);
        return most;
    }

    bool end_count(const CodeColumn& column) {
        has_missing_ = groups_.bin(groups_.size() - 1) == column.missing();
        return groups_.size() > 1;
    }

    std::size_t n_numbers() const { return groups_.size() - (has_missing_ ? 1 : 0); }

    // Calls walk(left, right) with an empty half and the whole node.
    template <class Walk>
    void with_halves(Walk&& walk_halves) {
        if constexpr (Sum::is_pair) {  // local ones stay in registers: half the time of a scan
            Sum left = *node_;
            Sum right = *node_;
            left.clear();
            walk_halves(left, right);
        } else {
            left_ = right_ = *node_;
            left_.clear();
            walk_halves(left_, right_);
        }
    }

    template <class Consider>
    void walk(bool missing_left, Sum& left, Sum& right, Consider&& consider) {
        for (std::size_t g = 0; g + 1 < n_numbers(); ++g) {
            groups_.move(g, left, right);
            consider((groups_.bin(g) + groups_.bin(g + 1) + 1) / 2, missing_left, left, right);
        }
    }

    template <class Consider>
    void walk_drawn(bool missing_left, Sum& left, Sum& right, Consider&& consider) {
        std::size_t drawn = 0;
        for (std::size_t g = 0; g + 1 < n_numbers(); ++g) {
            groups_.move(g, left, right);
            for (; drawn < random_thresholds_.size() && random_thresholds_[drawn] <= groups_.bin(g + 1);
                 ++drawn) {
                if (random_thresholds_[drawn] > groups_.bin(g))
                    consider(random_thresholds_[drawn], missing_left, left, right);
            }
        }
    }

    void draw_thresholds(std::size_t n, Draws& draws) {
        random_thresholds_.clear();
        if (n_numbers() < 2) return;
        const std::uint32_t first = groups_.bin(0);
        const std::uint32_t last = groups_.bin(n_numbers() - 1);
        for (std::size_t k = 0; k < n; ++k) {
            random_thresholds_.push_back(first + 1 + static_cast<std::uint32_t>(draws.below(last - first)));
        }
        std::sort(random_thresholds_.begin(), random_thresholds_.end());
    }

    Groups groups_;
    const Sum* node_ = nullptr;
    Sum left_;
    Sum right_;
    bool has_missing_ = false;
    std::vector<std::pair<double, std::uint32_t>> order_;
    std::vector<std::uint32_t> random_thresholds_;
};

}  // namespace boxwood
