#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "boosting/random_fourier_features.hpp"
#include "tests/check.hpp"

namespace {

struct Example {
    std::size_t n_points, n_columns, n_features;
    std::vector<double> points, frequencies, phases, coefficients;

    Example(std::size_t n, std::size_t d, std::size_t k)
        : n_points(n),
          n_columns(d),
          n_features(k),
          points(n * d),
          frequencies(d * k),
          phases(k),
          coefficients(2 * k) {
        std::mt19937_64 random(n + 10 * d + 100 * k);
        std::normal_distribution<double> normal;
        for (auto* values : {&points, &frequencies, &phases, &coefficients})
            for (double& value : *values) value = normal(random);
    }
    boxwood::FourierFeatures fourier() const { return {n_columns, frequencies, phases}; }
    double feature(std::size_t i, std::size_t k) const {
        double turns = phases[k];
        for (std::size_t j = 0; j < n_columns; ++j)
            turns += points[i * n_columns + j] * frequencies[j * n_features + k];
        return std::cos(2.0 * std::numbers::pi * turns);
    }
};

}  // namespace

CASE("features are cosines, sums are their products, and all instruction sets agree to the bit", {
    const auto all = boxwood::all_fourier_kernels();
    for (const Example& example :
         {Example(0, 3, 5), Example(7, 1, 1), Example(5, 3, 64), Example(9, 12, 203)}) {
        const std::size_t n = example.n_points;
        const std::size_t k = example.n_features;
        std::vector<double> first_features, first_sums;
        for (const boxwood::FourierKernels& kernels : all) {
            std::vector<double> features(n * k, -5.0), sums(n * 2, -5.0);
            kernels.features(example.fourier(), example.points.data(), n, features.data());
            kernels.sums(example.fourier(), example.coefficients.data(), 2, example.points.data(), n,
                         sums.data());
            if (first_features.empty()) {
                first_features = features;
                first_sums = sums;
            }
            CHECK(features == first_features && sums == first_sums);
        }
        for (std::size_t i = 0; i < n; ++i) {
            double one = 0.0;
            double other = 0.0;
            for (std::size_t m = 0; m < k; ++m) {
                const double feature = example.feature(i, m);
                CHECK(std::abs(first_features[i * k + m] - feature) < 2e-9);
                one += feature * example.coefficients[m];
                other += feature * example.coefficients[k + m];
            }
            CHECK(std::abs(first_sums[i * 2] - one) < 1e-6);
            CHECK(std::abs(first_sums[i * 2 + 1] - other) < 1e-6);
        }
    }
});

CASE("an integer number of turns more is the same feature", {
    const std::vector<double> frequencies{1.0};
    const std::vector<double> phases{0.3};
    std::vector<double> points;
    for (int turns = -100; turns <= 100; ++turns) points.push_back(turns);
    std::vector<double> features(points.size());
    boxwood::fourier_kernels().features({1, frequencies, phases}, points.data(), points.size(),
                                        features.data());
    for (const double feature : features) CHECK(std::abs(feature - features[0]) < 1e-9);
});

CASE("sums read the first columns of wider points", {
    for (const Example& example : {Example(0, 3, 5), Example(7, 1, 1), Example(600, 4, 70)}) {
        const std::size_t n = example.n_points;
        const std::size_t d = example.n_columns;
        const std::size_t stride = d + 3;
        std::vector<double> wider(n * stride, 1e9);
        for (std::size_t i = 0; i < n * d; ++i) wider[i / d * stride + i % d] = example.points[i];
        std::vector<double> sums(n * 2, -5.0), found(n * 2, -5.0);
        boxwood::fourier_kernels().sums(example.fourier(), example.coefficients.data(), 2,
                                        example.points.data(), n, sums.data());
        boxwood::fourier_sums_of_first_columns(example.fourier(), example.coefficients.data(), 2,
                                               wider.data(), stride, n, found.data());
        CHECK(found == sums);
    }
});

CHECK_MAIN()
