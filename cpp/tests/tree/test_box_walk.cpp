#include <utility>
#include <vector>

#include "tests/check.hpp"
#include "tests/tree/small_tree.hpp"
#include "tree/box_walk.hpp"

using boxwood::Box;
using boxwood::BoxWalk;
using boxwood::Tree;

namespace {

// The obvious walk: a copy of its parent's box for every node.
void copied_boxes(const Tree& tree, std::uint32_t at, const Box& box,
                  std::vector<std::pair<std::uint32_t, Box>>& out) {
    out.emplace_back(at, box);
    const auto& node = tree.nodes[at];
    if (node.is_leaf()) return;
    for (std::uint32_t side : {0u, 1u})
        copied_boxes(tree, node.left + side, box.child(tree, node, side == 0), out);
}

bool equal(const Box& a, const Box& b) {
    for (std::size_t j = 0; j < a.n_columns(); ++j) {
        if (a.width(j) != b.width(j) || a.n_bins(j) != b.n_bins(j)) return false;
        for (std::size_t k = 0; k < a.n_bins(j); ++k) {
            if (a.bin(j, k) != b.bin(j, k)) return false;
        }
    }
    return true;
}

}  // namespace

CASE("a walk shows the boxes that copies show, in their order", {
    const auto columns = small_columns();
    const auto tree = small_tree();
    std::vector<std::pair<std::uint32_t, Box>> expected;
    copied_boxes(tree, 0, Box(columns), expected);
    std::size_t n = 0;
    std::size_t n_changes = 0;
    BoxWalk(tree, columns)
        .for_each_node(
            [&](std::uint32_t at, const Box& box) {
                CHECK(n < expected.size() && expected[n].first == at && equal(expected[n].second, box));
                ++n;
            },
            [&](std::size_t column) {
                CHECK(column < columns.size());
                ++n_changes;
            });
    CHECK(n == expected.size() && n == tree.nodes.size());
    CHECK(n_changes == 2 * (n - 1));  // down into every node but the root, and up again
    std::size_t n_leaves = 0;
    BoxWalk(tree, columns).for_each_leaf([&](std::uint32_t at, const Box&) {
        CHECK(tree.nodes[at].is_leaf());
        ++n_leaves;
    });
    CHECK(n_leaves == tree.n_leaves);
});

CASE("a tree of one leaf", {
    const auto columns = small_columns();
    Tree tree;
    tree.nodes.resize(1);
    tree.nodes[0].feature = -1;
    std::size_t n = 0;
    BoxWalk(tree, columns).for_each_leaf([&](std::uint32_t at, const Box& box) {
        CHECK(at == 0 && equal(box, Box(columns)));
        ++n;
    });
    CHECK(n == 1);
});

CHECK_MAIN()
