#include <cmath>

#include "base/log_gamma.hpp"
#include "tests/check.hpp"

using boxwood::log_beta;
using boxwood::log_gamma;

namespace {

bool is_near(double a, double b, double relative) {
    return std::abs(a - b) <= relative * std::max(1.0, std::abs(b));
}

}  // namespace

CASE("it is the C library's over all sizes that counts have", {
    for (double x = 1e-3; x < 1e15; x *= 1.07) CHECK(is_near(log_gamma(x), std::lgamma(x), 2e-14));
});

CASE("factorials are exact to rounding", {
    double factorial = 1.0;
    for (int n = 1; n < 20; ++n) {
        CHECK(is_near(log_gamma(n), std::log(factorial), 2e-14));
        factorial *= n;
    }
});

CASE("log_beta is symmetric and that of one is a reciprocal", {
    CHECK(log_beta(3.0, 5.5) == log_beta(5.5, 3.0));
    CHECK(is_near(log_beta(1.0, 7.0), -std::log(7.0), 1e-13));
});

CHECK_MAIN()
