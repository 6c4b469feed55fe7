#include "margins/lattice/integer_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace boxwood {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double halves_end = 0x1p52;  // doubles of this size and more are whole
constexpr double ones_end = 0x1p53;    // and these are more than 1 apart

double next_integer(double k) { return std::abs(k) < ones_end ? k + 1.0 : std::nextafter(k, infinity); }

// The integer whose interval holds x. floor(x + ½) would be 1 for the double below ½.
double round_half_up(double x) {
    const double floor = std::floor(x);
    return x - floor >= 0.5 ? floor + 1.0 : floor;
}

double previous_integer(double k) { return -next_integer(-k); }

}  // namespace

double integer_edge(double k) { return std::abs(k) < halves_end || k == halves_end ? k - 0.5 : k; }

double upper_edge(double k) { return integer_edge(next_integer(k)); }

double encode_integer(const PiecewiseCdf& cdf, double k) {
    const double u = 0.5 * (cdf.below(integer_edge(k)) + cdf.below(upper_edge(k)));
    return std::min(u, std::nextafter(cdf.total(), 0.0));
}

void encode_integers(const PiecewiseCdf& cdf, Strided values, double* out, std::ptrdiff_t out_stride) {
    for (std::size_t i = 0; i < values.size; ++i) {
        const double k = values[i];
        out[static_cast<std::ptrdiff_t>(i) * out_stride] = std::isnan(k) ? k : encode_integer(cdf, k);
    }
}

double log_mass_of_integer(const PiecewiseCdf& cdf, double k) {
    return k == std::floor(k) ? cdf.log_mass_between(integer_edge(k), upper_edge(k)) : -infinity;
}

double decode_integer(const PiecewiseCdf& cdf, double u) {
    // The closed end of a CDF without tails is the edge of a number that lies beyond it.
    const double end = cdf.right_mass() > 0.0 ? infinity : std::nextafter(cdf.x().back(), -infinity);
    const double k = round_half_up(std::min(cdf.decode(u), end));
    if (std::abs(k) < 0.5 * halves_end) return k;
    // From there on decoding itself rounds to whole and half numbers, maybe to those of a neighbour.
    if (u < cdf.below(integer_edge(k))) return previous_integer(k);
    return u >= cdf.below(upper_edge(k)) && upper_edge(k) <= end ? next_integer(k) : k;
}

void log_mass_of_integers(const PiecewiseCdf& cdf, Strided values, double* out) {
    for (std::size_t i = 0; i < values.size; ++i)
        out[i] = std::isnan(values[i]) ? values[i] : log_mass_of_integer(cdf, values[i]);
}

void decode_integers(const PiecewiseCdf& cdf, Strided u, double* out) {
    for (std::size_t i = 0; i < u.size; ++i) out[i] = std::isnan(u[i]) ? u[i] : decode_integer(cdf, u[i]);
}

}  // namespace boxwood
