// What the nodes of a decision tree predict, by the weights of their classes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/supervised/impurity/impurity_sum.hpp"
#include "tree/supervised/supervised_split.hpp"
#include "tree/supervised/supervised_tree.hpp"

namespace boxwood {

// Weight times impurity of each node; `weights` are those of its classes.
template <ImpuritySum Sum>
std::vector<double> class_impurities(const std::vector<double>& weights, const Targets& targets) {
    const std::size_t n_classes = targets.n_classes;
    std::vector<double> impurities;
    impurities.reserve(weights.size() / n_classes);
    Sum sum(targets);
    for (std::size_t first = 0; first < weights.size(); first += n_classes) {
        sum.clear();
        for (std::uint32_t k = 0; k < n_classes; ++k) sum.add(k, weights[first + k]);
        impurities.push_back(sum.impurity());
    }
    return impurities;
}

// Two classes, where columns are monotone: the weights that a node's bounds allow.
inline void bound_classes(const ResponseBounds& bounds, double count, double* weights) {
    const double fraction = std::clamp(weights[1] / count, bounds.low, bounds.high);
    weights[0] = (1.0 - fraction) * count;
    weights[1] = fraction * count;
}

}  // namespace boxwood
