// Weights of mixtures beside the obvious implementation.
#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "boosting/mixture_weights.hpp"
#include "tests/check.hpp"

namespace {

using boxwood::mixture_weights;

std::vector<double> obvious(const std::vector<double>& density, const std::vector<double>& rows, double prior,
                            int n_steps) {
    const std::size_t n = rows.size(), n_components = density.size() / n;
    std::vector<double> weights(n_components, 1.0 / static_cast<double>(n_components));
    for (int step = 0; step < n_steps; ++step) {
        std::vector<double> next(n_components, prior);
        double total = prior * static_cast<double>(n_components);
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0.0;
            for (std::size_t k = 0; k < n_components; ++k) sum += weights[k] * density[k * n + i];
            for (std::size_t k = 0; k < n_components; ++k)
                next[k] += rows[i] * weights[k] * density[k * n + i] / sum;
            total += rows[i];
        }
        for (std::size_t k = 0; k < n_components; ++k) weights[k] = next[k] / total;
    }
    return weights;
}

CASE("as the obvious implementation", {
    std::mt19937_64 random(0);
    std::normal_distribution<double> normal;
    for (const std::size_t n : {1u, 7u, 8u, 255u, 256u, 257u, 1000u}) {
        for (const std::size_t n_components : {1u, 2u, 9u}) {
            std::vector<double> density(n * n_components), rows(n);
            for (double& d : density) d = std::exp(2.0 * normal(random));
            for (double& r : rows) r = std::exp(normal(random));
            density[0] = n_components > 1 ? 0.0 : 1.0;
            const auto found = mixture_weights(density, rows, 1.0, 50);
            const auto expected = obvious(density, rows, 1.0, 50);
            for (std::size_t k = 0; k < n_components; ++k) CHECK(std::abs(found[k] - expected[k]) < 1e-12);
        }
    }
});

CASE("rows that no component explains say nothing", {
    const std::vector<double> density{0.9, 0.0, 0.1, 0.0};
    const std::vector<double> rows{2.0, 5.0};
    const auto found = mixture_weights(density, rows, 0.0, 50);
    const auto expected = mixture_weights(std::vector<double>{0.9, 0.1}, std::vector<double>{2.0}, 0.0, 50);
    CHECK(std::abs(found[0] - expected[0]) < 1e-12);
    CHECK(mixture_weights(std::vector<double>(4, 0.0), rows, 0.0, 50) == std::vector<double>(2, 0.5));
});

CASE("a watch that throws stops it", {
    std::vector<double> density(1 << 21, 0.5);
    std::fill(density.begin() + (1 << 20), density.end(), 0.49);  // the weights creep
    const std::vector<double> rows(1 << 20, 1.0);
    bool thrown = false;
    try {
        mixture_weights(density, rows, 0.0, 1000, [](std::size_t) { throw std::runtime_error("stop"); });
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown);
});

CASE("without rows or steps", {
    CHECK(mixture_weights({}, {}, 1.0, 10).empty());
    const std::vector<double> density{0.1, 0.9}, row{1.0};
    CHECK(mixture_weights(density, row, 1.0, 0) == (std::vector<double>{0.5, 0.5}));
});

}  // namespace

CHECK_MAIN()
