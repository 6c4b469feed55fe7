#include <cmath>
#include <vector>

#include "base/log_gamma.hpp"
#include "tests/check.hpp"

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

CASE("many at once are the same to the bit, by every instruction set", {
    std::vector<double> arguments = {8.0, std::nextafter(8.0, 0.0), 1.0, 2.0, 1e-300, 7.5};
    for (double x = 1e-20; x < 1e15; x *= 1.7) arguments.push_back(x);
    for (std::size_t kernel = 0; kernel < boxwood::n_log_gammas_kernels(); ++kernel) {
        for (std::size_t n : {std::size_t{0}, std::size_t{5}, std::size_t{64}, arguments.size()}) {
            std::vector<double> out = arguments;
            boxwood::log_gammas_by(kernel, out.data(), n);
            for (std::size_t i = 0; i < out.size(); ++i)
                CHECK(out[i] == (i < n ? log_gamma(arguments[i]) : arguments[i]));
        }
    }
});

CHECK_MAIN()
