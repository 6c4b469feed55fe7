#include <cmath>
#include <limits>
#include <stdexcept>

#include "margins/piecewise_cdf.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A piece, an atom at 1, a piece, both tails.
PiecewiseCdf sample() {
    return PiecewiseCdf({0.0, 1.0, 1.0, 3.0}, {0.2, 0.3, 0.3}, {{0.8, 1.1}, {}, {1.2, 0.9}}, 0.1, 2.0, 0.1,
                        0.5);
}

template <class Body>
bool is_refused(Body body) {
    try {
        body();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

bool is_refused_pieces(std::vector<double> x, std::vector<double> mass, EndShape shape = {},
                       double tail = 0.1, double rate = 1.0) {
    return is_refused([&] {
        const std::vector<EndShape> shapes(mass.size(), shape);
        PiecewiseCdf(std::move(x), std::move(mass), shapes, tail, rate, tail, rate);
    });
}

}  // namespace

CASE("encoding and decoding undo each other", {
    const auto cdf = sample();
    for (double u = 0.001; u < 1.0; u += 0.001) {
        const double x = cdf.decode(u);
        if (x == 1.0) {
            CHECK(u >= 0.3 - 1e-12 && u <= 0.6 + 1e-12);
        } else {
            CHECK(std::abs(cdf.encode(x) - u) < 1e-14);
        }
    }
    CHECK(std::abs(cdf.encode(1.0) - 0.45) < 1e-15);
});

CASE("the ends: u stays below the total, decoded values stay finite", {
    const auto cdf = sample();
    CHECK(cdf.encode(1e300) < 1.0 && cdf.encode(-1e300) == 0.0);
    for (double u : {-1.0, 0.0, 1.0, 2.0}) CHECK(std::isfinite(cdf.decode(u)));
});

CASE("masses between bounds add up, with atoms on the side of the upper interval", {
    const auto cdf = sample();
    CHECK(std::abs(std::exp(cdf.log_mass_between(-infinity, infinity)) - 1.0) < 1e-14);
    CHECK(std::abs(std::exp(cdf.log_mass_between(0.0, 1.0)) - 0.2) < 1e-15);
    CHECK(std::abs(std::exp(cdf.log_mass_between(1.0, 3.0)) - 0.6) < 1e-15);
    CHECK(std::abs(std::exp(cdf.log_mass_between(1.0, std::nextafter(1.0, 2.0))) - 0.3) < 1e-15);
    CHECK(cdf.log_mass_between(2.0, 2.0) == -infinity && cdf.log_mass_between(3.0, 2.0) == -infinity);
    for (double low = -3.0; low < 6.0; low += 0.37) {
        for (double high = low + 0.1; high < 8.0; high += 0.71) {
            const double difference = cdf.below(high) - cdf.below(low);
            CHECK(std::abs(std::exp(cdf.log_mass_between(low, high)) - difference) < 1e-14);
        }
    }
});

CASE("far out the logarithm of a mass does not underflow", {
    const auto cdf = sample();
    CHECK(std::abs(cdf.log_mass_between(4000.0, 4001.0) -
                   (std::log(0.1) - 0.5 * 3997 + std::log1p(-std::exp(-0.5)))) < 1e-9);
    CHECK(std::isfinite(cdf.log_mass_between(-5000.0, -4999.0)));
});

CASE("a narrow part of a wide piece keeps its digits", {
    const PiecewiseCdf cdf({0.0, 0x1p50}, {1.0}, {{}}, 0.0, 0.0, 0.0, 0.0);
    CHECK(std::abs(cdf.log_mass_between(0x1p49, 0x1p49 + 1.0) + 50.0 * std::log(2.0)) < 1e-13);
});

CASE("the log-density is the derivative, and an atom's the logarithm of its mass", {
    const auto cdf = sample();
    for (double x : {-1.0, -0.1, 0.2, 0.9, 1.5, 2.9, 3.5, 9.0}) {
        const double slope = (cdf.encode(x + 1e-6) - cdf.encode(x - 1e-6)) / 2e-6;
        CHECK(std::abs(std::exp(cdf.log_density(x)) - slope) < 1e-7);
    }
    CHECK(std::abs(cdf.log_density(1.0) - std::log(0.3)) < 1e-15);
});

CASE("without tails there is nothing beyond the ends", {
    const PiecewiseCdf cdf({0.0, 1.0}, {1.0}, {{}}, 0.0, 0.0, 0.0, 0.0);
    CHECK(cdf.log_density(-0.1) == -infinity && cdf.log_density(1.1) == -infinity);
    CHECK(cdf.log_density(1.0) == 0.0 && cdf.encode(2.0) < 1.0 && cdf.decode(1.0) == 1.0);
    CHECK(std::abs(cdf.log_mass_between(-infinity, infinity)) < 1e-15);
});

CASE("a piece without mass has no density, and no u decodes into it", {
    const PiecewiseCdf cdf({0.0, 1.0, 2.0, 3.0}, {0.5, 0.0, 0.5}, {EndShape{}, EndShape{}, EndShape{}}, 0.0,
                           0.0, 0.0, 0.0);
    CHECK(cdf.log_density(1.5) == -infinity);
    CHECK(std::abs(cdf.log_density(0.5) - std::log(0.5)) < 1e-15);
    CHECK(cdf.encode(1.2) == 0.5 && cdf.encode(1.8) == 0.5);
    for (double u : {0.0, 0.2, 0.499, 0.5, 0.501, 1.0}) {
        const double x = cdf.decode(u);
        CHECK(x <= 1.0 || x >= 2.0);
    }
});

CASE("what is no CDF is refused", {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(!is_refused_pieces({0.0, 1.0}, {0.8}));
    CHECK(is_refused_pieces({}, {}));
    CHECK(is_refused_pieces({0.0, 1.0, 2.0}, {0.8}));
    CHECK(is_refused_pieces({1.0, 0.0}, {0.8}));
    CHECK(is_refused_pieces({0.0, nan}, {0.8}));
    CHECK(is_refused_pieces({0.0, infinity}, {0.8}));
    CHECK(is_refused_pieces({-1.7e308, 1.7e308}, {0.8}));
    CHECK(is_refused_pieces({0.0, 0.0, 0.0}, {0.4, 0.4}));
    for (double mass : {-0.1, 1.1, nan}) CHECK(is_refused_pieces({0.0, 1.0}, {mass}));
    for (double end : {0.0, -1.0, 9.0, nan, infinity})
        CHECK(is_refused_pieces({0.0, 1.0}, {0.8}, {end, 9.0}));
    for (double tail : {-0.1, 1.0, nan}) CHECK(is_refused_pieces({0.0, 1.0}, {0.8}, {}, tail));
    for (double rate : {0.0, -1.0, nan, infinity}) CHECK(is_refused_pieces({0.0, 1.0}, {0.8}, {}, 0.1, rate));
    CHECK(is_refused_pieces({0.0, 1.0}, {0.9}));
});

CHECK_MAIN()
