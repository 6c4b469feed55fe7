#include <cmath>

#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/grow_box.hpp"
#include "tree/density/split.hpp"

using boxwood::GrowBox;
using boxwood::Split;

CASE("the whole cube can be split where a column has two bins", {
    SmallTable table(5, 2, 1, 1);
    table.columns[1] = {{0.0, 1.0}};
    for (std::size_t i = 0; i < 5; ++i) table.bins[i * 3 + 1] = 0;
    const auto data = table.data();
    const GrowBox box = GrowBox::whole(data);
    CHECK(box.can_split(data, 0) && !box.can_split(data, 1) && box.can_split(data, 2));
    CHECK(box.volume == 1.0);
    CHECK(box.ranges[2].members.size() == 5);
    const SmallTable exact(5, 1, 0, 1, true);
    CHECK(GrowBox::whole(exact.data()).can_split(exact.data(), 0));
});

CASE("aspects are ratios of the largest width to the smallest", {
    const SmallTable table(5, 3, 0, 1);
    GrowBox box = GrowBox::whole(table.data());
    CHECK(box.aspect_with(0, 0.25) == 4.0);
    box.ranges[1].width = 0.5;
    CHECK(box.aspect_with(0, 0.25) == 4.0);
    CHECK(box.aspect_with(2, 1.0) == 2.0);
    box.ranges[2].width = 0.5;
    CHECK(box.aspect_with(0, 0.5) == 1.0);
});

CASE("halves of a split share its volume", {
    const SmallTable table(20, 1, 1, 1);
    const auto data = table.data();
    const GrowBox box = GrowBox::whole(data);
    Split split;
    split.feature = 0;
    split.threshold_bin = 4;
    split.left_fraction = 0.3;
    const GrowBox left = boxwood::box_of_half(data, box, split, true);
    const GrowBox right = boxwood::box_of_half(data, box, split, false);
    CHECK(left.ranges[0].high == 4 && right.ranges[0].low == 4);
    CHECK(left.volume == 0.3 && right.volume == 0.7);
    CHECK(left.ranges[0].width == 0.3 && left.ranges[1].width == 1.0);
    split.feature = 1;
    split.left_bins = {0, 3};
    CHECK(boxwood::box_of_half(data, box, split, true).ranges[1].members ==
          (std::vector<std::uint32_t>{0, 3}));
    CHECK(boxwood::box_of_half(data, box, split, false).ranges[1].members ==
          (std::vector<std::uint32_t>{1, 2, 4}));
});

CHECK_MAIN()
