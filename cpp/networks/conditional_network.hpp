// A trained network as a map of one column: the distribution function of its mixture, and its inverse.
#pragma once

#include <cstddef>
#include <span>

#include "networks/network_shape.hpp"

namespace boxwood {

// The network's parameters, and which columns of a row are its inputs.
struct ConditionalNetwork {
    std::span<const float> parameters;
    std::span<const std::size_t> inputs;
};

// Rows that a network is evaluated for: n × n_columns.
struct NetworkInputs {
    const float* data;
    std::size_t n_columns;
};

// The distribution function at scores[i], given row i, and the log-density there.
void distribute(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n, const double* scores,
                double* levels, double* log_densities);

// The masses below low[i], which may be infinite, and between low[i] and high[i].
void find_masses(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n, const double* low,
                 const double* high, double* below, double* between);

// The scores at which the distribution function takes these levels.
void find_quantiles(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n,
                    const double* levels, double* scores);

}  // namespace boxwood
