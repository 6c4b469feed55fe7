#include <cmath>

#include "margins/cubic_piece.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

const std::vector<double> ends = {0.5, 0.7, 1.0, 1.3, 2.0};

template <class Body>
void for_each_shape(Body body) {
    for (double left : ends) {
        for (double right : ends) body(EndShape{left, right});
    }
}

}  // namespace

CASE("the fraction rises from 0 to 1 with a density of at least a half", {
    for_each_shape([](EndShape s) {
        CHECK(fraction_left_of(0.0, s) == 0.0 && fraction_left_of(1.0, s) == 1.0 && is_positive(s));
        for (double t = 0.0; t < 1.0; t += 0.01) {
            CHECK(relative_density(t, s) >= 0.5 - 1e-12 && relative_density(t, s) <= 2.0 + 1e-12);
            CHECK(fraction_left_of(t + 0.01, s) > fraction_left_of(t, s));
        }
    });
});

CASE("the density is the derivative, and its mean the difference of fractions", {
    for_each_shape([](EndShape s) {
        for (double t = 0.01; t < 0.98; t += 0.07) {
            const double slope = (fraction_left_of(t + 1e-6, s) - fraction_left_of(t - 1e-6, s)) / 2e-6;
            CHECK(std::abs(slope - relative_density(t, s)) < 1e-8);
            const double difference = fraction_left_of(0.99, s) - fraction_left_of(t, s);
            CHECK(std::abs(difference - (0.99 - t) * mean_density(t, 0.99, s)) < 1e-14);
        }
    });
});

CASE("the inverse undoes the fraction", {
    for_each_shape([](EndShape s) {
        for (double fraction = 0.0; fraction <= 1.0; fraction += 1.0 / 1024) {
            CHECK(std::abs(fraction_left_of(inverse_fraction(fraction, s), s) - fraction) <= 1e-15);
        }
    });
    CHECK(inverse_fraction(-0.1, {}) == 0.0 && inverse_fraction(1.1, {}) == 1.0);
});

CASE("shapes with a density that is not positive are recognised", {
    CHECK(!is_positive({0.0, 1.0}) && !is_positive({1.0, -1.0}) && !is_positive({9.0, 9.0}));
    CHECK(!is_positive({std::nan(""), 1.0}) && !is_positive({1.0, HUGE_VAL}));
});

CASE("end shapes meet in the harmonic mean", {
    const std::vector<double> x = {0.0, 1.0, 3.0};
    const std::vector<double> mass = {0.4, 0.6};  // densities 0.4 and 0.3
    const auto shapes = end_shapes(x, mass);
    const double mean = 2.0 / (1.0 / 0.4 + 1.0 / 0.3);
    CHECK(std::abs(shapes[0].right * 0.4 - mean) < 1e-15 && std::abs(shapes[1].left * 0.3 - mean) < 1e-15);
    CHECK(end_shapes({0.0, 1.0}, {1.0})[0].left == 1.0);
});

CASE("pieces of denormal width beside huge ones have finite shapes", {
    const auto shapes = end_shapes({-1e299, 0.0, 5e-324, 1e-323, 1e299}, {0.1, 0.4, 0.4, 0.1});
    for (EndShape s : shapes) CHECK(is_positive(s) && s.left <= 2.0 && s.right <= 2.0);
});

CASE("the shape of one piece is that among all", {
    const std::vector<double> x = {-1.0, 0.0, 0.1, 3.0, 3.5, 9.0};
    const std::vector<double> mass = {0.1, 0.3, 0.2, 0.35, 0.05};
    for (std::size_t n = 1; n <= mass.size(); ++n) {
        const std::vector<double> knots(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n) + 1);
        const std::vector<double> masses(mass.begin(), mass.begin() + static_cast<std::ptrdiff_t>(n));
        const auto shapes = end_shapes(knots, masses);
        for (std::size_t i = 0; i < n; ++i) {
            const EndShape one = end_shape(knots, masses, i);
            CHECK(one.left == shapes[i].left && one.right == shapes[i].right);
        }
    }
});

CHECK_MAIN()
