#include "tests/check.hpp"
#include "tree/density/enough_rows.hpp"

using boxwood::EnoughRows;

CASE("a side has enough rows, or none where some were to be expected", {
    const EnoughRows three(3.0);
    CHECK(three.allows(10.0, 3.0, 0.5));
    CHECK(!three.allows(10.0, 2.0, 0.5));
    CHECK(!three.allows(10.0, 8.0, 0.5));
    CHECK(three.allows(10.0, 0.0, 0.5));   // five rows are missed on the left
    CHECK(three.allows(10.0, 10.0, 0.5));  // and here on the right
    CHECK(!three.allows(10.0, 0.0, 0.4));
    CHECK(!EnoughRows(8.0).allows(20.0, 0.0, 0.3));  // never fewer than a leaf needs
    CHECK(EnoughRows(0.0).allows(10.0, 0.0, 0.01));
});

CASE("criteria that do not see the volume never leave a side empty", {
    for (double least : {0.0, 1.0}) {
        CHECK(!EnoughRows(least, false).allows(10.0, 0.0, 0.9));
        CHECK(!EnoughRows(least, false).allows(10.0, 10.0, 0.1));
        CHECK(EnoughRows(least, false).allows(10.0, 5.0, 0.1));
    }
});

CHECK_MAIN()
