// What the criterion of a decision or regression tree must have: sums of targets, and their score.
#pragma once

#include <concepts>
#include <cstddef>

#include "binning/targets.hpp"

namespace boxwood {

// The sum of the targets of some rows. A split gains score(left, right) − score of the node: the weight times
// the impurity that it takes away.
template <class Sum>
concept ImpuritySum = std::copyable<Sum> && std::constructible_from<Sum, const Targets&> &&
                      requires(Sum sum, const Sum& constant, const Targets& targets,
                               typename Sum::Target target, double weight, std::size_t row) {
                          { Sum::is_regression } -> std::convertible_to<bool>;
                          // Two numbers, which fit registers.
                          { Sum::is_pair } -> std::convertible_to<bool>;
                          { Sum::target_of(targets, row) } -> std::same_as<typename Sum::Target>;
                          sum.clear();
                          sum.add(target, weight);
                          sum.take(target, weight);
                          { constant.weight() } -> std::same_as<double>;
                          { constant.is_pure() } -> std::same_as<bool>;
                          { constant.score() } -> std::same_as<double>;
                          { Sum::score(constant, constant) } -> std::same_as<double>;
                      };

}  // namespace boxwood
