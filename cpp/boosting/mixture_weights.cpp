#include "boosting/mixture_weights.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace boxwood {

namespace {

constexpr std::size_t block = 256;  // rows whose totals stay in the first cache while components go by
constexpr std::size_t n_lanes = 8;  // sums side by side, in an order that does not depend on the machine

double dot(const double* a, const double* b, std::size_t n) {
    std::array<double, n_lanes> lanes{};
    std::size_t i = 0;
    for (; i + n_lanes <= n; i += n_lanes)
        for (std::size_t lane = 0; lane < n_lanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
    for (; i < n; ++i) lanes[i % n_lanes] += a[i] * b[i];
    return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

// Adds to each component what it explains of up to `block` rows, over its weight.
void explain(const double* density, std::size_t stride, const double* rows, std::size_t n,
             std::span<const double> weights, std::span<double> explained) {
    std::array<double, block> scale{};
    for (std::size_t k = 0; k < weights.size(); ++k)
        for (std::size_t i = 0; i < n; ++i) scale[i] += weights[k] * density[k * stride + i];
    for (std::size_t i = 0; i < n; ++i) scale[i] = rows[i] / scale[i];
    for (std::size_t k = 0; k < weights.size(); ++k)
        explained[k] += dot(density + k * stride, scale.data(), n);
}

}  // namespace

std::vector<double> mixture_weights(std::span<const double> density, std::span<const double> rows,
                                    double prior, std::size_t n_steps) {
    const std::size_t n = rows.size();
    const std::size_t n_components = n == 0 ? 0 : density.size() / n;
    const double total = std::accumulate(rows.begin(), rows.end(), 0.0);
    std::vector<double> weights(n_components, 1.0 / static_cast<double>(n_components));
    std::vector<double> explained(n_components);
    for (std::size_t step = 0; step < n_steps; ++step) {
        std::fill(explained.begin(), explained.end(), 0.0);
        for (std::size_t begin = 0; begin < n; begin += block)
            explain(density.data() + begin, n, rows.data() + begin, std::min(block, n - begin), weights,
                    explained);
        bool moved = false;
        for (std::size_t k = 0; k < n_components; ++k) {
            const double found =
                (weights[k] * explained[k] + prior) / (total + static_cast<double>(n_components) * prior);
            moved |= found != weights[k];
            weights[k] = found;
        }
        if (!moved) break;  // all further steps would say the same
    }
    return weights;
}

}  // namespace boxwood
