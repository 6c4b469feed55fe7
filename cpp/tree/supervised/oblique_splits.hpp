// Oblique splits: between the places of the rows along directions that mix random columns of numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "binning/supervised_data.hpp"
#include "tree/grow_options.hpp"
#include "tree/supervised/direction.hpp"
#include "tree/supervised/node_gains.hpp"
#include "tree/supervised/supervised_split.hpp"

namespace boxwood {

template <ImpuritySum Sum>
class ObliqueSplits {
  public:
    using Row = Item<typename Sum::Target>;

    ObliqueSplits(const SupervisedData& data, const GrowOptions& options, const NodeGains<Sum>& gains)
        : data_(data), options_(options), gains_(gains) {
        for (std::size_t j = 0; j < data.n_columns(); ++j) {
            if (!data.columns[j].categorical) numeric_.push_back(static_cast<std::uint32_t>(j));
        }
    }

    void begin_node(std::span<const Row> rows) { rows_ = rows; }

    // A direction goes over all rows of the node, so that `interrupt` is asked before each.
    void try_directions(Draws& draws, SupervisedSplit& best, const std::function<void()>& interrupt) {
        if (rows_.size() < 4 || numeric_.size() < 2) return;
        for (std::size_t k = 0; k < options_.n_directions && !gains_.cannot_be_better(best); ++k) {
            if (interrupt) interrupt();
            const Direction direction = draw_direction(draws);
            if (!direction.empty()) scan_direction(direction, best);
        }
    }

  private:
    // Fits the direction of random columns on the first rows, which stand in random order, for values or two
    // random groups of classes.
    Direction draw_direction(Draws& draws) {
        const std::size_t m = std::min(options_.direction_columns, numeric_.size());
        for (std::size_t k = 0; k < m; ++k)
            std::swap(numeric_[k], numeric_[k + draws.below(numeric_.size() - k)]);
        chosen_.assign(numeric_.begin(), numeric_.begin() + static_cast<std::ptrdiff_t>(m));
        std::sort(numeric_.begin(), numeric_.end());  // a node's draws must not depend on nodes before it
        const std::size_t n = std::min<std::size_t>(rows_.size(), 1024);
        mixed_.resize(n * m);
        wanted_.resize(n);
        row_weights_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Row& row = rows_[i];
            row_weights_[i] = row.weight;
            for (std::size_t k = 0; k < m; ++k) {
                const double x = data_.numbers[row.row * data_.n_columns() + chosen_[k]];
                mixed_[i * m + k] = std::isnan(x) ? data_.fill[chosen_[k]] : x;
            }
        }
        give_targets(draws, n);
        return fit_direction(chosen_, mixed_, wanted_, row_weights_);
    }

    void give_targets(Draws& draws, std::size_t n) {
        if constexpr (std::is_same_v<typename Sum::Target, double>) {
            for (std::size_t i = 0; i < n; ++i) wanted_[i] = rows_[i].target;
        } else if constexpr (Sum::is_regression) {  // one of several values
            const std::size_t k = draws.below(data_.targets.n_values);
            for (std::size_t i = 0; i < n; ++i) wanted_[i] = gains_.node().part(rows_[i].target, k);
        } else {
            const std::uint64_t key = draws.next();
            const std::uint32_t first = rows_[0].target;
            for (std::size_t i = 0; i < n; ++i) {
                const std::uint32_t k = rows_[i].target;
                // One class apart from a random part of the others: never all on one side.
                const bool with_first =
                    k == first || (data_.targets.n_classes > 2 && (mix_bits(key ^ k) & 1u));
                wanted_[i] = with_first ? 1.0 : -1.0;
            }
        }
    }

    void scan_direction(const Direction& direction, SupervisedSplit& best) {
        places_.resize(rows_.size());
        const std::size_t d = data_.n_columns();
        for (std::uint32_t i = 0; i < rows_.size(); ++i) {
            const double* row = data_.numbers + rows_[i].row * d;
            places_[i] = {place_along(direction, row, data_.fill), i};
        }
        std::sort(places_.begin(), places_.end());
        Sum left = gains_.node();
        left.clear();
        Sum right = gains_.node();
        for (std::size_t i = 0; i + 1 < places_.size(); ++i) {
            const Row& row = rows_[places_[i].second];
            left.add(row.target, row.weight);
            right.take(row.target, row.weight);
            const double low = places_[i].first;
            const double high = places_[i + 1].first;
            if (!(low < high) || !gains_.take(left, right, {}, 0, best)) continue;
            const double middle = 0.5 * low + 0.5 * high;
            best.by_number = true;
            best.threshold = middle > low ? middle : high;
            best.direction = direction;
            best.missing_left = false;
        }
    }

    const SupervisedData& data_;
    const GrowOptions& options_;
    const NodeGains<Sum>& gains_;
    std::span<const Row> rows_;
    std::vector<std::uint32_t> numeric_;  // columns of numbers
    std::vector<std::uint32_t> chosen_;
    std::vector<double> mixed_;
    std::vector<double> wanted_;
    std::vector<double> row_weights_;
    std::vector<std::pair<double, std::uint32_t>> places_;
};

}  // namespace boxwood
