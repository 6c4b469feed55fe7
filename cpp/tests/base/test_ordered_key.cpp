#include <cmath>
#include <limits>
#include <vector>

#include "base/ordered_key.hpp"
#include "tests/check.hpp"

using boxwood::from_ordered_key;
using boxwood::ordered_key;

CASE("keys keep the order of doubles", {
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> ascending = {-inf, -1e308, -1.0, -5e-324, 0.0, 5e-324, 1e-300, 1.0, 1e308, inf};
    for (std::size_t i = 1; i < ascending.size(); ++i) {
        CHECK(ordered_key(ascending[i - 1]) < ordered_key(ascending[i]));
    }
});

CASE("a key gives its double back, and the two zeros are one", {
    for (double value : {-1e308, -2.5, 0.0, 5e-324, 3.25, 1e308}) {
        CHECK(from_ordered_key(ordered_key(value)) == value);
    }
    CHECK(ordered_key(-0.0) == ordered_key(0.0));
    CHECK(!std::signbit(from_ordered_key(ordered_key(-0.0))));
});

CHECK_MAIN()
