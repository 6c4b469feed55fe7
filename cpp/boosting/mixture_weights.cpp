#include "boosting/mixture_weights.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "boosting/dot.hpp"

namespace boxwood {

namespace {

constexpr std::size_t block = 256;  // rows whose totals stay in the first cache while components go by
// Less is the same: a row that is impossible under all components explains none of them.
constexpr double least_density = 1e-300;
constexpr std::size_t visits_between_watches = 1 << 22;

// Adds to each component what it explains of up to `block` rows, over its weight.
void explain(const double* density, std::size_t stride, const double* rows, std::size_t n,
             std::span<const double> weights, std::span<double> explained) {
    std::array<double, block> scale{};
    for (std::size_t k = 0; k < weights.size(); ++k)
        for (std::size_t i = 0; i < n; ++i) scale[i] += weights[k] * density[k * stride + i];
    for (std::size_t i = 0; i < n; ++i) scale[i] = rows[i] / std::max(scale[i], least_density);
    for (std::size_t k = 0; k < weights.size(); ++k)
        explained[k] += dot(density + k * stride, scale.data(), n);
}

}  // namespace

std::vector<double> mixture_weights(std::span<const double> density, std::span<const double> rows,
                                    double prior, std::size_t n_steps, const Watch& watch) {
    const std::size_t n = rows.size();
    const std::size_t n_components = n == 0 ? 0 : density.size() / n;
    std::vector<double> weights(n_components, 1.0 / static_cast<double>(n_components));
    std::vector<double> explained(n_components);
    std::size_t visits = 0;
    for (std::size_t step = 0; step < n_steps; ++step) {
        visits += n;
        if (watch && visits >= visits_between_watches) {
            watch(0);
            visits = 0;
        }
        std::fill(explained.begin(), explained.end(), 0.0);
        for (std::size_t begin = 0; begin < n; begin += block)
            explain(density.data() + begin, n, rows.data() + begin, std::min(block, n - begin), weights,
                    explained);
        for (std::size_t k = 0; k < n_components; ++k) explained[k] = weights[k] * explained[k] + prior;
        const double total = std::accumulate(explained.begin(), explained.end(), 0.0);
        if (!(total > 0.0)) break;  // no row says anything
        bool moved = false;
        for (std::size_t k = 0; k < n_components; ++k) {
            const double found = explained[k] / total;
            moved |= found != weights[k];
            weights[k] = found;
        }
        if (!moved) break;  // all further steps would say the same
    }
    return weights;
}

}  // namespace boxwood
