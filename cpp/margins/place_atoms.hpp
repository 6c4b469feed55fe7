// Atoms, values that many rows share, among the pieces of a smooth CDF.
#pragma once

#include <vector>

#include "margins/piecewise_cdf.hpp"
#include "margins/smooth_cdf.hpp"

namespace boxwood {

struct Atom {
    double value;
    double mass;
};

// Puts atoms (ascending) between the pieces of a smooth CDF, which holds `continuous_mass` of the total.
PiecewiseCdf place_atoms(const SmoothCdf& cdf, double continuous_mass, const std::vector<Atom>& atoms);

}  // namespace boxwood
