#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "margins/cut_cdf.hpp"
#include "margins/place_atoms.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

SmoothCdf smooth() {
    std::vector<double> x;
    for (int i = 1; i <= 40; ++i) x.push_back(std::sqrt(static_cast<double>(i)));
    return fit_smooth_cdf(x, x, std::vector<double>(40, 1.0));
}

}  // namespace

CASE("within bounds the density is what it was, made 1 again", {
    const PiecewiseCdf plain = place_atoms(smooth(), 1.0, {});
    for (const Bounds bounds : {Bounds{0.0, infinity}, Bounds{-3.0, 9.0}, Bounds{-infinity, 6.33}}) {
        const PiecewiseCdf cut = place_atoms(cut_cdf(smooth(), bounds), 1.0, {});
        const double log_inside = plain.log_mass_between(bounds.low, bounds.high);
        CHECK(std::abs(cut.total() - 1.0) < 1e-12);
        for (double x = 1.0; x < 6.3; x += 0.0931)
            CHECK(std::abs(cut.log_density(x) - plain.log_density(x) + log_inside) < 1e-9);
        CHECK(std::isinf(bounds.low) || cut.log_density(bounds.low - 1e-9) == -infinity);
        CHECK(std::isinf(bounds.high) || cut.log_density(bounds.high + 1e-9) == -infinity);
        CHECK(cut.decode(0.0) >= bounds.low && cut.decode(1.0) <= bounds.high);
    }
});

CASE("a tail that is cut far away falls as it did", {
    const PiecewiseCdf plain = place_atoms(smooth(), 1.0, {});
    for (double far : {3.0, 10.0, 1e3, 1e6, 1e12, 1e100, 1e300}) {
        const PiecewiseCdf cut = place_atoms(cut_cdf(smooth(), {-far, far}), 1.0, {});
        CHECK(std::abs(cut.total() - 1.0) < 1e-12);
        CHECK(std::isfinite(cut.log_density(-far)) && cut.log_density(-1.01 * far) == -infinity);
        CHECK(std::isfinite(cut.log_density(-0.7 * far)) && std::isfinite(cut.log_density(0.99 * far)));
        for (double below : {-60.0, -20.0, -5.0, -2.0, 0.0, 8.0, 20.0}) {
            if (std::abs(below) > far) continue;
            const double kept = cut.log_mass_between(-far, below) - cut.log_mass_between(below, far);
            const double was = plain.log_mass_between(-far, below) - plain.log_mass_between(below, far);
            CHECK(std::abs(kept - was) < 0.1 + 0.03 * std::abs(was));
        }
    }
});

CASE("bounds that leave nothing are refused", {
    bool refused = false;
    try {
        cut_cdf(uniform_cdf(0.0, 1.0), {2.0, 3.0});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
});

CHECK_MAIN()
