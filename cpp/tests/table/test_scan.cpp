#include <limits>
#include <vector>

#include "table/scan.hpp"
#include "tests/check.hpp"

using boxwood::scan_values;
using boxwood::Strided;

CASE("a clean column has nothing to report", {
    const std::vector<double> values(10'000, 0x1.fffffffffffffp996);
    const auto scan = scan_values({values.data(), values.size(), 1});
    CHECK(scan.n_missing == 0 && scan.first_missing == -1 && scan.first_oversized == -1);
});

CASE("missing and oversized values are found wherever they stand", {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    for (std::size_t n : {1u, 5u, 4096u, 4097u, 9001u}) {
        for (std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
            for (std::ptrdiff_t stride : {1, 2}) {
                std::vector<double> values(2 * n, 0.5);
                double& odd_one = values[static_cast<std::size_t>(stride) * at];
                odd_one = nan;
                auto scan = scan_values(Strided{values.data(), n, stride});
                CHECK(scan.n_missing == 1 && scan.first_missing == static_cast<std::int64_t>(at));
                CHECK(scan.first_oversized == -1);
                for (double bad : {inf, -inf, 1e308, -0x1p997}) {
                    odd_one = bad;
                    scan = scan_values(Strided{values.data(), n, stride});
                    CHECK(scan.n_missing == 0);
                    CHECK(scan.first_oversized == static_cast<std::int64_t>(at));
                }
            }
        }
    }
});

CHECK_MAIN()
