// What the splits of a node gain, and which of them may be taken.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/counting_ranks.hpp"
#include "binning/supervised_data.hpp"
#include "tree/grow_options.hpp"
#include "tree/supervised/impurity/impurity_sum.hpp"
#include "tree/supervised/supervised_split.hpp"

namespace boxwood {

template <ImpuritySum Sum>
class NodeGains {
  public:
    using Row = Item<typename Sum::Target>;

    NodeGains(const SupervisedData& data, const GrowOptions& options)
        : options_(options),
          node_(data.targets),
          is_monotone_(std::any_of(data.columns.begin(), data.columns.end(),
                                   [](const CodeColumn& column) { return column.monotone != 0; })) {}

    // Sums up the rows of a node; false where it is pure.
    bool begin_node(std::span<const Row> rows) {
        if constexpr (of_one_value) node_.centre(centre_of(rows));
        node_.clear();
        for (const Row& row : rows) node_.add(row.target, row.weight);
        return begin_summed(rows);
    }

    // The same by the weights of a node's classes.
    bool begin_node(std::span<const double> classes)
        requires(!Sum::is_regression)
    {
        node_.clear();
        for (std::uint32_t k = 0; k < classes.size(); ++k) node_.add(k, classes[k]);
        return begin_summed({});
    }

    const Sum& node() const { return node_; }
    double gain(const Sum& left, const Sum& right) const { return Sum::score(left, right) - node_score_; }
    bool are_large_enough(const Sum& left, const Sum& right) const {
        return left.weight() >= options_.min_samples_leaf && right.weight() >= options_.min_samples_leaf;
    }
    bool is_enough(double gain) const { return gain > options_.min_gain; }
    bool is_monotone() const { return is_monotone_; }
    bool cannot_be_better(const SupervisedSplit& best) const { return best.gain >= most_; }

    // Keeps the gain of a split that is the best so far; false where it is not, or not allowed.
    bool take(const Sum& left, const Sum& right, const ResponseBounds& bounds, int monotone,
              SupervisedSplit& best) const {
        return Sum::beats(left, right, std::max(best.gain, options_.min_gain) + node_score_) &&
               take_better(left, right, bounds, monotone, best);
    }

  private:
    static constexpr bool of_one_value = std::is_same_v<typename Sum::Target, double>;
    static constexpr std::size_t few_values = 8;
    // Sums that fit registers go by value, so that they stay there.
    using SumArgument = std::conditional_t<Sum::is_pair, Sum, const Sum&>;

    bool begin_summed(std::span<const Row> rows) {
        if (node_.is_pure()) return false;
        node_score_ = node_.score();
        most_ = most_gain(rows) * (1.0 - 1e-12);
        return true;
    }

    bool take_better(SumArgument left, SumArgument right, const ResponseBounds& bounds, int monotone,
                     SupervisedSplit& best) const {
        const double found = gain(left, right);
        if (!(found > best.gain) || !is_enough(found) || !are_large_enough(left, right)) return false;
        if (is_monotone_) {
            const double below = left.value();
            const double above = right.value();
            if (!bounds.allow(below) || !bounds.allow(above) || (below - above) * monotone > 0.0)
                return false;
            best.left_value = below;
            best.right_value = above;
        }
        best.gain = found;
        best.left_weight = left.weight();
        best.by_number = false;
        return true;
    }

    // The mean of the values. Of a few rows any of them is near enough for nothing to cancel.
    static double centre_of(std::span<const Row> rows) {
        if (rows.size() <= most_ranked) return rows[0].target;
        double weight = 0.0;
        double sum = 0.0;
        for (const Row& row : rows) {
            weight += row.weight;
            sum += row.weight * row.target;
        }
        return sum / weight;
    }

    // What no split can exceed, rounding apart. No more than there is; of a few values, no more than the best
    // of the splits between values does. Most columns of the smallest nodes need not be looked at then.
    double most_gain(std::span<const Row> rows) const {
        if constexpr (of_one_value) {
            if (rows.size() <= few_values) return best_gain_by_value(rows);
        }
        return node_.impurity();
    }

    double best_gain_by_value(std::span<const Row> rows) const {
        std::array<const Row*, few_values> by_value;
        std::size_t n = 0;
        for (const Row& row : rows) {
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
            best = std::max(best, gain(left, right));
        }
        return best;
    }

    const GrowOptions& options_;
    Sum node_;
    bool is_monotone_;
    double node_score_ = 0.0;
    double most_ = 0.0;
};

}  // namespace boxwood
