#include "margins/cut_cdf.hpp"

#include <algorithm>
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

// The part of the left tail from `low` on becomes a piece.
void keep_part_of_tail(SmoothCdf& cdf, double low) {
    const double fall = cdf.left_rate * (cdf.x.front() - low);
    const double mass = cdf.left_mass * -std::expm1(-fall);
    if (!(mass > 0.0)) return;
    const double right = fall / -std::expm1(-fall);  // density at the inner end over the mean
    cdf.x.insert(cdf.x.begin(), low);
    cdf.mass.insert(cdf.mass.begin(), mass);
    cdf.shape.insert(cdf.shape.begin(), positive_or_flat({right * std::exp(-fall), right}));
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
