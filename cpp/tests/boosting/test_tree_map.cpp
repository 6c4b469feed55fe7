#include <cmath>
#include <stdexcept>
#include <vector>

#include "base/fast_log.hpp"
#include "base/random.hpp"
#include "boosting/tree_map.hpp"
#include "tests/check.hpp"

using boxwood::check_tree_map;
using boxwood::Draws;
using boxwood::MapNode;
using boxwood::Mover;
using boxwood::UnfoldedInverse;
using boxwood::UnfoldedTree;

namespace {

// Three columns; the right part of the root is cut along the same column again, its left part along another.
std::vector<MapNode> small_tree() {
    return {{0.25f, 0.5f, 2, 0, 1}, {0.5f, 0.125f, 0, 2, 0}, {0.75f, 0.9f, 0, 0, 0}};
}

bool is_refused(std::vector<MapNode> nodes, std::size_t n_columns = 3) {
    try {
        check_tree_map(nodes, n_columns);
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

std::vector<double> random_points(std::size_t n, std::uint64_t seed) {
    Draws draws(seed);
    std::vector<double> points(n);
    for (double& point : points) point = draws.uniform();
    return points;
}

}  // namespace

CASE("a tree by hand", {
    Mover mover(3);
    double point[3] = {0.1, 0.3, 0.6};
    const double density = mover.move(small_tree(), point);
    // Left at the root: half the mass on a fourth of the width. Then right along column 2.
    CHECK(std::abs(density - 2.0 * (0.875 / 0.5)) < 1e-12);
    CHECK(std::abs(point[0] - 0.2) < 1e-12);
    CHECK(point[1] == 0.3);
    CHECK(std::abs(point[2] - (0.125 + 0.1 * 0.875 / 0.5)) < 1e-12);
});

CASE("a tree without nodes moves nothing", {
    Mover mover(2);
    double point[2] = {0.1, 0.3};
    CHECK(mover.move({}, point) == 1.0);
    CHECK(point[0] == 0.1 && point[1] == 0.3);
    UnfoldedTree unfolded(2);
    unfolded.unfold({});
    double log_density = 0.0;
    unfolded.move(point, 1, &log_density);
    CHECK(log_density == 0.0 && point[0] == 0.1);
    UnfoldedInverse inverse(2);
    inverse.unfold({});
    inverse.move_back(point, 1);
    CHECK(point[0] == 0.1 && point[1] == 0.3);
});

CASE("back is the inverse", {
    Mover mover(3);
    const auto tree = small_tree();
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const std::vector<double> point = random_points(3, seed);
        std::vector<double> moved = point;
        mover.move(tree, moved.data());
        mover.move_back(tree, moved.data());
        for (std::size_t j = 0; j < 3; ++j) CHECK(std::abs(moved[j] - point[j]) < 1e-14);
    }
});

CASE("the density is the Jacobian", {
    Mover mover(3);
    const auto tree = small_tree();
    const double step = 1e-6;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const std::vector<double> point = random_points(3, seed);
        std::vector<double> image = point;
        const double density = mover.move(tree, image.data());
        double product = 1.0;
        bool same_leaf = true;
        for (std::size_t j = 0; j < 3; ++j) {
            std::vector<double> other = point;
            other[j] += step;
            same_leaf = same_leaf && mover.move(tree, other.data()) == density;
            product *= (other[j] - image[j]) / step;
        }
        if (same_leaf) CHECK(std::abs(product - density) < 1e-6 * density);
    }
});

CASE("many rows at once are the same to the bit", {
    const auto tree = small_tree();
    for (std::size_t n : {1u, 7u, 8u, 9u, 100u}) {
        std::vector<double> one = random_points(3 * n, n);
        std::vector<double> many = one;
        std::vector<double> log_one(n, 0.5);
        std::vector<double> log_many(n, 0.5);
        Mover mover(3);
        for (std::size_t i = 0; i < n; ++i)
            log_one[i] += boxwood::fast_log(mover.move(tree, one.data() + 3 * i));
        UnfoldedTree unfolded(3);
        unfolded.unfold(tree);
        unfolded.move(many.data(), n, log_many.data());
        CHECK(one == many);
        CHECK(log_one == log_many);
        for (std::size_t i = 0; i < n; ++i) mover.move_back(tree, one.data() + 3 * i);
        UnfoldedInverse inverse(3);
        inverse.unfold(tree);
        inverse.move_back(many.data(), n);
        CHECK(one == many);
    }
});

CASE("trees that are none are refused", {
    CHECK(!is_refused(small_tree()));
    CHECK(!is_refused({}));
    const auto with = [](auto change) {
        std::vector<MapNode> nodes = small_tree();
        change(nodes);
        return nodes;
    };
    CHECK(is_refused(small_tree(), 2));                                           // a column too many
    CHECK(is_refused(with([](auto& nodes) { nodes[1].right = 9; })));             // no such child
    CHECK(is_refused(with([](auto& nodes) { nodes[2].right = 1; })));             // a cycle
    CHECK(is_refused(with([](auto& nodes) { nodes[0].right = 1; })));             // two parents
    CHECK(is_refused(with([](auto& nodes) { nodes[0].right = 0; })));             // no parent
    CHECK(is_refused(with([](auto& nodes) { nodes[2].left_is_node = 1; })));      // no left child
    CHECK(is_refused(with([](auto& nodes) { nodes[2].left_is_node = 7; })));      // neither
    CHECK(is_refused(with([](auto& nodes) { nodes[2].cut = 0.2f; })));            // outside of its box
    CHECK(is_refused(with([](auto& nodes) { nodes[0].cut = std::nanf(""); })));   // no number
    CHECK(is_refused(with([](auto& nodes) { nodes[1].mass = 1.0f; })));           // nothing to the right
    CHECK(is_refused(with([](auto& nodes) { nodes[1].mass = std::nanf(""); })));  // no number
});

CHECK_MAIN()
