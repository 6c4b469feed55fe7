#include <cmath>
#include <vector>

#include "tests/check.hpp"
#include "tests/tree/density/small_grown.hpp"
#include "tree/density/node_losses.hpp"

using boxwood::GrownDensityTree;
using boxwood::LossKind;

CASE("losses of the training rows are those of their density", {
    const GrownDensityTree grown = small_grown(2);
    const double total = grown.tree.nodes[0].count;
    const auto log_likelihood = boxwood::leaf_losses(grown, LossKind::log_likelihood, 0.0);
    const auto squared = boxwood::leaf_losses(grown, LossKind::squared_error, 0.0);
    for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
        const double n = grown.tree.nodes[i].count;
        if (n == 0.0) {
            CHECK(log_likelihood[i] == 0.0 && squared[i] == 0.0);
            continue;
        }
        const double log_density = std::log(n / total) - grown.log_volume[i];
        CHECK(std::abs(log_likelihood[i] + n * log_density) < 1e-9 * (1.0 + n * std::abs(log_density)));
        // The integral of p² is mass · p, and the mean of p over the rows of the node the same.
        const double expected = -n / total * std::exp(log_density);
        CHECK(std::abs(squared[i] - expected) < 1e-9 * std::abs(expected));
    }
});

CASE("a row that is left out of a leaf of its own loses infinitely much without a prior", {
    const GrownDensityTree grown = small_grown(2, 60);
    const auto none = boxwood::leaf_losses(grown, LossKind::loo_log_likelihood, 0.0);
    const auto some = boxwood::leaf_losses(grown, LossKind::loo_log_likelihood, 1.0);
    std::size_t n_single = 0;
    for (std::size_t i = 0; i < none.size(); ++i) {
        CHECK(std::isfinite(some[i]));
        if (grown.tree.nodes[i].count != 1.0) continue;
        ++n_single;
        CHECK(std::isinf(none[i]) && none[i] > 0.0);
    }
    CHECK(n_single > 0);
});

CASE("held-out losses count rows by weight", {
    const GrownDensityTree grown = small_grown(5);
    const SmallTable other(30, 2, 1, 99);
    std::vector<double> twice;
    for (std::size_t i = 0; i < 30; ++i) {
        for (double copy = 0.0; copy < other.weights[i]; copy += 1.0) {
            for (std::size_t j = 0; j < 3; ++j) twice.push_back(other.points[i * 3 + j]);
        }
    }
    for (bool squared : {false, true}) {
        const auto a =
            boxwood::held_out_losses(grown, other.points.data(), other.weights.data(), 30, squared, 1.0);
        const auto b = boxwood::held_out_losses(grown, twice.data(), nullptr, twice.size() / 3, squared, 1.0);
        for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) < 1e-9);
    }
});

CHECK_MAIN()
