#include "boxwood/gap_cuts.hpp"
#include "check.hpp"

using boxwood::cuts_of_gap;
using boxwood::GapCuts;

namespace {

// 128 even cells.
GapCuts even(std::size_t begin, std::size_t end, double left, double right) {
    return cuts_of_gap(begin, end, left, right, [](std::size_t k) { return static_cast<double>(k) / 128.0; });
}

bool is(const GapCuts& cuts, std::size_t begin, std::size_t end) {
    return cuts.begin == begin && cuts.end == end;
}

}  // namespace

CASE("cuts are one spacing away from the rows of either side", {
    CHECK(is(even(32, 96, 8.0, 4.0), 36, 89));  // spacings of four and eight cells
    CHECK(is(even(32, 96, 0.5, 32.0), 64, 96));
});

CASE("in a narrow gap they are halfway", {
    CHECK(is(even(32, 40, 1.0, 1.0), 36, 37));
    CHECK(is(even(32, 40, 1.0, 88.0), 36, 40));
    CHECK(is(even(32, 32, 3.0, 3.0), 32, 33));
});

CASE("where no knot is halfway, those next to it are cuts", {
    CHECK(is(even(32, 33, 1.0, 1.0), 32, 34));
    CHECK(is(even(32, 35, 1.0, 1.0), 33, 35));
});

CASE("an empty margin is cut one spacing before the rows begin, if at all", {
    CHECK(is(even(0, 64, 0.0, 16.0), 1, 61));
    CHECK(even(0, 64, 0.0, 1.0).empty());
    CHECK(even(0, 0, 0.0, 1.0).empty());
    CHECK(is(even(64, 128, 16.0, 0.0), 68, 128));
    CHECK(even(64, 128, 1.0, 0.0).empty());
    CHECK(even(128, 128, 1.0, 0.0).empty());
});

CHECK_MAIN()
