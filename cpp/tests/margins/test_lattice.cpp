#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "margins/lattice/lattice.hpp"
#include "margins/lattice/unseen_mass.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

bool is_refused(double origin, double step) {
    try {
        const Lattice lattice(origin, step);
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("decimals come back to the last bit", {
    const Lattice tenths(0.0, 0.1);
    CHECK(tenths.place(0.3) == 3.0 && tenths.point(3.0) == 0.3 && tenths.point(-7.0) == -0.7);
    CHECK(tenths.holds(0.3, 3.0) && !tenths.holds(0.31, 3.0));
    const Lattice thirds(0.0, 1.0 / 3.0);
    CHECK(thirds.holds(100.0 / 3.0, 100.0) && std::abs(thirds.point(100.0) - 100.0 / 3.0) < 1e-13);
});

CASE("a value in single precision is its point", {
    const Lattice tenths(0.0, 0.1);
    const double single = static_cast<double>(100.3F);
    CHECK(single != 100.3 && tenths.holds(single, tenths.place(single)));
});

CASE("halves go up, so that every point has as many integers around it", {
    const Lattice even(0.0, 2.0);
    for (double k = -9.0; k < 9.0; k += 1.0) {
        int n = 0;
        for (double x = -50.0; x <= 50.0; x += 1.0) n += even.place(x) == k ? 1 : 0;
        CHECK(n == 2);
    }
    CHECK(Lattice(0.0, 1e-310).place(1e300) == 1e300);
});

CASE("what is no lattice is refused", {
    CHECK(is_refused(std::numeric_limits<double>::quiet_NaN(), 1.0) && is_refused(0.0, 0.0));
    CHECK(is_refused(0.0, std::numeric_limits<double>::infinity()) && is_refused(0.0, -1.0));
});

CASE("the unseen mass is that of Good and Turing", {
    CHECK(unseen_mass({1.0, 1.0, 5.0, 3.0}) == 3.0 / 12.0);
    CHECK(unseen_mass({}) == 0.5 && is_once(1.2) && !is_once(2.0));
});

CHECK_MAIN()
