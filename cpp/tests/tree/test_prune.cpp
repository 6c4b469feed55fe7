#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/check.hpp"
#include "tests/tree/density/small_grown.hpp"
#include "tests/tree/small_tree.hpp"
#include "tree/density/node_losses.hpp"
#include "tree/prune.hpp"

using boxwood::best_subtree;
using boxwood::GrownDensityTree;
using boxwood::Tree;

namespace {

struct Found {
    double loss;
    std::size_t leaves;
};

// Loss and leaves of all subtrees below a node.
std::vector<Found> all_subtrees(const Tree& tree, const std::vector<double>& loss, std::size_t i) {
    std::vector<Found> found = {{loss[i], 1}};
    if (tree.nodes[i].is_leaf()) return found;
    const std::size_t left = tree.nodes[i].left;
    for (const Found& a : all_subtrees(tree, loss, left)) {
        for (const Found& b : all_subtrees(tree, loss, left + 1))
            found.push_back({a.loss + b.loss, a.leaves + b.leaves});
    }
    return found;
}

}  // namespace

CASE("the best subtree is the best of all, and the path holds it for every alpha", {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const GrownDensityTree grown = small_grown(seed);
        std::vector<double> loss(grown.tree.nodes.size());
        for (double& value : loss) value = seed % 2 == 0 ? normal(random) : std::round(3.0 * normal(random));
        const auto found = all_subtrees(grown.tree, loss, 0);
        const auto path = boxwood::prune_path(grown.tree, loss);
        CHECK(path.front().alpha == 0.0 && path.back().n_leaves == 1);
        for (std::size_t k = 1; k < path.size(); ++k) {
            CHECK(path[k].alpha > path[k - 1].alpha && path[k].n_leaves < path[k - 1].n_leaves);
        }
        for (double alpha : {0.0, 0.1, 0.45, 1.3, 4.1}) {
            double least = std::numeric_limits<double>::infinity();
            for (const Found& f : found)
                least = std::min(least, f.loss + alpha * static_cast<double>(f.leaves));
            const std::vector<double> alphas = {alpha};
            const std::vector<double> ones(loss.size(), 1.0);
            const double n = boxwood::losses_of_subtrees(grown.tree, loss, alphas, ones)[0];
            const double sum = boxwood::losses_of_subtrees(grown.tree, loss, alphas, loss)[0];
            CHECK(std::abs(sum + alpha * n - least) < 1e-9);
            std::size_t step = 0;
            while (step + 1 < path.size() && path[step + 1].alpha <= alpha + 1e-12) ++step;
            CHECK(std::abs(path[step].loss - sum) < 1e-9 && static_cast<double>(path[step].n_leaves) == n);
        }
    }
});

CASE("infinite losses leave the path before it starts", {
    const GrownDensityTree grown = small_grown(3);
    std::vector<double> loss(grown.tree.nodes.size(), std::numeric_limits<double>::infinity());
    loss[0] = 5.0;
    auto path = boxwood::prune_path(grown.tree, loss);
    CHECK(path.size() == 1 && path[0].n_leaves == 1 && path[0].loss == 5.0);
    const std::size_t left = grown.tree.nodes[0].left;
    loss[left] = 1.0;
    loss[left + 1] = 2.0;
    path = boxwood::prune_path(grown.tree, loss);
    CHECK(path.size() == 2 && path[0].n_leaves == 2 && path[0].loss == 3.0 && path[1].alpha == 2.0);
});

CASE("a tree of one leaf", {
    Tree tree;
    tree.nodes.emplace_back();
    boxwood::number_leaves(tree);
    const std::vector<double> loss = {2.0};
    CHECK(best_subtree(tree, loss, 0.0) == std::vector<char>{1});
    const auto path = boxwood::prune_path(tree, loss);
    CHECK(path.size() == 1 && path[0].loss == 2.0 && path[0].n_leaves == 1);
});

CHECK_MAIN()
