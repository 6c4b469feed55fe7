#include "networks/conditional_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "networks/network_kernels.hpp"
#include "networks/normal_mixture.hpp"

namespace boxwood {

namespace {

// Calls visit(row, mixture) for every row.
template <class Visit>
void for_each_mixture(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n,
                      const Visit& visit) {
    const std::size_t p = network.inputs.size();
    NetworkScratch scratch(p);
    for (std::size_t begin = 0; begin < n; begin += kBatch) {
        const std::size_t size = std::min(kBatch, n - begin);
        for (std::size_t i = 0; i < size; ++i) {
            const float* row = rows.data + (begin + i) * rows.n_columns;
            for (std::size_t j = 0; j < p; ++j) scratch.inputs[i * p + j] = row[network.inputs[j]];
        }
        network_kernels().forward({p}, network.parameters.data(), size, false, scratch);
        for (std::size_t i = 0; i < size; ++i)
            visit(begin + i, NormalMixture(scratch.outputs.data() + i * kOutputs));
    }
}

}  // namespace

void locate(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n,
            const LocatedValues& values) {
    constexpr double nowhere = -std::numeric_limits<double>::infinity();
    for_each_mixture(network, rows, n, [&](std::size_t i, const NormalMixture& mixture) {
        const std::size_t at = i * values.stride;
        const double low = values.low[at], high = values.high[at];
        if (low < high) {
            values.below[at] = mixture.mass(nowhere, low);
            values.logs[at] = std::log(std::max(mixture.mass(low, high), std::numeric_limits<double>::min()));
        } else {
            const NormalMixture::Value value = mixture.at(low);
            values.below[at] = value.below < value.above ? value.below : 1.0 - value.above;
            values.logs[at] = value.log_density;
        }
    });
}

void find_quantiles(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n,
                    const double* levels, double* scores) {
    for_each_mixture(network, rows, n, [&](std::size_t i, const NormalMixture& mixture) {
        scores[i] = mixture.quantile(levels[i], 1.0 - levels[i]);
    });
}

}  // namespace boxwood
