// Exponents and scatters beside the obvious implementation.
#include <cmath>
#include <random>
#include <vector>

#include "boosting/gaussian_steps.hpp"
#include "tests/check.hpp"

namespace {

std::vector<double> normals(std::size_t n, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    std::vector<double> values(n);
    for (double& value : values) value = normal(random);
    return values;
}

bool close(const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= 1e-10 * (1.0 + std::abs(b[i])))) return false;
    return a.size() == b.size();
}

CASE("exponents and scatters", {
    std::mt19937_64 random(0);
    for (const std::size_t n : {1u, 8u, 63u, 64u, 65u, 200u}) {
        for (const std::size_t d : {1u, 3u, 11u}) {
            const std::size_t n_components = 3;
            const std::vector<double> values = normals(n * d, random);
            const std::vector<double> means = normals(n_components * d, random);
            const std::vector<double> whitening = normals(n_components * d * d, random);
            std::vector<double> weights = normals(n * n_components, random);
            for (double& weight : weights) weight *= weight;
            std::vector<double> exponents(n * n_components);
            std::vector<double> scatters(n_components * d * d);
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t k = 0; k < n_components; ++k) {
                    const auto centred = [&](std::size_t j) { return values[i * d + j] - means[k * d + j]; };
                    for (std::size_t a = 0; a < d; ++a) {
                        double whitened = 0.0;
                        for (std::size_t b = 0; b <= a; ++b)
                            whitened += whitening[(k * d + a) * d + b] * centred(b);
                        exponents[i * n_components + k] -= 0.5 * whitened * whitened;
                        for (std::size_t b = 0; b < d; ++b)
                            scatters[(k * d + a) * d + b] +=
                                weights[i * n_components + k] * centred(a) * centred(b);
                    }
                }
            }
            const boxwood::ScoreRows rows{values.data(), n, d};
            std::vector<double> found(n * n_components, 9.0);
            boxwood::gaussian_exponents(rows, means, whitening.data(), found.data());
            CHECK(close(found, exponents));
            std::vector<double> sums(n_components * d * d, 9.0);
            boxwood::gaussian_scatters(rows, means, weights.data(), sums.data());
            CHECK(close(sums, scatters));
        }
    }
});

}  // namespace

CHECK_MAIN()
