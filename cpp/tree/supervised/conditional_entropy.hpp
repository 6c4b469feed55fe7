// The entropy of the class given a feature that is Gaussian in each class.
#pragma once

#include <span>

namespace boxwood {

struct ClassGaussian {
    double fraction;   // of the class
    double mean;       // of the feature in the class
    double deviation;  // above 0
};

// H = ∫ p·log₂ p dx + Σ αₛ·log₂(σₛ/αₛ) + ½·log₂ 2π + 1/(2·ln 2), in bits, with p = Σ αₛ·N(μₛ, σₛ²). Shares
// must sum to 1; classes without a fraction do not count. 0 where one class has all.
double gaussian_conditional_entropy(std::span<const ClassGaussian> classes);

}  // namespace boxwood
