#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "mixture/histogram_kernels.hpp"
#include "tests/check.hpp"

using boxwood::all_shrink_histograms;
using boxwood::Draws;
using boxwood::ShrinkHistograms;

namespace {

// Histograms of n_bins bins side by side.
struct Histograms {
    std::vector<double> counts, gets, gives, fractions;

    Histograms(std::size_t n_columns, std::size_t n_leaf_bins, std::uint64_t seed) {
        Draws draws(seed);
        for (std::size_t k = 0; k < n_columns * n_leaf_bins; ++k) {
            const bool is_last = k % n_leaf_bins + 1 == n_leaf_bins;
            counts.push_back(std::floor(8.0 * draws.uniform()));
            gets.push_back(is_last ? 0.0 : 0.25 * draws.uniform());
            gives.push_back(is_last ? 0.0 : 0.25 * draws.uniform());
            fractions.push_back(draws.uniform());
        }
    }

    std::vector<double> shrunk_by(ShrinkHistograms shrink) const {
        const std::size_t n = counts.size();
        std::vector<double> smooth(n + 1, NAN);
        std::vector<double> flow(n + 1, NAN);
        std::vector<double> out = fractions;
        shrink({counts.data(), gets.data(), gives.data(), n, 4.0, 1.0 / 20.0, smooth.data(), flow.data(),
                out.data()});
        return out;
    }

    std::vector<double> reference_shrunk() const {
        const std::size_t n = counts.size();
        std::vector<double> smooth = counts;
        for (int pass = 0; pass < 2; ++pass) {
            const std::vector<double> before = smooth;
            for (std::size_t k = 0; k + 1 < n; ++k) {
                const double flow = gets[k] * before[k + 1] - gives[k] * before[k];
                smooth[k] += flow;
                smooth[k + 1] -= flow;
            }
        }
        std::vector<double> out = fractions;
        for (std::size_t k = 0; k < n; ++k) out[k] = (smooth[k] + 4.0 * fractions[k]) / 20.0;
        return out;
    }
};

}  // namespace

CASE("every instruction set smooths and shrinks, and gives the same bits", {
    std::size_t count = 0;
    const ShrinkHistograms* all = all_shrink_histograms(count);
    CHECK(count >= 1);
    for (std::size_t n_columns : {1u, 3u, 10u}) {
        for (std::size_t n_leaf_bins : {1u, 2u, 7u, 16u}) {
            const Histograms histograms(n_columns, n_leaf_bins, 10 * n_columns + n_leaf_bins);
            const std::vector<double> reference = histograms.reference_shrunk();
            const std::vector<double> first = histograms.shrunk_by(all[0]);
            for (std::size_t k = 0; k < reference.size(); ++k)
                CHECK(std::abs(first[k] - reference[k]) < 1e-12);
            for (std::size_t i = 1; i < count; ++i) CHECK(histograms.shrunk_by(all[i]) == first);
        }
    }
});

CASE("smoothing keeps what a histogram sums to", {
    const Histograms histograms(1, 16, 3);
    const std::vector<double> out = histograms.shrunk_by(boxwood::shrink_histograms());
    double sum = 0.0;
    double expected = 0.0;
    for (std::size_t k = 0; k < out.size(); ++k) {
        sum += out[k];
        expected += (histograms.counts[k] + 4.0 * histograms.fractions[k]) / 20.0;
    }
    CHECK(std::abs(sum - expected) < 1e-12);
});

CHECK_MAIN()
