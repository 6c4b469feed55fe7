// Growth by a policy that is as small as one can be: rows are numbers, and a split halves them.
#include <limits>
#include <vector>

#include "tests/check.hpp"
#include "tree/growth.hpp"

namespace {

using boxwood::Draws;
using boxwood::GrownTree;
using boxwood::NodeRows;
using boxwood::Tree;

struct HalvingPolicy {
    using Grown = GrownTree;
    struct Box {
        std::size_t depth = 0;
    };
    struct Split {
        double gain = -std::numeric_limits<double>::infinity();
        std::size_t feature = 0;
        double left_weight = 0.0;
        std::size_t n_left = 0;
        bool found() const { return gain > -std::numeric_limits<double>::infinity(); }
    };
    static constexpr bool per_node = false;

    std::size_t n_rows;
    NodeRows node{0, 0, 0.0};
    std::vector<std::size_t> tried = {};

    std::size_t n_columns() const { return 3; }
    Box whole_box() const { return {}; }
    NodeRows start(GrownTree&) { return {0, n_rows, static_cast<double>(n_rows)}; }
    bool can_split(const NodeRows& rows) const { return rows.size() > 1; }
    bool begin_node(const NodeRows& rows, const Box&) {
        node = rows;
        return true;
    }
    // The column 1 gains most, the more rows the more.
    bool try_column(std::size_t j, const Box&, Draws&, Split& best) {
        tried.push_back(j);
        const double gain = node.weight * (j == 1 ? 2.0 : 1.0);
        if (gain <= best.gain) return true;
        best = {gain, j, static_cast<double>(node.size() / 2), node.size() / 2};
        return true;
    }
    bool cannot_be_better(const Split&) const { return false; }
    std::size_t partition(const NodeRows& rows, Split& split) { return rows.begin + split.n_left; }
    std::uint32_t store_threshold(const Split& split, Tree&) {
        return static_cast<std::uint32_t>(split.n_left);
    }
    void keep_split(const Split&, std::uint32_t, GrownTree&) {}
    Box box_of_half(const Box& box, const Split&, bool) { return {box.depth + 1}; }
    void finish(GrownTree&) {}
};

struct PolicyWithoutBox {
    using Grown = GrownTree;
    using Split = HalvingPolicy::Split;
};

static_assert(boxwood::GrowthPolicy<HalvingPolicy>);
static_assert(!boxwood::ObliquePolicy<HalvingPolicy>);
static_assert(!boxwood::GrowthPolicy<int>);
static_assert(!boxwood::GrowthPolicy<PolicyWithoutBox>);

GrownTree grow(std::size_t n_rows, const boxwood::GrowOptions& options) {
    HalvingPolicy policy{n_rows};
    const std::function<void()> no_interrupt;
    return boxwood::Growth<HalvingPolicy>(policy, options, no_interrupt).grow();
}

}  // namespace

CASE("a tree is grown until its leaves hold one row", {
    for (bool best_first : {false, true}) {
        boxwood::GrowOptions options;
        options.best_first = best_first;
        const GrownTree grown = grow(13, options);
        CHECK(grown.tree.nodes.size() == 25 && grown.tree.n_leaves == 13);
        for (std::size_t i = 0; i < 25; ++i) {
            const auto& node = grown.tree.nodes[i];
            CHECK(node.count == static_cast<double>(grown.end[i] - grown.begin[i]));
            if (node.is_leaf()) {
                CHECK(grown.end[i] - grown.begin[i] == 1);
                continue;
            }
            CHECK(node.feature == 1 && grown.gain[i] == 2.0 * node.count);
            CHECK(grown.begin[node.left] == grown.begin[i] && grown.end[node.left + 1] == grown.end[i]);
            CHECK(grown.end[node.left] == grown.begin[i] + node.threshold);
        }
    }
});

CASE("limits end growth: depth, leaves, rows", {
    boxwood::GrowOptions options;
    options.max_depth = 2;
    CHECK(grow(64, options).tree.n_leaves == 4);
    options = {};
    options.min_samples_split = 16.0;
    CHECK(grow(64, options).tree.n_leaves == 8);
    options = {};
    options.min_samples_leaf = 16.0;
    CHECK(grow(64, options).tree.n_leaves == 4);
    options = {};
    options.max_leaf_nodes = 5;
    options.best_first = true;
    const GrownTree grown = grow(64, options);
    CHECK(grown.tree.n_leaves == 5);
    for (const auto& node : grown.tree.nodes) CHECK(node.count >= 8.0);  // the largest gain, the most rows
});

CASE("a node tries as many columns as it may", {
    boxwood::GrowOptions options;
    options.max_features = 2;
    HalvingPolicy policy{2};
    const std::function<void()> no_interrupt;
    boxwood::Growth<HalvingPolicy>(policy, options, no_interrupt).grow();
    CHECK(policy.tried.size() == 2 && policy.tried[0] != policy.tried[1]);
});

CHECK_MAIN()
