// Integers under a CDF: k stands for the interval from k − ½ to k + ½.
#pragma once

#include <cstddef>

#include "base/strided.hpp"
#include "margins/piecewise_cdf.hpp"

namespace boxwood {

// Where the interval of k begins. From 2^52 on k − ½ is no double: there it begins at k itself, so that
// every integer up to 2^53 still has an interval, and these still cover the line.
double integer_edge(double k);
// Where it ends: where that of the next integer begins.
double upper_edge(double k);

// The middle of an integer's interval of u, below `total`.
double encode_integer(const PiecewiseCdf& cdf, double k);
// Logarithm of the probability of an integer; what is not whole has none.
double log_mass_of_integer(const PiecewiseCdf& cdf, double k);
// The integer whose interval holds u.
double decode_integer(const PiecewiseCdf& cdf, double u);

// Whole columns. NaN stays NaN.
void encode_integers(const PiecewiseCdf& cdf, Strided values, double* out, std::ptrdiff_t out_stride);
void log_mass_of_integers(const PiecewiseCdf& cdf, Strided values, double* out);
void decode_integers(const PiecewiseCdf& cdf, Strided u, double* out);

}  // namespace boxwood
