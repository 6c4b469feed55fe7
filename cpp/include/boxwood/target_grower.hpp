// The side of growth for decision and regression trees: volumes mean nothing, cuts lie between the rows of a
// node.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "boxwood/category_sets.hpp"
#include "boxwood/cell_scanner.hpp"
#include "boxwood/conditional_entropy.hpp"
#include "boxwood/growth.hpp"
#include "boxwood/record_blocks.hpp"
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

    // `by_gaussians`: columns are chosen by the Gaussian conditional entropy, which is of classes.
    TargetGrower(const TargetData& data, const GrowOptions& options, bool by_gaussians)
        : data_(data),
          options_(options),
          by_gaussians_(by_gaussians),
          node_(data.targets.n_classes),
          scanner_(data, node_),
          blocks_(data, !options.best_first && data.numbers == nullptr),
          is_monotone_(std::any_of(data.columns.begin(), data.columns.end(),
                                   [](const CodeColumn& column) { return column.monotone != 0; })) {
        for (std::size_t j = 0; j < data.n_columns(); ++j) {
            if (!data.columns[j].categorical) numeric_.push_back(static_cast<std::uint32_t>(j));
        }
    }

    GrownTree grow(const std::function<void()>& interrupt) {
        return Growth<TargetGrower>(*this, options_, interrupt).grow();
    }

    // What growth leaves behind: rows in the order of the leaves, the sets of categories, the side of missing
    // values and the bounds of every node.
    std::span<const Row> rows() const { return rows_; }
    CategorySets& sets() { return sets_; }
    std::vector<std::uint8_t>& missing_left() { return missing_left_; }
    // Of every node, NaN where it cuts codes; empty where all do.
    std::vector<double>& thresholds() { return thresholds_; }
    // Features beyond the columns.
    std::vector<Direction>& directions() { return directions_; }
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
        missing_left_.reserve(2 * rows_.size());
        missing_left_.push_back(0);
        if (data_.numbers != nullptr) thresholds_.push_back(std::numeric_limits<double>::quiet_NaN());
        bounds_.push_back({});
        return {0, rows_.size(), total};
    }

    bool can_split(const NodeRows& rows) const { return rows.size() > 1; }

    // False where the node is not to be split.
    bool begin_node(const NodeRows& rows, const Bounds&) {
        node_rows_ = enter(rows);
        if constexpr (Sum::is_regression) node_.centre(centre_of_values());
        node_.clear();
        for (const Row& row : node_rows_) node_.add(row.target, row.weight);
        if (node_.is_pure()) return false;
        scanner_.begin_node(node_rows_, node_);
        node_score_ = node_.score();
        most_ = by_gaussians_ ? std::numeric_limits<double>::infinity() : most_gain() * (1.0 - 1e-12);
        least_entropy_ = std::numeric_limits<double>::infinity();
        return true;
    }

    bool cannot_be_better(const TargetSplit& best) const { return best.gain >= most_; }

    // False where the column has nothing to part in this node.
    bool try_column(std::size_t j, const Bounds& bounds, Draws& draws, TargetSplit& best) {
        if (by_gaussians_) return try_gaussians(j, best);
        const CodeColumn& column = data_.columns[j];
        if (column.n_cells < 2 || !scanner_.count(column, blocks_.codes(column))) return false;
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

    // Oblique splits: between the places of the rows along directions that mix random columns of numbers.
    void try_directions(Draws& draws, TargetSplit& best) {
        if (node_rows_.size() < 4 || numeric_.size() < 2) return;
        for (std::size_t k = 0; k < options_.n_directions && !cannot_be_better(best); ++k) {
            const Direction direction = draw_direction(draws);
            if (!direction.empty()) scan_direction(direction, best);
        }
    }

    // Stable, so that rows stay in their order and records are read forwards.
    std::size_t partition(const NodeRows& rows, TargetSplit& split) {
        if (split.by_number) return part_by_number(rows, split);
        enter(rows);
        const CodeColumn& column = data_.columns[split.feature];
        if (column.categorical) {
            std::sort(split.left_codes.begin(), split.left_codes.end());
            in_left_.resize(std::max<std::size_t>(in_left_.size(), column.n_cells), 0);
            for (std::uint32_t code : split.left_codes) in_left_[code] = 1;
            const std::size_t middle =
                part(rows, column, [&](std::uint32_t code) { return in_left_[code] != 0; });
            for (std::uint32_t code : split.left_codes) in_left_[code] = 0;
            return middle;
        }
        const std::uint32_t missing = split.missing_left ? column.missing() : 0xffffffffu;
        const std::uint32_t cut = split.cut;
        return part(rows, column, [=](std::uint32_t code) { return (code < cut) | (code == missing); });
    }

    // The node's `cut`: a code, or the place of a set.
    std::uint32_t store_cut(const TargetSplit& split, Tree&) {
        if (split.by_number) return 0;
        return data_.columns[split.feature].categorical ? sets_.add(split.left_codes) : split.cut;
    }

    void keep_split(const TargetSplit& split, std::uint32_t node, GrownTree& grown) {
        missing_left_[node] = split.missing_left ? 1 : 0;
        missing_left_.resize(grown.tree.nodes.size(), 0);
        if (data_.numbers != nullptr) {
            if (split.by_number) thresholds_[node] = split.threshold;
            thresholds_.resize(grown.tree.nodes.size(), std::numeric_limits<double>::quiet_NaN());
        }
        if (!is_monotone_) return;
        for (bool left : {true, false}) bounds_.push_back(box_of_half(bounds_[node], split, left));
    }

    Bounds box_of_half(const Bounds& bounds, const TargetSplit& split, bool left) const {
        // Directions are not monotone, and not tried where columns are.
        const int monotone = is_monotone_ ? data_.columns[split.feature].monotone : 0;
        if (monotone == 0) return bounds;
        const double middle = 0.5 * split.left_value + 0.5 * split.right_value;
        Bounds half = bounds;
        (left == (monotone > 0) ? half.high : half.low) = middle;
        return half;
    }

    void finish(GrownTree&) {}

  private:
    static constexpr std::size_t few_values = 8;
    // Sums that fit registers go by value, so that they stay there.
    using SumArgument = std::conditional_t<Sum::is_pair, Sum, const Sum&>;

    std::span<const Row> enter(const NodeRows& rows) {
        const std::span<Row> of_node = std::span<Row>(rows_).subspan(rows.begin, rows.size());
        blocks_.enter(of_node, rows.begin);
        return of_node;
    }

    typename Sum::Target target_of(std::size_t row) const {
        if constexpr (Sum::is_regression) {
            return data_.targets.values[row];
        } else {
            return data_.targets.classes[row];
        }
    }

    // Their mean. Of a few rows any of them is near enough for nothing to cancel: its distance to the mean is
    // at most √n deviations.
    double centre_of_values() const {
        if (node_rows_.size() <= most_ranked) return node_rows_[0].target;
        double weight = 0.0;
        double sum = 0.0;
        for (const Row& row : node_rows_) {
            weight += row.weight;
            sum += row.weight * row.target;
        }
        return sum / weight;
    }

    // What no split can exceed, rounding apart. No more than there is; of a few values, no more than the best
    // of the splits between values does. Most columns of the smallest nodes need not be looked at then.
    double most_gain() {
        if constexpr (Sum::is_regression) {
            if (node_rows_.size() <= few_values) return best_gain_by_value();
        }
        return node_.impurity();
    }

    double best_gain_by_value() {
        std::array<const Row*, few_values> by_value;
        std::size_t n = 0;
        for (const Row& row : node_rows_) {
            std::size_t at = n++;
            for (; at > 0 && by_value[at - 1]->target > row.target; --at) by_value[at] = by_value[at - 1];
            by_value[at] = &row;
        }
        Sum left = node_;
        Sum right = node_;
        left.clear();
        double best = 0.0;
        for (std::size_t i = 0; i + 1 < n; ++i) {
            left.add(by_value[i]->target, by_value[i]->weight);
            right.take(by_value[i]->target, by_value[i]->weight);
            best = std::max(best, Sum::score(left, right) - node_score_);
        }
        return best;
    }

    // Keeps the gain of a cut that is the best so far; false where it is not, or not allowed.
    bool take(const Sum& left, const Sum& right, const Bounds& bounds, int monotone,
              TargetSplit& best) const {
        return Sum::beats(left, right, std::max(best.gain, options_.min_gain) + node_score_) &&
               take_better(left, right, bounds, monotone, best);
    }

    bool take_better(SumArgument left, SumArgument right, const Bounds& bounds, int monotone,
                     TargetSplit& best) const {
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
        best.by_number = false;
        return true;
    }

    double number(std::size_t row, std::size_t j) const { return data_.numbers[row * data_.n_columns() + j]; }

    // Moments of the column in each class, around the node's mean: {weight, sum, squares}.
    double class_moments(std::size_t j) {
        double weight = 0.0;
        double mean = 0.0;
        for (const Row& row : node_rows_) {
            const double x = number(row.row, j);
            if (std::isnan(x)) continue;
            weight += row.weight;
            mean += (x - mean) * (row.weight / weight);
        }
        moments_.assign(data_.targets.n_classes, {});
        for (const Row& row : node_rows_) {
            const double x = number(row.row, j) - mean;
            if (std::isnan(x)) continue;
            Moments& of_class = moments_[static_cast<std::size_t>(row.target)];
            of_class.weight += row.weight;
            of_class.sum += row.weight * x;
            of_class.squares += row.weight * x * x;
        }
        return mean;
    }

    // Takes the column where it leaves least of the classes' entropy, each class being Gaussian in it; the
    // cut is at its mean. False where it is constant.
    bool try_gaussians(std::size_t j, TargetSplit& best) {
        const double mean = class_moments(j);
        double weight = 0.0;
        double squares = 0.0;
        for (const Moments& of_class : moments_) {
            weight += of_class.weight;
            squares += of_class.squares;
        }
        if (!(squares > 0.0)) return false;
        // A class of one value would have no density: a thousandth of the node's deviation is the least.
        const double floor = 1e-3 * std::sqrt(squares / weight);
        gaussians_.clear();
        for (const Moments& of_class : moments_) {
            if (!(of_class.weight > 0.0)) continue;
            const double shift = of_class.sum / of_class.weight;
            const double variance = std::max(0.0, of_class.squares / of_class.weight - shift * shift);
            gaussians_.push_back({of_class.weight / weight, shift, std::max(floor, std::sqrt(variance))});
        }
        const double entropy = gaussian_conditional_entropy(gaussians_);
        if (entropy < least_entropy_ && take_threshold(j, mean, best)) least_entropy_ = entropy;
        return true;
    }

    // Cuts a column at a number; missing ones go with the larger half. False where the halves may not be.
    bool take_threshold(std::size_t j, double threshold, TargetSplit& best) {
        Sum halves[2] = {node_, node_};
        for (Sum& half : halves) half.clear();
        for (const Row& row : node_rows_) {
            const double x = number(row.row, j);
            if (!std::isnan(x)) halves[x < threshold ? 0 : 1].add(row.target, row.weight);
        }
        const bool missing_left = halves[0].weight() > halves[1].weight();
        for (const Row& row : node_rows_) {
            if (std::isnan(number(row.row, j))) halves[missing_left ? 0 : 1].add(row.target, row.weight);
        }
        const double least = std::max(options_.min_samples_leaf, std::numeric_limits<double>::min());
        if (halves[0].weight() < least || halves[1].weight() < least) return false;
        const double gain = Sum::score(halves[0], halves[1]) - node_score_;
        if (!(gain > options_.min_gain)) return false;
        best.gain = gain;
        best.feature = j;
        best.left_weight = halves[0].weight();
        best.missing_left = missing_left;
        best.by_number = true;
        best.threshold = threshold;
        best.direction.clear();
        return true;
    }

    // Fits the direction of random columns on the first rows, which stand in random order, for values or two
    // random groups of classes.
    Direction draw_direction(Draws& draws) {
        const std::size_t m = std::min(options_.direction_columns, numeric_.size());
        for (std::size_t k = 0; k < m; ++k)
            std::swap(numeric_[k], numeric_[k + draws.below(numeric_.size() - k)]);
        chosen_.assign(numeric_.begin(), numeric_.begin() + static_cast<std::ptrdiff_t>(m));
        std::sort(numeric_.begin(), numeric_.end());  // a node's draws must not depend on nodes before it
        const std::size_t n = std::min<std::size_t>(node_rows_.size(), 1024);
        mixed_.resize(n * m);
        wanted_.resize(n);
        row_weights_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Row& row = node_rows_[i];
            row_weights_[i] = row.weight;
            for (std::size_t k = 0; k < m; ++k) {
                const double x = number(row.row, chosen_[k]);
                mixed_[i * m + k] = std::isnan(x) ? data_.fill[chosen_[k]] : x;
            }
        }
        give_targets(draws, n);
        return fit_direction(chosen_, mixed_, wanted_, row_weights_);
    }

    void give_targets(Draws& draws, std::size_t n) {
        if constexpr (Sum::is_regression) {
            for (std::size_t i = 0; i < n; ++i) wanted_[i] = node_rows_[i].target;
        } else {
            const std::uint64_t key = draws.next();
            const std::uint32_t first = node_rows_[0].target;
            for (std::size_t i = 0; i < n; ++i) {
                const std::uint32_t k = node_rows_[i].target;
                // One class apart from a random part of the others: never all on one side.
                const bool with_first =
                    k == first || (data_.targets.n_classes > 2 && (mix_bits(key ^ k) & 1u));
                wanted_[i] = with_first ? 1.0 : -1.0;
            }
        }
    }

    void scan_direction(const Direction& direction, TargetSplit& best) {
        places_.resize(node_rows_.size());
        const std::size_t d = data_.n_columns();
        for (std::uint32_t i = 0; i < node_rows_.size(); ++i) {
            const double* row = data_.numbers + node_rows_[i].row * d;
            places_[i] = {place_along(direction, row, data_.fill), i};
        }
        std::sort(places_.begin(), places_.end());
        Sum left = node_;
        left.clear();
        Sum right = node_;
        for (std::size_t i = 0; i + 1 < places_.size(); ++i) {
            const Row& row = node_rows_[places_[i].second];
            left.add(row.target, row.weight);
            right.take(row.target, row.weight);
            const double low = places_[i].first;
            const double high = places_[i + 1].first;
            if (!(low < high) || !take(left, right, {}, 0, best)) continue;
            const double middle = 0.5 * low + 0.5 * high;
            best.by_number = true;
            best.threshold = middle > low ? middle : high;
            best.direction = direction;
            best.missing_left = false;
        }
    }

    std::size_t part_by_number(const NodeRows& rows, TargetSplit& split) {
        const bool oblique = !split.direction.empty();
        if (oblique) {
            split.feature = data_.n_columns() + directions_.size();
            directions_.push_back(split.direction);
        }
        std::size_t middle = rows.begin;
        std::size_t n_right = 0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const Row row = rows_[i];
            const double* numbers = data_.numbers + row.row * data_.n_columns();
            const double x =
                oblique ? place_along(split.direction, numbers, data_.fill) : numbers[split.feature];
            const bool left = std::isnan(x) ? split.missing_left : x < split.threshold;
            (left ? rows_[middle++] : spare_[n_right++]) = row;
        }
        std::copy_n(spare_.begin(), n_right, rows_.begin() + static_cast<std::ptrdiff_t>(middle));
        return middle;
    }

    // Where the right half begins.
    template <class GoesLeft>
    std::size_t part(const NodeRows& rows, const CodeColumn& column, GoesLeft&& goes_left) {
        Row* to_left = rows_.data() + rows.begin;
        with_code_type(column, [&]<class Code>(Code) {
            const CodesView codes = blocks_.codes(column);
            Row* left = to_left;
            Row* right = spare_.data();
            for (const Row *row = left, *end = left + rows.size(); row != end; ++row) {
                const std::size_t is_left = goes_left(read_code<Code>(codes.at + row->row * codes.stride));
                // Written to both sides, one of which moves on: nobody can predict which.
                *right = *row;
                *left = *right;
                left += is_left;
                right += 1 - is_left;
            }
            std::copy(spare_.data(), right, left);
            to_left = left;
        });
        return static_cast<std::size_t>(to_left - rows_.data());
    }

    struct Moments {
        double weight = 0.0;
        double sum = 0.0;
        double squares = 0.0;
    };

    const TargetData& data_;
    const GrowOptions& options_;
    bool by_gaussians_;
    Sum node_;
    CellScanner<Sum> scanner_;
    RecordBlocks blocks_;
    bool is_monotone_;
    std::vector<Row> rows_;  // those of a node stand side by side
    std::vector<Row> spare_;
    std::span<const Row> node_rows_;
    double node_score_ = 0.0;
    double most_ = 0.0;
    double least_entropy_ = 0.0;
    std::vector<Moments> moments_;
    std::vector<ClassGaussian> gaussians_;
    std::vector<std::uint32_t> numeric_;  // columns of numbers
    std::vector<std::uint32_t> chosen_;
    std::vector<double> mixed_;
    std::vector<double> wanted_;
    std::vector<double> row_weights_;
    std::vector<std::pair<double, std::uint32_t>> places_;
    std::vector<char> in_left_;
    CategorySets sets_;
    std::vector<std::uint8_t> missing_left_;
    std::vector<double> thresholds_;
    std::vector<Direction> directions_;
    std::vector<Bounds> bounds_;  // of every node, where columns are monotone
};

}  // namespace boxwood
