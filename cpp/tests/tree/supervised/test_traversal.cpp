#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "tests/check.hpp"
#include "tree/category_sets.hpp"
#include "tree/supervised/traversal.hpp"

using namespace boxwood;

namespace {

// Trees of random splits: column 0 and 1 are numbers, column 2 has `n_categories`.
FittedTrees random_trees(std::size_t n_trees, std::size_t n_thresholds, std::int64_t n_categories) {
    FittedTrees trees;
    trees.n_categories = {-1, -1, n_categories};
    CategorySets sets;
    Draws draws(n_thresholds);
    for (std::size_t t = 0; t < n_trees; ++t) {
        const auto root = static_cast<std::uint32_t>(trees.n_nodes());
        trees.roots.push_back(root);
        std::uint32_t n_open = 1;
        for (std::uint32_t made = 0; made < n_open; ++made) {
            const bool leaf =
                n_open > 2 * n_thresholds || (made > 0 && draws.below(4) == 0 && made + 1 < n_open);
            const auto j = leaf ? -1 : static_cast<std::int32_t>(draws.below(n_categories < 0 ? 2 : 3));
            trees.feature.push_back(j);
            trees.left.push_back(leaf ? 0 : root + n_open);
            trees.missing_left.push_back(static_cast<std::uint8_t>(draws.below(2)));
            double threshold = std::floor(8.0 * draws.uniform() * static_cast<double>(n_thresholds)) / 8.0;
            if (draws.below(20) == 0) threshold = std::numeric_limits<double>::infinity();
            if (j == 2) {
                std::vector<std::uint32_t> codes;
                for (std::int64_t c = 0; c < n_categories + 2;
                     c += 1 + static_cast<std::int64_t>(draws.below(4)))
                    if (c != n_categories) codes.push_back(static_cast<std::uint32_t>(c));
                threshold = sets.add(codes);
            }
            trees.threshold.push_back(leaf ? 0.0 : threshold);
            if (!leaf) n_open += 2;
        }
    }
    trees.sets = sets.words();
    return trees;
}

// The obvious way down.
std::uint32_t reference_leaf(const FittedTrees& trees, std::size_t tree, const double* row) {
    std::uint32_t at = trees.roots[tree];
    while (trees.feature[at] >= 0) {
        const auto j = static_cast<std::size_t>(trees.feature[at]);
        bool left = row[j] < trees.threshold[at];
        if (std::isnan(row[j])) left = trees.missing_left[at] != 0;
        if (trees.is_categorical(j)) {
            const auto n = static_cast<double>(trees.n_categories[j]);
            const double code = row[j] >= 0.0 && row[j] <= n + 1.0 ? row[j] : n;
            left = in_category_set(trees.sets.data() + static_cast<std::size_t>(trees.threshold[at]),
                                   static_cast<std::uint32_t>(code));
        }
        at = trees.left[at] + (left ? 0 : 1);
    }
    return at;
}

void test_ways_are_those_of_the_obvious_walk() {
    for (std::int64_t n_categories :
         {std::int64_t{-1}, std::int64_t{3}, std::int64_t{300}, std::int64_t{70000}}) {
        for (std::size_t n_thresholds : {0u, 1u, 20u, 400u, 20000u}) {
            if (n_categories == 70000 && n_thresholds > 400) continue;
            const FittedTrees trees = random_trees(5, n_thresholds, n_categories);
            check_trees(trees);
            const auto finder = make_traversal(trees);
            Draws draws(7);
            std::vector<double> rows;
            const std::size_t n_rows = 45;
            for (std::size_t i = 0; i < n_rows; ++i) {
                for (int j : {0, 1}) {
                    const double x =
                        std::floor(8.0 * draws.uniform() * static_cast<double>(n_thresholds + 1)) / 8.0;
                    rows.push_back(draws.below(8) == static_cast<std::uint64_t>(j) ? std::nan("") : x - 0.25);
                }
                rows.push_back(static_cast<double>(draws.below(
                                   static_cast<std::uint64_t>(n_categories < 0 ? 1 : n_categories + 4))) -
                               1.0);
            }
            Traversal::Codes codes;
            finder->encode(rows.data(), n_rows, codes);
            for (std::size_t t = 0; t < trees.n_trees(); ++t) {
                std::vector<std::uint32_t> leaves(n_rows);
                finder->find(t, rows.data(), n_rows, codes, leaves.data());
                for (std::size_t i = 0; i < n_rows; ++i)
                    CHECK(leaves[i] == reference_leaf(trees, t, rows.data() + 3 * i));
            }
            std::vector<std::uint32_t> leaves(trees.n_trees());
            finder->encode(rows.data(), 1, codes);
            finder->find_in_all(rows.data(), codes, leaves.data());
            for (std::size_t t = 0; t < trees.n_trees(); ++t)
                CHECK(leaves[t] == reference_leaf(trees, t, rows.data()));
        }
    }
}

template <class Edit>
bool refused(Edit&& edit) {
    FittedTrees trees = random_trees(2, 5, 4);
    edit(trees);
    try {
        check_trees(trees);
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

void test_what_is_no_tree_is_refused() {
    CHECK(!refused([](FittedTrees&) {}));
    CHECK(refused([](FittedTrees& t) { t.left[0] = 0; }));
    CHECK(refused([](FittedTrees& t) { t.left[0] = 0xffffffffu; }));
    CHECK(refused([](FittedTrees& t) { t.left[0] += 2; }));
    CHECK(refused([](FittedTrees& t) { t.feature[0] = 3; }));
    CHECK(refused([](FittedTrees& t) { t.feature[0] = -1; }));
    CHECK(refused([](FittedTrees& t) { t.threshold[0] = std::nan(""); }));
    CHECK(refused([](FittedTrees& t) {
        t.feature[0] = 2;
        t.threshold[0] = 1e9;
    }));
    CHECK(refused([](FittedTrees& t) {
        t.feature[0] = 2;
        t.threshold[0] = 0.5;
    }));
    CHECK(refused([](FittedTrees& t) { t.roots = {1}; }));
    CHECK(refused([](FittedTrees& t) { t.roots = {}; }));
    CHECK(refused([](FittedTrees& t) { t.missing_left.pop_back(); }));
}

}  // namespace

CASE("ways are those of the obvious walk", { test_ways_are_those_of_the_obvious_walk(); });

CASE("what is no tree is refused", { test_what_is_no_tree_is_refused(); });

CHECK_MAIN()
