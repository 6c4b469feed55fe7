#include <cmath>

#include "tests/check.hpp"
#include "tests/tree/small_tree.hpp"
#include "tree/box.hpp"

using boxwood::Box;

namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-14; }

}  // namespace

CASE("the whole cube", {
    const auto columns = small_columns();
    const Box box(columns);
    CHECK(box.n_columns() == 3);
    CHECK(close(box.volume(), 1.0));
    CHECK(box.n_bins(0) == 4 && box.n_bins(1) == 3 && box.n_bins(2) == 5);
    CHECK(box.categorical(2) && !box.categorical(0));
    CHECK(box.bin(2, 4) == 4);
    CHECK(close(box.width_of_bins(0, 1, 3), 0.5));
});

CASE("halves of halves", {
    const auto columns = small_columns();
    const auto tree = small_tree();
    const Box root(columns);
    const Box left = root.child(tree, tree.nodes[0], true);
    const Box right = root.child(tree, tree.nodes[0], false);
    CHECK(close(left.width(0), 0.4) && close(right.width(0), 0.6));
    CHECK(right.low(0) == 2 && right.high(0) == 4 && right.bin(0, 1) == 3);
    const Box chosen = left.child(tree, tree.nodes[1], true);
    const Box others = left.child(tree, tree.nodes[1], false);
    CHECK(chosen.members(2) == (std::vector<std::uint32_t>{1, 4}));
    CHECK(others.members(2) == (std::vector<std::uint32_t>{0, 2, 3}));
    CHECK(close(chosen.width(2), 0.2) && close(others.width(2), 0.8));
    CHECK(close(chosen.width_of_bins(2, 1, 2), 0.1));
    const Box low = others.child(tree, tree.nodes[4], true);
    const Box high = others.child(tree, tree.nodes[4], false);
    CHECK(close(low.volume(), 0.4 * 0.5 * 0.8));
    CHECK(close(low.log_volume(), std::log(low.volume())));
    CHECK(close(right.volume() + chosen.volume() + low.volume() + high.volume(), 1.0));
    Box used = high;  // room that is used again
    used.take_child(left, tree, tree.nodes[1], false);
    CHECK(used.members(2) == others.members(2) && used.low(0) == others.low(0) &&
          used.width(2) == others.width(2));
    used.take_child(used, tree, tree.nodes[4], true);
    CHECK(used.volume() == low.volume());
});

CHECK_MAIN()
