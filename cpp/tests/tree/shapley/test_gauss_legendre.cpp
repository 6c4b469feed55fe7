#include <cmath>

#include "tests/check.hpp"
#include "tree/shapley/gauss_legendre.hpp"

using namespace boxwood;

CASE("powers up to 2n − 1 are integrated exactly", {
    for (std::size_t n = 1; n <= 40; ++n) {
        const Quadrature rule = gauss_legendre(n);
        for (std::size_t power = 0; power < 2 * n; ++power) {
            double sum = 0.0;
            for (std::size_t k = 0; k < n; ++k)
                sum += rule.weights[k] * std::pow(rule.points[k], static_cast<double>(power));
            CHECK(std::abs(sum - 1.0 / static_cast<double>(power + 1)) < 1e-13);
        }
    }
});

CASE("points lie inside and weights are positive", {
    const Quadrature rule = gauss_legendre(100);
    for (std::size_t k = 0; k < 100; ++k)
        CHECK(rule.points[k] > 0.0 && rule.points[k] < 1.0 && rule.weights[k] > 0.0);
});

CHECK_MAIN()
