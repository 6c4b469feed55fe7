// From the name of an impurity to the sum that computes it.
#pragma once

#include <stdexcept>

#include "tree/supervised/impurity/impurity.hpp"
#include "tree/supervised/impurity/variances.hpp"
#include "tree/supervised/supervised_tree.hpp"

namespace boxwood {

// Calls use.operator()<Sum>() for an impurity of classes.
template <class Use>
auto with_class_impurity(Impurity impurity, const Targets& targets, Use&& use) {
    const bool two = targets.n_classes == 2;
    switch (impurity) {
        case Impurity::gini:
            return two ? use.template operator()<GiniOfTwo>() : use.template operator()<Gini>();
        case Impurity::entropy:
            return two ? use.template operator()<EntropyOfTwo>() : use.template operator()<Entropy>();
        case Impurity::gaussian_conditional_entropy:
            return use.template operator()<Entropy>();
        case Impurity::variance:
            break;
    }
    throw std::invalid_argument("this is no impurity of classes");
}

// The same for any impurity.
template <class Use>
auto with_impurity(Impurity impurity, const Targets& targets, Use&& use) {
    if (impurity != Impurity::variance) return with_class_impurity(impurity, targets, use);
    return targets.n_values == 1 ? use.template operator()<Variance>() : use.template operator()<Variances>();
}

}  // namespace boxwood
