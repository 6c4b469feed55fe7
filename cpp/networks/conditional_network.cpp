#include "networks/conditional_network.hpp"

#include <algorithm>
#include <array>

#include "networks/network_kernels.hpp"

namespace boxwood {

namespace {

// Calls visit(first row, how many, outputs) for every batch.
template <class Visit>
void for_each_batch(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n,
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
        visit(begin, size, scratch.outputs.data());
    }
}

}  // namespace

void locate(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n,
            const LocatedValues& values) {
    std::array<double, kBatch> low, high, below, logs;
    for_each_batch(network, rows, n, [&](std::size_t begin, std::size_t size, const float* outputs) {
        for (std::size_t i = 0; i < size; ++i) {
            low[i] = values.low[(begin + i) * values.stride];
            high[i] = values.high[(begin + i) * values.stride];
        }
        network_kernels().locate(outputs, size, low.data(), high.data(), below.data(), logs.data());
        for (std::size_t i = 0; i < size; ++i) {
            values.below[(begin + i) * values.stride] = below[i];
            values.logs[(begin + i) * values.stride] = logs[i];
        }
    });
}

void find_quantiles(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n,
                    const double* levels, double* scores) {
    for_each_batch(network, rows, n, [&](std::size_t begin, std::size_t size, const float* outputs) {
        network_kernels().quantiles(outputs, size, levels + begin, scores + begin);
    });
}

}  // namespace boxwood
