#include <stdexcept>

#include "tests/check.hpp"
#include "tree/category_sets.hpp"
#include "tree/supervised/flat_forest.hpp"

using namespace boxwood;

namespace {

// A column of numbers, one of categories, and `n_directions` directions.
SupervisedTree small_tree(std::size_t n_directions, double first) {
    SupervisedTree made;
    const auto add = [&](std::int32_t feature, std::uint32_t left, std::uint32_t threshold, double count) {
        TreeNode node;
        node.feature = feature;
        node.left = left;
        node.threshold = threshold;
        node.count = count;
        made.tree.nodes.push_back(node);
        made.leaves.missing_left.push_back(static_cast<std::uint8_t>(feature == 0));
        made.leaves.impurity.push_back(first + count);
        made.leaves.response.push_back(first - count);
        made.leaves.threshold.push_back(first);
    };
    CategorySets sets;
    sets.add(std::vector<std::uint32_t>{0, 2});
    const std::uint32_t place = sets.add(std::vector<std::uint32_t>{1, 40});
    made.leaves.sets = sets.words();
    for (std::uint32_t k = 0; k < n_directions; ++k)
        made.leaves.directions.push_back({{0, static_cast<float>(first) + static_cast<float>(k)}});
    add(0, 1, 3, 8.0);
    add(1, 3, place, 5.0);
    add(n_directions > 0 ? 2 : -1, n_directions > 0 ? 5 : 0, 0, 3.0);
    for (int i = 0; i < (n_directions > 0 ? 4 : 2); ++i) add(-1, 0, 0, 1.0);
    return made;
}

SupervisedData two_columns() {
    SupervisedData data;
    data.columns = {{0, 1, 8, false, 0, 0}, {1, 1, 64, true, 0, 0}};
    return data;
}

}  // namespace

CASE("joined trees keep their splits, sets and directions", {
    const std::vector<SupervisedTree> trees = {small_tree(1, 10.0), small_tree(0, 20.0), small_tree(2, 30.0)};
    const FlatForest forest = join(std::vector<SupervisedTree>(trees), two_columns());
    CHECK((forest.nodes.start == std::vector<std::int64_t>{0, 7, 12, 19}));
    CHECK(forest.responses.directions.size() == 3);
    for (std::size_t t = 0; t < trees.size(); ++t) {
        const auto& [tree, leaves] = trees[t];
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const std::size_t k = static_cast<std::size_t>(forest.nodes.start[t]) + i;
            CHECK(forest.nodes.count[k] == tree.nodes[i].count);
            CHECK(forest.nodes.left[k] == tree.nodes[i].left);
            CHECK(forest.responses.response[k] == leaves.response[i]);
            CHECK(forest.responses.impurity[k] == leaves.impurity[i]);
            CHECK(forest.responses.threshold[k] == leaves.threshold[i]);
            CHECK(forest.responses.missing_left[k] == leaves.missing_left[i]);
            const std::int32_t feature = tree.nodes[i].feature;
            if (feature == 1) {
                const std::uint32_t* set = forest.responses.sets.data() + forest.nodes.threshold[k];
                for (std::uint32_t code = 0; code < 64; ++code) {
                    CHECK(in_category_set(set, code) ==
                          in_category_set(leaves.sets.data() + tree.nodes[i].threshold, code));
                }
            } else if (feature >= 2) {
                const auto direction = static_cast<std::size_t>(forest.nodes.feature[k] - 2);
                CHECK(forest.responses.directions[direction] ==
                      leaves.directions[static_cast<std::size_t>(feature - 2)]);
            } else {
                CHECK(forest.nodes.feature[k] == feature);
                CHECK(forest.nodes.threshold[k] == tree.nodes[i].threshold);
            }
        }
    }
});

CASE("no trees are joined to none", {
    const FlatForest forest = join({}, two_columns());
    CHECK(forest.nodes.start == std::vector<std::int64_t>{0} && forest.nodes.feature.empty());
});

CASE("directions come back from flat arrays", {
    const std::vector<Direction> directions = {{{0, 1.5f}, {3, -2.0f}}, {}, {{2, 0.25f}}};
    const FlatDirections flat = flatten_directions(directions);
    CHECK((flat.start == std::vector<std::int64_t>{0, 2, 2, 3}));
    CHECK(unflatten_directions(flat.start, flat.column, flat.weight) == directions);
});

CASE("malformed directions are refused", {
    const std::vector<std::uint32_t> column = {0, 1};
    const std::vector<float> weight = {1.0f, 2.0f};
    const auto refused = [&](const std::vector<std::int64_t>& start, const std::vector<float>& weights) {
        try {
            unflatten_directions(start, column, weights);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(!refused({0, 2}, weight) && !refused({0}, weight));
    CHECK(refused({}, weight) && refused({0, 2}, {1.0f}));
    CHECK(refused({0, 3}, weight) && refused({-1, 2}, weight) && refused({2, 1}, weight));
});

CHECK_MAIN()
