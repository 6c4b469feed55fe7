// One piece of a smooth CDF: a monotone cubic between two knots, by its mass and the densities at its ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace boxwood {

// Densities at the ends relative to the piece's mean density. Both within [½, 2] keep the density of the
// whole piece within [½, 2] times its mean: never zero, never a spike.
struct EndShape {
    double left = 1.0;
    double right = 1.0;

    bool is_flat() const { return left == 1.0 && right == 1.0; }
};

// Fraction of a piece's mass to the left of t in [0, 1].
inline double fraction_left_of(double t, EndShape s) {
    if (s.is_flat()) return t;
    const double r = 1.0 - t;
    return s.left * t * r * r + t * t * (3.0 - 2.0 * t) - s.right * t * t * r;
}

// Density at t relative to the piece's mean density.
inline double relative_density(double t, EndShape s) {
    const double r = 1.0 - t;
    return s.left * r * (1.0 - 3.0 * t) + 6.0 * t * r + s.right * t * (3.0 * t - 2.0);
}

// Mean density between t0 and t1, relative to that of the piece: Simpson's rule, exact for a quadratic.
// Nothing cancels, so that narrow parts keep all their digits, which differences of share_left_of would lose.
inline double mean_density(double t0, double t1, EndShape s) {
    const double middle = relative_density(0.5 * (t0 + t1), s);
    return (relative_density(t0, s) + 4.0 * middle + relative_density(t1, s)) / 6.0;
}

// True where the density is positive and finite on the whole piece.
bool is_positive(EndShape s);

// The t with share_left_of(t) = share.
double inverse_fraction(double fraction, EndShape s);

// End shapes of all pieces: the harmonic mean of neighbouring densities at inner knots, extrapolated at the
// ends.
std::vector<EndShape> end_shapes(const std::vector<double>& x, const std::vector<double>& mass);

// Those of one piece, the same to the bit.
EndShape end_shape(const std::vector<double>& x, const std::vector<double>& mass, std::size_t piece);

}  // namespace boxwood
