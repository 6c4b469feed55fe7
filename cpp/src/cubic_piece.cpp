#include "boxwood/cubic_piece.hpp"

#include <cmath>

namespace boxwood {

namespace {

double clamp_shape(double density, double mean) { return std::clamp(density / mean, 0.5, 2.0); }

}  // namespace

// Newton's method inside a bracket: the derivative lies in [½, 2], so a step that leaves the bracket is rare
// and bisection takes its place.
double inverse_share(double share, EndShape s) {
    double low = 0.0;
    double high = 1.0;
    double t = std::clamp(share, 0.0, 1.0);
    for (int i = 0; i < 64; ++i) {
        const double excess = share_left_of(t, s) - share;
        (excess > 0.0 ? high : low) = t;
        const double next = t - excess / relative_density(t, s);
        const double step = next > low && next < high ? next : 0.5 * (low + high);
        if (std::abs(step - t) <= 1e-16) return step;
        t = step;
    }
    return t;
}

std::vector<EndShape> end_shapes(const std::vector<double>& x, const std::vector<double>& mass) {
    const std::size_t n = mass.size();
    std::vector<double> density(n);
    for (std::size_t i = 0; i < n; ++i) density[i] = mass[i] / (x[i + 1] - x[i]);
    std::vector<EndShape> shapes(n);
    if (n == 1) return shapes;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        // 2ab/(a + b), written so that neither products nor reciprocals of tiny densities overflow.
        const double large = std::max(density[i], density[i + 1]);
        const double small = std::min(density[i], density[i + 1]);
        const double slope = 2.0 * small / (1.0 + small / large);
        shapes[i].right = clamp_shape(slope, density[i]);
        shapes[i + 1].left = clamp_shape(slope, density[i + 1]);
        if (i == 0) shapes[0].left = clamp_shape(1.5 * density[0] - 0.5 * slope, density[0]);
        if (i + 2 == n) shapes[n - 1].right = clamp_shape(1.5 * density[n - 1] - 0.5 * slope, density[n - 1]);
    }
    return shapes;
}

}  // namespace boxwood
