// The probability of values that were never seen.
#pragma once

#include <vector>

namespace boxwood {

// Whether one observation carries a value. Weights are scaled so that an observation weighs about 1: a value
// of less than one and a half is one.
bool is_once(double weight);

// Good and Turing's estimate (n1 + 1)/(n + 2) from the weights of the values that were seen: n is their sum,
// n1 that of values which one observation carries.
double unseen_mass(const std::vector<double>& weights);

}  // namespace boxwood
