// The policy of growth for decision and regression trees: volumes mean nothing, candidate splits lie between
// the rows of a node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "binning/record_blocks.hpp"
#include "binning/supervised_data.hpp"
#include "tree/category_sets.hpp"
#include "tree/growth.hpp"
#include "tree/supervised/bin_split_finder.hpp"
#include "tree/supervised/gaussian_splits.hpp"
#include "tree/supervised/node_gains.hpp"
#include "tree/supervised/oblique_splits.hpp"
#include "tree/supervised/supervised_split.hpp"

namespace boxwood {

// Sums over the rows of a node that are elsewhere.
struct NodeSums {
    std::span<const double> classes;     // weight of each
    std::vector<const double*> records;  // of each column, a sum for each of its bins; null: it is not tried
};

template <ImpuritySum Sum>
class SupervisedPolicy {
  public:
    using Grown = GrownTree;
    using Box = ResponseBounds;
    using Split = SupervisedSplit;
    using Row = Item<typename Sum::Target>;
    static constexpr bool per_node = false;

    // `by_gaussians`: columns are chosen by the Gaussian conditional entropy, which is of classes. `root` is
    // what the first node may predict; it is split by `sums` where these are given.
    SupervisedPolicy(const SupervisedData& data, const GrowOptions& options, bool by_gaussians,
                     const ResponseBounds& root = {}, const NodeSums* sums = nullptr)
        : data_(data),
          options_(options),
          gains_(data, options),
          gaussians_(data, gains_),
          oblique_(data, options, gains_),
          by_gaussians_(by_gaussians),
          finder_(data, gains_.node()),
          blocks_(data, !options.best_first && data.numbers == nullptr),
          root_(root),
          sums_(sums) {}

    GrownTree grow(const NodeStart& start, const std::function<void()>& interrupt) {
        return Growth<SupervisedPolicy>(*this, options_, interrupt).grow_from(start.depth, start.key);
    }

    // What growth leaves behind: rows in the order of the leaves, the sets of categories, the side of missing
    // values and the bounds of every node.
    std::span<const Row> rows() const { return rows_; }
    CategorySets& sets() { return sets_; }
    std::vector<std::uint8_t>& missing_left() { return missing_left_; }
    // Of every node, NaN where it splits codes; empty where all do.
    std::vector<double>& thresholds() { return thresholds_; }
    // Features beyond the columns.
    std::vector<Direction>& directions() { return directions_; }
    const std::vector<ResponseBounds>& bounds() const { return bounds_; }

    std::size_t n_columns() const { return data_.n_columns(); }
    ResponseBounds whole_box() const { return root_; }

    NodeRows start(GrownTree&) {
        double total = 0.0;
        for (std::size_t i = 0; i < data_.n_rows; ++i) {
            if (!(data_.weights[i] > 0.0)) continue;
            total += data_.weights[i];
            rows_.push_back(
                {static_cast<std::uint32_t>(i), Sum::target_of(data_.targets, i), data_.weights[i]});
        }
        spare_.resize(rows_.size());
        missing_left_.reserve(2 * rows_.size());
        missing_left_.push_back(0);
        if (data_.numbers != nullptr) thresholds_.push_back(std::numeric_limits<double>::quiet_NaN());
        bounds_.push_back(root_);
        return {0, rows_.size(), total};
    }

    bool can_split(const NodeRows& rows) const { return rows.size() > 1; }

    // False where the node is not to be split.
    bool begin_node(const NodeRows& rows, const ResponseBounds&) {
        if constexpr (!Sum::is_regression) {
            if (sums_ != nullptr) {
                if (!gains_.begin_node(sums_->classes)) return false;
                finder_.begin_node({}, gains_.node());
                return true;
            }
        }
        node_rows_ = enter(rows);
        if (!gains_.begin_node(node_rows_)) return false;
        finder_.begin_node(node_rows_, gains_.node());
        gaussians_.begin_node(node_rows_);
        oblique_.begin_node(node_rows_);
        return true;
    }

    bool cannot_be_better(const SupervisedSplit& best) const {
        return !by_gaussians_ && gains_.cannot_be_better(best);
    }

    // False where the column has nothing to part in this node.
    bool try_column(std::size_t j, const ResponseBounds& bounds, Draws& draws, SupervisedSplit& best) {
        if (by_gaussians_) return gaussians_.try_column(j, best);
        const CodeColumn& column = data_.columns[j];
        if (column.n_bins < 2 || !count(j)) return false;
        if (column.categorical) {
            finder_.scan_categories([&](std::size_t n_first, const Sum& first, const Sum& last) {
                if (!gains_.take(first, last, bounds, 0, best)) return;
                best.feature = j;
                best.missing_left = false;  // their set says it: nothing of a split before it may stay
                // Categories that are not here go right: let that be the larger half.
                const bool swaps = first.weight() > last.weight();
                if (swaps) best.left_weight = last.weight();
                best.left_codes.clear();
                for (std::size_t g = swaps ? n_first : 0; g < (swaps ? finder_.n_codes() : n_first); ++g)
                    best.left_codes.push_back(finder_.code(g));
            });
            return true;
        }
        finder_.scan_numbers(
            column, options_.random_splits, draws,
            [&](std::uint32_t threshold, bool missing_left, const Sum& left, const Sum& right) {
                if (!gains_.take(left, right, bounds, column.monotone, best)) return;
                best.feature = j;
                best.threshold_code = threshold;
                // Where no value is missing here, later ones go with the larger half.
                best.missing_left = finder_.has_missing() ? missing_left : left.weight() > right.weight();
            });
        return true;
    }

    void try_directions(Draws& draws, SupervisedSplit& best, const std::function<void()>& interrupt) {
        oblique_.try_directions(draws, best, interrupt);
    }

    // Stable, so that rows stay in their order and records are read forwards.
    std::size_t partition(const NodeRows& rows, SupervisedSplit& split) {
        if (split.by_number) return part_by_number(rows, split);
        enter(rows);
        const CodeColumn& column = data_.columns[split.feature];
        if (column.categorical) {
            std::sort(split.left_codes.begin(), split.left_codes.end());
            in_left_.resize(std::max<std::size_t>(in_left_.size(), column.n_bins), 0);
            for (std::uint32_t code : split.left_codes) in_left_[code] = 1;
            const std::size_t middle =
                part(rows, column, [&](std::uint32_t code) { return in_left_[code] != 0; });
            for (std::uint32_t code : split.left_codes) in_left_[code] = 0;
            return middle;
        }
        const std::uint32_t missing = split.missing_left ? column.missing() : 0xffffffffu;
        const std::uint32_t threshold = split.threshold_code;
        return part(rows, column, [=](std::uint32_t code) { return (code < threshold) | (code == missing); });
    }

    // The node's `threshold`: a code, or the place of a set.
    std::uint32_t store_threshold(const SupervisedSplit& split, Tree&) {
        if (split.by_number) return 0;
        return data_.columns[split.feature].categorical ? sets_.add(split.left_codes) : split.threshold_code;
    }

    void keep_split(const SupervisedSplit& split, std::uint32_t node, GrownTree& grown) {
        missing_left_[node] = split.missing_left ? 1 : 0;
        missing_left_.resize(grown.tree.nodes.size(), 0);
        if (data_.numbers != nullptr) {
            if (split.by_number) thresholds_[node] = split.threshold;
            thresholds_.resize(grown.tree.nodes.size(), std::numeric_limits<double>::quiet_NaN());
        }
        if (!gains_.is_monotone()) return;
        for (bool left : {true, false}) bounds_.push_back(box_of_half(bounds_[node], split, left));
    }

    ResponseBounds box_of_half(const ResponseBounds& bounds, const SupervisedSplit& split, bool left) const {
        // Directions are not monotone, and not tried where columns are.
        const int monotone = gains_.is_monotone() ? data_.columns[split.feature].monotone : 0;
        if (monotone == 0) return bounds;
        const double middle = 0.5 * split.left_value + 0.5 * split.right_value;
        ResponseBounds half = bounds;
        (left == (monotone > 0) ? half.high : half.low) = middle;
        return half;
    }

    void finish(GrownTree&) {}

  private:
    bool count(std::size_t j) {
        const CodeColumn& column = data_.columns[j];
        if (sums_ == nullptr) return finder_.count(column, blocks_.codes(column));
        return sums_->records[j] != nullptr && finder_.count(column, sums_->records[j]);
    }

    std::span<const Row> enter(const NodeRows& rows) {
        const std::span<Row> of_node = std::span<Row>(rows_).subspan(rows.begin, rows.size());
        blocks_.enter(of_node, rows.begin);
        return of_node;
    }

    std::size_t part_by_number(const NodeRows& rows, SupervisedSplit& split) {
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

    const SupervisedData& data_;
    const GrowOptions& options_;
    NodeGains<Sum> gains_;
    GaussianSplits<Sum> gaussians_;
    ObliqueSplits<Sum> oblique_;
    bool by_gaussians_;
    BinSplitFinder<Sum> finder_;
    RecordBlocks blocks_;
    ResponseBounds root_;
    const NodeSums* sums_;
    std::vector<Row> rows_;  // those of a node stand side by side
    std::vector<Row> spare_;
    std::span<const Row> node_rows_;
    std::vector<char> in_left_;
    CategorySets sets_;
    std::vector<std::uint8_t> missing_left_;
    std::vector<double> thresholds_;
    std::vector<Direction> directions_;
    std::vector<ResponseBounds> bounds_;  // of every node, where columns are monotone
};

}  // namespace boxwood
