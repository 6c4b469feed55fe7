#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "tests/check.hpp"
#include "tests/tree/small_tree.hpp"
#include "tree/tree.hpp"

using boxwood::BinEdges;
using boxwood::Tree;

namespace {

bool is_refused_after(const std::function<void(Tree&)>& change) {
    Tree tree = small_tree();
    change(tree);
    try {
        boxwood::check_tree(tree, small_columns());
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("leaves are numbered in the order of the nodes", {
    const Tree tree = small_tree();
    CHECK(tree.n_leaves == 4);
    CHECK(tree.nodes[2].leaf == 0);
    CHECK(tree.nodes[3].leaf == 1);
    CHECK(tree.nodes[5].leaf == 2);
    CHECK(tree.nodes[6].leaf == 3);
});

CASE("a row of bins finds its leaf", {
    const Tree tree = small_tree();
    const std::vector<BinEdges> columns = small_columns();
    const auto leaf = [&](std::uint16_t a, std::uint16_t b, std::uint16_t c) {
        const std::uint16_t bins[] = {a, b, c};
        return boxwood::find_leaf(tree, columns, bins);
    };
    CHECK(leaf(2, 0, 0) == 2);
    CHECK(leaf(3, 2, 4) == 2);
    CHECK(leaf(0, 2, 1) == 3);
    CHECK(leaf(1, 0, 4) == 3);
    CHECK(leaf(1, 0, 0) == 5);
    CHECK(leaf(0, 1, 3) == 6);
});

CASE("a good tree passes", { CHECK(!is_refused_after([](Tree&) {})); });

CASE("what is no tree is refused", {
    const double nan = std::nan("");
    CHECK(is_refused_after([](Tree& t) { t.nodes.clear(); }));
    CHECK(is_refused_after([](Tree& t) { t.nodes.pop_back(); }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[0].left = 6; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[0].left = 0xffffffffu; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[0].left = 0; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[4].left = 0; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[1].left = 1; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[1].left = 2; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[0].left = 5; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[1].feature = 3; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[1].feature = 0x7fffffff; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[1].feature = -1; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[0].threshold = 0; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[0].threshold = 4; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[0].threshold = 0xffffffffu; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[1].threshold = 1; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[1].threshold = 0xffffffffu; }));
    CHECK(is_refused_after([](Tree& t) { t.words_per_set = 0; }));
    CHECK(is_refused_after([](Tree& t) { t.sets.clear(); }));
    CHECK(is_refused_after([](Tree& t) { t.sets[0] = 0; }));
    CHECK(is_refused_after([](Tree& t) { t.sets[0] = 0b11111; }));
    CHECK(is_refused_after([](Tree& t) { t.sets[0] = 0b100000; }));
    CHECK(is_refused_after([](Tree& t) { t.n_leaves = 5; }));
    CHECK(is_refused_after([=](Tree& t) { t.nodes[5].mass = nan; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[5].mass = -0.125; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[5].mass = 0.2; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[5].mass = std::numeric_limits<double>::infinity(); }));
    CHECK(is_refused_after([=](Tree& t) { t.nodes[5].count = nan; }));
    CHECK(is_refused_after([](Tree& t) { t.nodes[5].count = -1.0; }));
    CHECK(is_refused_after([](Tree& t) {
        for (boxwood::TreeNode& node : t.nodes) node.mass *= 0.5;
    }));
});

CASE("a node that splits a part of the box that is not its own is refused", {
    Tree tree = small_tree();
    tree.nodes[4].feature = 0;  // its box has the bins 0 and 1 there
    tree.nodes[4].threshold = 3;
    bool refused = false;
    try {
        boxwood::check_tree(tree, small_columns());
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
    tree.nodes[4].threshold = 1;
    boxwood::check_tree(tree, small_columns());
});

CHECK_MAIN()
