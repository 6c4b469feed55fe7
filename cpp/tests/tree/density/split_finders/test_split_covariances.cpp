#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "tests/check.hpp"
#include "tree/density/split_finders/split_covariances.hpp"

using boxwood::LogDeterminants;
using boxwood::moment_count;
using boxwood::split_lanes;

namespace {

constexpr double variance_floor = 1e-4 / 12.0;

// Rows in [-½, ½]^d, the first `n_left` of which are on the left.
struct Rows {
    std::size_t d;
    std::vector<double> places;
    std::vector<double> weights;

    Rows(std::size_t n, std::size_t n_columns, std::uint64_t seed) : d(n_columns) {
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> uniform(-0.5, 0.5);
        for (std::size_t i = 0; i < n; ++i) {
            const double common = uniform(random);
            for (std::size_t j = 0; j < d; ++j) places.push_back(0.6 * common + 0.4 * uniform(random));
            weights.push_back(static_cast<double>(1 + random() % 3));
        }
    }

    std::vector<double> sums(std::size_t begin, std::size_t end) const {
        std::vector<double> found(moment_count(d), 0.0);
        for (std::size_t i = begin; i < end; ++i) {
            const double* x = places.data() + i * d;
            std::size_t s = 1 + d;
            found[0] += weights[i];
            for (std::size_t j = 0; j < d; ++j) {
                found[1 + j] += weights[i] * x[j];
                for (std::size_t k = 0; k <= j; ++k) found[s++] += weights[i] * x[j] * x[k];
            }
        }
        return found;
    }

    // By Gauss's elimination of the covariance about the rows' own mean.
    double log_determinant(std::size_t begin, std::size_t end) const {
        double n = 0.0;
        std::vector<double> mean(d, 0.0);
        for (std::size_t i = begin; i < end; ++i) {
            n += weights[i];
            for (std::size_t j = 0; j < d; ++j) mean[j] += weights[i] * places[i * d + j];
        }
        std::vector<double> a(d * d, 0.0);
        for (std::size_t j = 0; j < d; ++j) a[j * d + j] = variance_floor;
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t j = 0; j < d; ++j)
                for (std::size_t k = 0; k < d; ++k)
                    a[j * d + k] += weights[i] / n * (places[i * d + j] - mean[j] / n) *
                                    (places[i * d + k] - mean[k] / n);
        }
        double log_det = 0.0;
        for (std::size_t k = 0; k < d; ++k) {
            log_det += std::log(a[k * d + k]);
            for (std::size_t j = k + 1; j < d; ++j) {
                const double factor = a[j * d + k] / a[k * d + k];
                for (std::size_t m = k; m < d; ++m) a[j * d + m] -= factor * a[k * d + m];
            }
        }
        return log_det;
    }
};

struct Found {
    double left[split_lanes];
    double right[split_lanes];
};

Found run(LogDeterminants function, const std::vector<double>& lanes, const std::vector<double>& node,
          std::size_t d) {
    std::vector<double> work((moment_count(d) + d) * split_lanes);
    Found found;
    function({lanes.data(), node.data(), d, variance_floor, work.data(), found.left, found.right});
    return found;
}

}  // namespace

CASE("both sides of every lane have the determinant of their rows, whatever the instructions", {
    std::size_t n_sets = 0;
    const LogDeterminants* all = boxwood::all_log_determinants(n_sets);
    for (std::size_t d : {1u, 2u, 3u, 4u, 5u, 8u, 17u, 20u, 40u}) {
        const std::size_t n = 60;
        const Rows rows(n, d, d);
        const std::vector<double> node = rows.sums(0, n);
        std::vector<double> lanes(moment_count(d) * split_lanes);
        std::size_t n_left[split_lanes];
        for (std::size_t l = 0; l < split_lanes; ++l) {
            n_left[l] = l == 0 ? 1 : l == 7 ? n - 1 : 7 * l + 3;  // single rows have the floor alone
            const std::vector<double> sums = rows.sums(0, n_left[l]);
            for (std::size_t s = 0; s < sums.size(); ++s) lanes[s * split_lanes + l] = sums[s];
        }
        const Found first = run(all[0], lanes, node, d);
        for (std::size_t l = 0; l < split_lanes; ++l) {
            CHECK(std::abs(first.left[l] - rows.log_determinant(0, n_left[l])) < 1e-7);
            CHECK(std::abs(first.right[l] - rows.log_determinant(n_left[l], n)) < 1e-7);
        }
        for (std::size_t k = 1; k < n_sets; ++k) {
            const Found other = run(all[k], lanes, node, d);
            for (std::size_t l = 0; l < split_lanes; ++l)
                CHECK(other.left[l] == first.left[l] && other.right[l] == first.right[l]);
        }
    }
});

CHECK_MAIN()
