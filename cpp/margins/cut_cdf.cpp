#include "margins/cut_cdf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace boxwood {

namespace {

// The same CDF from right to left, so that one function cuts both ends.
void mirror(SmoothCdf& cdf) {
    std::reverse(cdf.x.begin(), cdf.x.end());
    for (double& x : cdf.x) x = -x;
    std::reverse(cdf.mass.begin(), cdf.mass.end());
    std::reverse(cdf.shape.begin(), cdf.shape.end());
    for (EndShape& shape : cdf.shape) std::swap(shape.left, shape.right);
    std::swap(cdf.left_mass, cdf.right_mass);
    std::swap(cdf.left_rate, cdf.right_rate);
}

EndShape positive_or_flat(EndShape shape) { return is_positive(shape) ? shape : EndShape{}; }

// A piece of an exponential over which the logarithm of its density falls by `fall`.
EndShape falling(double fall) {
    const double right = fall / -std::expm1(-fall);  // density at the inner end over the mean
    return {right * std::exp(-fall), right};
}

// Where a long cut tail has knots, by the logarithm of how far its density has fallen. The first pieces
// follow the exponential; the last ones are flat, and hold so little that they move neither mean nor
// variance: their ends squared are a thousandth of what the mass before them has fallen by.
constexpr std::array falls = {0.0, 2.5, 5.0, 7.5, 10.0, 12.5, 15.0, 57.0, 7e10};

// Beyond the last knot the mass underflows; every value within the bounds has a density.
constexpr double least_mass = 1e-300;

// The part of the left tail from `low` on becomes a piece; several where a single one would not fall with it:
// flat up to a bound that is far away, it would have a column of years reach the year 1.
void keep_part_of_tail(SmoothCdf& cdf, double low) {
    const double inner = cdf.x.front();
    const double end = cdf.left_rate * (inner - low);
    if (!(cdf.left_mass * -std::expm1(-end) > 0.0)) return;
    const bool one_piece = is_positive(falling(end));
    for (std::size_t k = 0; k < falls.size() && falls[k] < end; ++k) {
        const bool last = one_piece || k + 1 == falls.size() || falls[k + 1] >= end;
        const double fall = (last ? end : falls[k + 1]) - falls[k];
        const double knot = last ? low : inner - falls[k + 1] / cdf.left_rate;
        if (!(knot < cdf.x.front())) continue;  // steps below the spacing of the numbers
        const double mass = cdf.left_mass * std::exp(-falls[k]) * -std::expm1(-fall);
        cdf.x.insert(cdf.x.begin(), knot);
        cdf.mass.insert(cdf.mass.begin(), std::max(mass, least_mass * cdf.left_mass));
        cdf.shape.insert(cdf.shape.begin(), positive_or_flat(falling(fall)));
        if (last) break;
    }
}

// The pieces that end below `low` go, and the part of the next one that lies below it.
void keep_part_of_pieces(SmoothCdf& cdf, double low) {
    std::size_t first = 0;
    while (first < cdf.mass.size() && cdf.x[first + 1] <= low) ++first;
    if (first == cdf.mass.size()) throw std::invalid_argument("bounds leave nothing of a column");
    const auto n = static_cast<std::ptrdiff_t>(first);
    cdf.x.erase(cdf.x.begin(), cdf.x.begin() + n);
    cdf.mass.erase(cdf.mass.begin(), cdf.mass.begin() + n);
    cdf.shape.erase(cdf.shape.begin(), cdf.shape.begin() + n);
    const double t = (low - cdf.x[0]) / (cdf.x[1] - cdf.x[0]);
    if (!(t > 0.0)) return;
    const EndShape whole = cdf.shape[0];
    const double mean = mean_density(t, 1.0, whole);
    cdf.x[0] = low;
    cdf.mass[0] *= (1.0 - t) * mean;
    cdf.shape[0] = positive_or_flat({relative_density(t, whole) / mean, whole.right / mean});
}

void cut_left(SmoothCdf& cdf, double low) {
    if (std::isinf(low)) return;
    if (low < cdf.x.front()) {
        if (cdf.left_mass > 0.0) keep_part_of_tail(cdf, low);
    } else {
        keep_part_of_pieces(cdf, low);
    }
    cdf.left_mass = 0.0;
}

}  // namespace

SmoothCdf cut_cdf(SmoothCdf cdf, Bounds bounds) {
    if (!(bounds.low < bounds.high)) throw std::invalid_argument("bounds leave nothing of a column");
    if (std::isinf(bounds.low) && std::isinf(bounds.high)) return cdf;
    cut_left(cdf, bounds.low);
    mirror(cdf);
    cut_left(cdf, -bounds.high);
    mirror(cdf);
    double total = cdf.left_mass + cdf.right_mass;
    for (double mass : cdf.mass) total += mass;
    for (double& mass : cdf.mass) mass /= total;
    cdf.left_mass /= total;
    cdf.right_mass /= total;
    return cdf;
}

}  // namespace boxwood
