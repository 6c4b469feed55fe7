#include "margins/cubic_piece.hpp"

#include <cmath>

namespace boxwood {

namespace {

// Smallest step of t that tells two values apart.
constexpr double resolution = 0x1p-52;

double clamp_shape(double relative) { return std::clamp(relative, 0.5, 2.0); }

// At the outer end of the first or last piece, from the density at its inner end.
double extrapolated(double inner) { return clamp_shape(1.5 - 0.5 * inner); }

// The density at the knot between pieces i and i + 1, relative to the mean densities of either.
struct KnotDensities {
    double left;
    double right;
};

KnotDensities densities_at_knot(const std::vector<double>& x, const std::vector<double>& mass,
                                std::size_t i) {
    // Ratios of densities, not densities: these overflow where a piece is a few denormals wide.
    const double widths = (x[i + 2] - x[i + 1]) / (x[i + 1] - x[i]);
    const double ratio = mass[i + 1] / mass[i] / widths;
    // The harmonic mean 2ab/(a + b) relative to a, and relative to b.
    return {2.0 / (1.0 + 1.0 / ratio), 2.0 / (1.0 + ratio)};
}

}  // namespace

// A quadratic with positive ends is positive on [0, 1] unless its lowest point lies inside and is not.
bool is_positive(EndShape s) {
    if (!(s.left > 0.0) || !(s.right > 0.0) || !std::isfinite(s.left) || !std::isfinite(s.right))
        return false;
    const double curvature = 3.0 * (s.left + s.right) - 6.0;  // density = left + b·t + curvature·t²
    const double b = 6.0 - 4.0 * s.left - 2.0 * s.right;
    if (curvature <= 0.0) return true;
    const double lowest = -b / (2.0 * curvature);
    return lowest <= 0.0 || lowest >= 1.0 || relative_density(lowest, s) > 0.0;
}

// Newton's method inside a bracket: the derivative lies in [½, 2], so a step that leaves the bracket is rare
// and bisection takes its place.
double inverse_fraction(double fraction, EndShape s) {
    double low = 0.0;
    double high = 1.0;
    double t = std::clamp(fraction, 0.0, 1.0);
    for (int i = 0; i < 64; ++i) {
        const double excess = fraction_left_of(t, s) - fraction;
        (excess > 0.0 ? high : low) = t;
        const double next = t - excess / relative_density(t, s);
        const double step = next > low && next < high ? next : 0.5 * (low + high);
        if (std::abs(step - t) <= resolution) return step;
        t = step;
    }
    return t;
}

std::vector<EndShape> end_shapes(const std::vector<double>& x, const std::vector<double>& mass) {
    const std::size_t n = mass.size();
    std::vector<EndShape> shapes(n);
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const auto [left, right] = densities_at_knot(x, mass, i);
        shapes[i].right = clamp_shape(left);
        shapes[i + 1].left = clamp_shape(right);
        if (i == 0) shapes[0].left = extrapolated(left);
        if (i + 2 == n) shapes[n - 1].right = extrapolated(right);
    }
    return shapes;
}

EndShape end_shape(const std::vector<double>& x, const std::vector<double>& mass, std::size_t piece) {
    const bool is_first = piece == 0;
    const bool is_last = piece + 1 == mass.size();
    if (is_first && is_last) return {};
    const KnotDensities before = densities_at_knot(x, mass, is_first ? 0 : piece - 1);
    const KnotDensities after = is_first ? before : is_last ? before : densities_at_knot(x, mass, piece);
    return {is_first ? extrapolated(before.left) : clamp_shape(before.right),
            is_last ? extrapolated(after.right) : clamp_shape(after.left)};
}

}  // namespace boxwood
