// Atoms, values that many rows share, among the pieces of a smooth CDF.
#pragma once

#include <vector>

#include "margins/piecewise_cdf.hpp"
#include "margins/smooth_cdf.hpp"

namespace boxwood {

// A value that many rows share: an interval of u for one value, or for the interval of a lattice point.
struct Atom {
    double low;
    double high;  // low, or where the interval ends; there is nothing else in between
    double mass;
};

inline Atom atom_at(double value, double mass) { return {value, value, mass}; }

// Puts atoms (ascending) between the pieces of a smooth CDF, which holds `continuous_mass` of the total.
// Where intervals leave nothing of it, as all integers of a box were seen, the atoms have everything.
PiecewiseCdf place_atoms(const SmoothCdf& cdf, double continuous_mass, const std::vector<Atom>& atoms);
// The CDF of atoms (ascending) alone: nothing lies between them or beyond them.
PiecewiseCdf atoms_alone(const std::vector<Atom>& atoms);

}  // namespace boxwood
