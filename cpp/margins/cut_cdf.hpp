// Bounds of a column: a smooth CDF without what lies beyond them.
#pragma once

#include <limits>

#include "margins/smooth_cdf.hpp"

namespace boxwood {

// Where a column has values; infinite where it is open.
struct Bounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

// What is beyond the bounds is taken away, and the rest made 1 again. The part of an exponential tail that is
// left becomes a piece. Bounds that leave nothing throw std::invalid_argument.
SmoothCdf cut_cdf(SmoothCdf cdf, Bounds bounds);

}  // namespace boxwood
