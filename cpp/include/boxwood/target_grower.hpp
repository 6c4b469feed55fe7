// The side of growth for decision and regression trees: volumes mean nothing, cuts lie between the rows of a
// node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "boxwood/category_sets.hpp"
#include "boxwood/cell_scanner.hpp"
#include "boxwood/growth.hpp"
#include "boxwood/target_data.hpp"
#include "boxwood/target_split.hpp"

namespace boxwood {

template <class Sum>
class TargetGrower {
  public:
    using Box = Bounds;
    using Split = TargetSplit;
    using Row = Item<typename Sum::Target>;
    static constexpr bool per_node = false;

    TargetGrower(const TargetData& data, const GrowOptions& options)
        : data_(data),
          options_(options),
          node_(data.targets.n_classes),
          scanner_(data, node_),
          is_monotone_(std::any_of(data.columns.begin(), data.columns.end(),
                                   [](const CodeColumn& column) { return column.monotone != 0; })) {}

    GrownTree grow(const std::function<void()>& interrupt) {
        return Growth<TargetGrower>(*this, options_, interrupt).grow();
    }

    // What growth leaves behind: rows in the order of the leaves, the sets of categories, the side of missing
    // values and the bounds of every node.
    std::span<const Row> rows() const { return rows_; }
    CategorySets& sets() { return sets_; }
    std::vector<std::uint8_t>& missing_left() { return missing_left_; }
    const std::vector<Bounds>& bounds() const { return bounds_; }

    std::size_t n_columns() const { return data_.n_columns(); }
    Bounds whole_box() const { return {}; }

    NodeRows start(GrownTree&) {
        double total = 0.0;
        for (std::size_t i = 0; i < data_.n_rows; ++i) {
            if (!(data_.weights[i] > 0.0)) continue;
            total += data_.weights[i];
            rows_.push_back({static_cast<std::uint32_t>(i), target_of(i), data_.weights[i]});
        }
        spare_.resize(rows_.size());
        missing_left_.push_back(0);
        bounds_.push_back({});
        return {0, rows_.size(), total};
    }

    bool can_split(const NodeRows& rows) const { return rows.size() > 1; }

    // False where the node is not to be split.
    bool begin_node(const NodeRows& rows, const Bounds&) {
        node_rows_ = std::span<const Row>(rows_).subspan(rows.begin, rows.size());
        if constexpr (Sum::is_regression) node_.centre(mean_value());
        node_.clear();
        for (const Row& row : node_rows_) node_.add(row.target, row.weight);
        if (node_.is_pure()) return false;
        node_score_ = node_.score();
        // A split can take away no more than there is; rounding apart.
        most_ = node_.impurity() * (1.0 - 1e-12);
        return true;
    }

    bool cannot_be_better(const TargetSplit& best) const { return best.gain >= most_; }

    // False where the column has nothing to part in this node.
    bool try_column(std::size_t j, const Bounds& bounds, Draws& draws, TargetSplit& best) {
        const CodeColumn& column = data_.columns[j];
        if (column.n_cells < 2 || !scanner_.count(node_rows_, node_, column)) return false;
        if (column.categorical) {
            scanner_.scan_categories([&](std::size_t n_first, const Sum& first, const Sum& last) {
                if (!take(first, last, bounds, 0, best)) return;
                best.feature = j;
                // Categories that are not here go right: let that be the larger half.
                const bool swaps = first.weight() > last.weight();
                if (swaps) best.left_weight = last.weight();
                best.left_codes.clear();
                for (std::size_t g = swaps ? n_first : 0; g < (swaps ? scanner_.n_codes() : n_first); ++g)
                    best.left_codes.push_back(scanner_.code(g));
            });
            return true;
        }
        scanner_.scan_numbers(column, options_.random_splits, draws,
                              [&](std::uint32_t cut, bool missing_left, const Sum& left, const Sum& right) {
                                  if (!take(left, right, bounds, column.monotone, best)) return;
                                  best.feature = j;
                                  best.cut = cut;
                                  // Where no value is missing here, later ones go with the larger half.
                                  best.missing_left =
                                      scanner_.has_missing() ? missing_left : left.weight() > right.weight();
                              });
        return true;
    }

    // Stable, so that rows stay in their order and records are read forwards.
    std::size_t partition(const NodeRows& rows, TargetSplit& split) {
        const CodeColumn& column = data_.columns[split.feature];
        std::size_t middle = rows.begin;
        if (column.categorical) {
            std::sort(split.left_codes.begin(), split.left_codes.end());
            in_left_.resize(std::max<std::size_t>(in_left_.size(), column.n_cells), 0);
            for (std::uint32_t code : split.left_codes) in_left_[code] = 1;
            part(rows, column, middle, [&](std::uint32_t code) { return in_left_[code] != 0; });
            for (std::uint32_t code : split.left_codes) in_left_[code] = 0;
        } else {
            const std::uint32_t missing = split.missing_left ? column.missing() : 0xffffffffu;
            part(rows, column, middle,
                 [&](std::uint32_t code) { return (code < split.cut) | (code == missing); });
        }
        return middle;
    }

    // The node's `cut`: a code, or the place of a set.
    std::uint32_t store_cut(const TargetSplit& split, Tree&) {
        return data_.columns[split.feature].categorical ? sets_.add(split.left_codes) : split.cut;
    }

    void keep_split(const TargetSplit& split, std::uint32_t node, GrownTree& grown) {
        missing_left_[node] = split.missing_left ? 1 : 0;
        missing_left_.resize(grown.tree.nodes.size(), 0);
        if (!is_monotone_) return;
        for (bool left : {true, false}) bounds_.push_back(box_of_half(bounds_[node], split, left));
    }

    Bounds box_of_half(const Bounds& bounds, const TargetSplit& split, bool left) const {
        const int monotone = is_monotone_ ? data_.columns[split.feature].monotone : 0;
        if (monotone == 0) return bounds;
        const double middle = 0.5 * split.left_value + 0.5 * split.right_value;
        Bounds half = bounds;
        (left == (monotone > 0) ? half.high : half.low) = middle;
        return half;
    }

    void finish(GrownTree&) {}

  private:
    typename Sum::Target target_of(std::size_t row) const {
        if constexpr (Sum::is_regression) {
            return data_.targets.values[row];
        } else {
            return data_.targets.classes[row];
        }
    }

    double mean_value() const {
        double weight = 0.0;
        double sum = 0.0;
        for (const Row& row : node_rows_) {
            weight += row.weight;
            sum += row.weight * row.target;
        }
        return sum / weight;
    }

    // Keeps the gain of a cut that is the best so far; false where it is not, or not allowed.
    bool take(const Sum& left, const Sum& right, const Bounds& bounds, int monotone,
              TargetSplit& best) const {
        if (!Sum::beats(left, right, std::max(best.gain, options_.min_gain) + node_score_)) return false;
        const double gain = Sum::score(left, right) - node_score_;
        if (!(gain > best.gain) || !(gain > options_.min_gain)) return false;
        const double least = options_.min_samples_leaf;
        if (left.weight() < least || right.weight() < least) return false;
        if (is_monotone_) {
            const double below = left.value();
            const double above = right.value();
            if (!bounds.allow(below) || !bounds.allow(above) || (below - above) * monotone > 0.0)
                return false;
            best.left_value = below;
            best.right_value = above;
        }
        best.gain = gain;
        best.left_weight = left.weight();
        return true;
    }

    template <class GoesLeft>
    void part(const NodeRows& rows, const CodeColumn& column, std::size_t& middle, GoesLeft&& goes_left) {
        with_code_type(column, [&]<class Code>(Code) {
            const CodesView codes = data_.codes(column, rows.size());
            std::size_t n_right = 0;
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                const Row row = rows_[i];
                const bool left = goes_left(read_code<Code>(codes.at + row.row * codes.stride));
                // Written to both sides, one of which moves on: nobody can predict which.
                rows_[middle] = row;
                spare_[n_right] = row;
                middle += left ? 1 : 0;
                n_right += left ? 0 : 1;
            }
            std::copy_n(spare_.begin(), n_right, rows_.begin() + static_cast<std::ptrdiff_t>(middle));
        });
    }

    const TargetData& data_;
    const GrowOptions& options_;
    Sum node_;
    CellScanner<Sum> scanner_;
    bool is_monotone_;
    std::vector<Row> rows_;  // those of a node stand side by side
    std::vector<Row> spare_;
    std::span<const Row> node_rows_;
    double node_score_ = 0.0;
    double most_ = 0.0;
    std::vector<char> in_left_;
    CategorySets sets_;
    std::vector<std::uint8_t> missing_left_;
    std::vector<Bounds> bounds_;  // of every node, where columns are monotone
};

}  // namespace boxwood
