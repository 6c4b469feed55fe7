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

// Values to locate and what is found of them, `stride` apart.
struct LocatedValues {
    const double* low;
    const double* high;  // may be infinite, as `low`; equal to it where a value is a point
    double* below;       // the mass below `low`
    double* logs;        // the log-density of a point, the logarithm of the mass of an interval
    std::size_t stride;
};
void locate(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n,
            const LocatedValues& values);

// The scores at which the distribution function takes these levels.
void find_quantiles(const ConditionalNetwork& network, NetworkInputs rows, std::size_t n,
                    const double* levels, double* scores);

}  // namespace boxwood
