#include <cmath>

#include "mixture/gaussian/gaussian_moments.hpp"
#include "tests/check.hpp"

using boxwood::GaussianMoments;
using boxwood::moments_inside;
using boxwood::pooled_moments;

namespace {

// The same by a sum over a fine grid.
GaussianMoments slowly(const GaussianMoments& g, double low, double high) {
    const int n = 200000;
    double mass = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < n; ++i) {
        const double x = low + (high - low) * (i + 0.5) / n;
        const double w = std::exp(-0.5 * (x - g.mean) * (x - g.mean) / g.variance);
        mass += w;
        sum += w * x;
        squares += w * x * x;
    }
    const double mean = sum / mass;
    return {mean, squares / mass - mean * mean};
}

}  // namespace

CASE("rows in one place say nothing of a deviation, whatever rounding leaves of it", {
    for (const double variance : {0.0, 1e-33, 1e-17}) {
        const GaussianMoments got = moments_inside({0.62, variance}, 0.0, 1.0);
        CHECK(got.mean == 0.5);
        CHECK(std::abs(got.variance - 1.0 / 12.0) < 1e-15);
    }
    CHECK(std::abs(moments_inside({0.62, 1e-8}, 0.0, 1.0).mean - 0.62) < 1e-6);
});

CASE("moments of a Gaussian inside an interval", {
    for (double mean : {-0.1, 0.3, 0.5, 1.2}) {
        for (double deviation : {0.1, 0.3, 1.0}) {
            const GaussianMoments g{mean, deviation * deviation};
            for (double low : {0.0, 0.2, 0.6}) {
                const GaussianMoments got = moments_inside(g, low, low + 0.4);
                const double apart = std::max({low - mean, mean - low - 0.4, 0.0}) / deviation;
                if (apart > 4.0) continue;  // next to no mass: uniform
                const GaussianMoments expected = slowly(g, low, low + 0.4);
                CHECK(std::abs(got.mean - expected.mean) < 1e-7);
                CHECK(std::abs(got.variance - expected.variance) < 1e-7);
            }
        }
    }
});

CASE("where a Gaussian has no mass or no curvature its moments are those of the interval", {
    for (const GaussianMoments& g :
         {GaussianMoments{0.0, 1e-4}, GaussianMoments{0.5, 1e8}, GaussianMoments{0.5, 0.0}}) {
        const GaussianMoments got = moments_inside(g, 0.6, 0.8);
        CHECK(std::abs(got.mean - 0.7) < 1e-12);
        CHECK(std::abs(got.variance - 0.04 / 12.0) < 1e-12);
    }
});

CASE("pooled moments are those of all rows together", {
    // Rows 0 and 2, and one more at 4 with variance 3.
    const GaussianMoments got = pooled_moments({1.0, 1.0}, 2.0, {4.0, 3.0}, 1.0);
    CHECK(std::abs(got.mean - 2.0) < 1e-12);
    CHECK(std::abs(got.variance - (4.0 + 0.0 + 4.0 + 3.0) / 3.0) < 1e-12);
    CHECK(pooled_moments({1.0, 1.0}, 0.0, {4.0, 3.0}, 0.0).mean == 4.0);
});

CHECK_MAIN()
