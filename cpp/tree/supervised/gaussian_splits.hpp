// Splits by the Gaussian conditional entropy of the classes: the column of least entropy, split at its mean.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "binning/supervised_data.hpp"
#include "tree/supervised/conditional_entropy.hpp"
#include "tree/supervised/node_gains.hpp"
#include "tree/supervised/supervised_split.hpp"

namespace boxwood {

template <ImpuritySum Sum>
class GaussianSplits {
  public:
    using Row = Item<typename Sum::Target>;

    GaussianSplits(const SupervisedData& data, const NodeGains<Sum>& gains) : data_(data), gains_(gains) {}

    void begin_node(std::span<const Row> rows) {
        rows_ = rows;
        least_entropy_ = std::numeric_limits<double>::infinity();
    }

    // Takes the column where it leaves least of the classes' entropy, each class being Gaussian in it; the
    // threshold is its mean. False where it is constant.
    bool try_column(std::size_t j, SupervisedSplit& best) {
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

  private:
    struct Moments {
        double weight = 0.0;
        double sum = 0.0;
        double squares = 0.0;
    };

    double number(std::size_t row, std::size_t j) const { return data_.numbers[row * data_.n_columns() + j]; }

    // Moments of the column in each class, around the node's mean: {weight, sum, squares}.
    double class_moments(std::size_t j) {
        double weight = 0.0;
        double mean = 0.0;
        for (const Row& row : rows_) {
            const double x = number(row.row, j);
            if (std::isnan(x)) continue;
            weight += row.weight;
            mean += (x - mean) * (row.weight / weight);
        }
        moments_.assign(data_.targets.n_classes, {});
        for (const Row& row : rows_) {
            const double x = number(row.row, j) - mean;
            if (std::isnan(x)) continue;
            Moments& of_class = moments_[static_cast<std::size_t>(row.target)];
            of_class.weight += row.weight;
            of_class.sum += row.weight * x;
            of_class.squares += row.weight * x * x;
        }
        return mean;
    }

    // Splits a column at a number; missing ones go with the larger half. False where the halves may not be.
    bool take_threshold(std::size_t j, double threshold, SupervisedSplit& best) {
        Sum halves[2] = {gains_.node(), gains_.node()};
        for (Sum& half : halves) half.clear();
        for (const Row& row : rows_) {
            const double x = number(row.row, j);
            if (!std::isnan(x)) halves[x < threshold ? 0 : 1].add(row.target, row.weight);
        }
        const bool missing_left = halves[0].weight() > halves[1].weight();
        for (const Row& row : rows_) {
            if (std::isnan(number(row.row, j))) halves[missing_left ? 0 : 1].add(row.target, row.weight);
        }
        if (!(std::min(halves[0].weight(), halves[1].weight()) > 0.0)) return false;
        if (!gains_.are_large_enough(halves[0], halves[1])) return false;
        const double gain = gains_.gain(halves[0], halves[1]);
        if (!gains_.is_enough(gain)) return false;
        best.gain = gain;
        best.feature = j;
        best.left_weight = halves[0].weight();
        best.missing_left = missing_left;
        best.by_number = true;
        best.threshold = threshold;
        best.direction.clear();
        return true;
    }

    const SupervisedData& data_;
    const NodeGains<Sum>& gains_;
    std::span<const Row> rows_;
    double least_entropy_ = 0.0;
    std::vector<Moments> moments_;
    std::vector<ClassGaussian> gaussians_;
};

}  // namespace boxwood
