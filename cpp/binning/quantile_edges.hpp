// Neighbouring values between which a column is divided into parts of equal weight, found without sorting it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/strided.hpp"

namespace boxwood {

// An edge lies between two distinct values next to each other.
struct Edges {
    std::vector<double> low;  // ascending
    std::vector<double> high;
};

// For k = 1 … n_parts − 1 the first edge with at least k/n_parts of the weight below it, or the last one;
// each once. NaN does not count; `weights` may be null. Empty where a sample of the values has fewer than
// `least_distinct` different ones: then the column may have few, and sorting it is quick.
Edges quantile_edges(Strided values, const std::int64_t* weights, std::size_t n_parts,
                     std::size_t least_distinct);

}  // namespace boxwood
