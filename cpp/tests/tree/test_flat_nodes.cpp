#include <stdexcept>

#include "tests/check.hpp"
#include "tests/tree/small_tree.hpp"
#include "tree/flat_nodes.hpp"

using boxwood::FlatNodes;
using boxwood::Tree;
using boxwood::unflatten_nodes;

CASE("trees stand one after another, and leaves hold zeros", {
    Tree tree = small_tree();
    tree.nodes[2].left = 77;  // as pruning leaves them
    tree.nodes[2].threshold = 5;
    FlatNodes flat;
    flat.reserve(14);
    flat.add(tree);
    flat.add(small_tree());
    CHECK((flat.start == std::vector<std::int64_t>{0, 7, 14}));
    for (std::size_t k = 0; k < 14; ++k) {
        const auto& node = tree.nodes[k % 7];
        CHECK(flat.feature[k] == node.feature && flat.count[k] == node.count);
        CHECK(flat.left[k] == (node.is_leaf() ? 0 : node.left));
        CHECK(flat.threshold[k] == (node.is_leaf() ? 0 : node.threshold));
    }
});

CASE("a tree comes back from its nodes", {
    FlatNodes flat;
    flat.add(small_tree());
    const Tree made = unflatten_nodes(flat.feature, flat.left);
    CHECK(made.nodes.size() == 7);
    for (std::size_t i = 0; i < 7; ++i)
        CHECK(made.nodes[i].feature == flat.feature[i] && made.nodes[i].left == flat.left[i]);
});

CASE("malformed nodes are refused", {
    const auto refused = [](const std::vector<std::int32_t>& feature,
                            const std::vector<std::uint32_t>& left) {
        try {
            unflatten_nodes(feature, left);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(!refused({0, -1, -1}, {1, 0, 0}));
    CHECK(refused({0, -1, -1}, {1, 0}));
    CHECK(refused({0, -1, -1}, {0, 0, 0}));  // a child of itself
    CHECK(refused({0, -1, -1}, {2, 0, 0}));  // its right child is not there
    CHECK(refused({0, -1, -1}, {0xffffffffu, 0, 0}));
});

CHECK_MAIN()
