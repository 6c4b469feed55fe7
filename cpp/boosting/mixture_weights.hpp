// The weights of a mixture of densities that are there already.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/parallel.hpp"

namespace boxwood {

// Makes rows most likely by expectation–maximisation, from equal weights on.
//
// `density`: of one component after the other, a value a row; `rows`: what each row counts, which is nothing
// where no component explains it. Every component is given `prior` rows beside those that it explains.
std::vector<double> mixture_weights(std::span<const double> density, std::span<const double> rows,
                                    double prior, std::size_t n_steps, const Watch& watch = {});

}  // namespace boxwood
