#include "tests/check.hpp"
#include "tree/density/split_finders/gap_thresholds.hpp"

using boxwood::Gap;
using boxwood::GapThresholds;

namespace {

// In a box of 128 even bins.
GapThresholds even(std::uint32_t begin, std::uint32_t end, double left, double right) {
    const Gap gap{begin, end, 0, 128, left, right};
    const double a_bin = (left + right) / 128.0;
    return gap.candidates(a_bin * begin, a_bin * end);
}

bool is(const GapThresholds& candidates, std::uint32_t begin, std::uint32_t end) {
    return candidates.begin == begin && candidates.end == end;
}

}  // namespace

CASE("thresholds are one spacing away from the rows of the denser side", {
    CHECK(is(even(32, 96, 1.0, 16.0), 32, 95));  // a spacing of two bins
    CHECK(is(even(32, 96, 16.0, 1.0), 34, 97));
    CHECK(is(even(32, 96, 8.0, 8.0), 36, 93));  // neither is: four bins from either
});

CASE("or halfway, rounded away from them", {
    CHECK(is(even(32, 40, 0.1, 1.0), 32, 37));
    CHECK(is(even(32, 40, 4.0, 1.0), 36, 41));
    CHECK(is(even(32, 37, 4.0, 1.0), 35, 38));
    CHECK(is(even(32, 33, 4.0, 1.0), 33, 34));
    CHECK(is(even(32, 33, 1.0, 40.0), 32, 33));
    CHECK(is(even(63, 64, 1.0, 1.0), 63, 65));
    CHECK(is(even(32, 32, 3.0, 3.0), 32, 33));
});

CASE("an empty margin is split one spacing before the rows begin, if at all", {
    CHECK(is(even(0, 64, 0.0, 16.0), 1, 61));
    CHECK(even(0, 64, 0.0, 1.0).empty());
    CHECK(even(0, 0, 0.0, 1.0).empty());
    CHECK(is(even(64, 128, 16.0, 0.0), 68, 128));
    CHECK(even(64, 128, 1.0, 0.0).empty());
    CHECK(even(128, 128, 1.0, 0.0).empty());
});

CHECK_MAIN()
