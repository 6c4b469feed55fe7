#include <cmath>

#include "base/normal_distribution.hpp"
#include "tests/check.hpp"

using boxwood::normal_cdf;
using boxwood::normal_mass;
using boxwood::NormalInterval;

CASE("known values", {
    CHECK(std::abs(normal_cdf(0.0) - 0.5) < 1e-16);
    CHECK(std::abs(normal_cdf(1.959963984540054) - 0.975) < 1e-15);
    CHECK(std::abs(NormalInterval(-40.0, 40.0).quantile(0.975) - 1.959963984540054) < 1e-12);
    CHECK(std::abs(normal_mass(9.0, 9.5) / 1.11809389088e-19 - 1.0) < 1e-9);
});

CASE("a quantile has the mass below it, in the middle and in both tails", {
    for (double a : {-30.0, -9.0, -2.0, -0.3, 0.1, 4.0, 8.0}) {
        for (double width : {0.01, 0.5, 3.0, 20.0}) {
            const double b = a + width;
            double last = a;
            for (double fraction : {0.0, 0.01, 0.3, 0.5, 0.77, 0.999}) {
                const double z = NormalInterval(a, b).quantile(fraction);
                CHECK(z >= last && z <= b);
                last = z;
                if (normal_mass(a, b) < 1e-290) continue;
                CHECK(std::abs(normal_mass(a, z) / normal_mass(a, b) - fraction) < 1e-9);
            }
        }
    }
});

CHECK_MAIN()
