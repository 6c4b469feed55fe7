// A column's smooth CDF: cubic pieces between knots, exponential tails beyond, positive density everywhere.
#pragma once

#include <vector>

#include "margins/cubic_piece.hpp"

namespace boxwood {

struct SmoothCdf {
    std::vector<double> x;        // knots, ascending
    std::vector<double> mass;     // of each piece; with the two tails they sum to 1
    std::vector<EndShape> shape;  // of each piece
    double left_mass = 0.0;       // beyond the first knot
    double left_rate = 0.0;       // of the exponential there
    double right_mass = 0.0;
    double right_rate = 0.0;
};

// Fits at most `max_bin_edges` knots to sorted cells with positive counts. A cell with low == high is a tie;
// bins are never narrower than the distance between distinct values, so that no density diverges.
SmoothCdf fit_smooth_cdf(const std::vector<double>& low, const std::vector<double>& high,
                         const std::vector<double>& count, std::size_t max_bin_edges = 1024);

// The CDF of the uniform distribution on [low, high]: one piece, no tails.
SmoothCdf uniform_cdf(double low, double high);

}  // namespace boxwood
