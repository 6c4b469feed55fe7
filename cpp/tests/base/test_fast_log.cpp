#include <cmath>
#include <random>

#include "base/fast_log.hpp"
#include "tests/check.hpp"

using boxwood::fast_log;

namespace {

// Absolute where the logarithm is small, else relative.
bool is_close(double x) {
    const double expected = std::log(x);
    return std::abs(fast_log(x) - expected) <= 1e-15 * std::max(1.0, std::abs(expected));
}

}  // namespace

CASE("the logarithm of any normal number", {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(-1022.0, 1023.0);
    std::uniform_real_distribution<double> near(0.5, 2.0);
    for (int i = 0; i < 200000; ++i) {
        CHECK(is_close(std::exp2(exponent(random))));
        CHECK(is_close(near(random)));
    }
});

CASE("counts, fractions and the edges of the table's stretches", {
    for (int n = 1; n < 100000; ++n) CHECK(is_close(n));
    for (int n = 1; n < 1000; ++n) CHECK(is_close(n / 1000.0));
    for (int i = 0; i <= 128; ++i) {
        const double edge = 1.0 + i / 128.0;
        for (double x : {edge, std::nextafter(edge, 0.0), std::nextafter(edge, 3.0)}) CHECK(is_close(x));
    }
    CHECK(std::abs(fast_log(1.0)) <= 1e-16);
    CHECK(is_close(2.2250738585072014e-308));
    CHECK(is_close(1.7976931348623157e308));
});

CASE("it ascends", {
    double before = fast_log(0.9);
    for (double x = 0.9; x < 1.1; x += 1e-6) {
        CHECK(fast_log(x) >= before - 1e-15);
        before = fast_log(x);
    }
});

CHECK_MAIN()
