#include "mixture/leaf_walk.hpp"
#include "tests/check.hpp"
#include "tests/tree/small_tree.hpp"

using boxwood::Box;
using boxwood::LeafKind;
using boxwood::Leaves;
using boxwood::TreeNode;

namespace {

Leaves leaves_of(LeafKind kind, std::size_t n_leaves, std::size_t n_columns) {
    Leaves leaves;
    leaves.kind = kind;
    leaves.n_leaf_bins = kind == LeafKind::histogram ? 3 : 0;
    for (std::size_t i = 0; i < n_leaves * n_columns; ++i) {
        for (std::size_t b = 0; b < leaves.n_leaf_bins; ++b)
            leaves.quantised.push_back(static_cast<std::uint8_t>(255 - 16 * ((i * 3 + b) * 5 % 7)));
        leaves.mean.push_back(0.1f * static_cast<float>(i % 8));
        leaves.deviation.push_back(0.05f + 0.1f * static_cast<float>(i % 3));
    }
    return leaves;
}

}  // namespace

CASE("a walk knows what every piece integrates to, to the bit", {
    const auto columns = small_columns();
    const auto tree = small_tree();
    for (LeafKind kind : {LeafKind::uniform, LeafKind::histogram, LeafKind::gaussian}) {
        const Leaves leaves = leaves_of(kind, tree.n_leaves, columns.size());
        std::size_t n = 0;
        boxwood::LeafWalk(tree, leaves, columns)
            .for_each_leaf([&](const TreeNode& node, const Box& box, const auto& normalizer_of) {
                for (std::size_t j = 0; j < columns.size(); ++j)
                    CHECK(normalizer_of(j) == boxwood::normalizer({&leaves, node.leaf, &box, j}));
                CHECK(boxwood::log_scale_of(leaves, node.leaf, node.mass, box, normalizer_of) ==
                      boxwood::log_scale_of(leaves, node.leaf, node.mass, box));
                ++n;
            });
        CHECK(n == tree.n_leaves);
    }
});

CHECK_MAIN()
