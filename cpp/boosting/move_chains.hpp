// The same rows under several chains at once, each in the coordinates of its own.
#pragma once

#include <cstddef>
#include <span>

#include "base/parallel.hpp"
#include "boosting/booster.hpp"

namespace boxwood {

// A chain and the rows in its coordinates, which are moved in place.
struct ChainRows {
    const MapChain* chain;
    double* points;
};

// Writes the log-density of each row (row) under each chain (column). Threads share blocks of rows; a row's
// result does not depend on its block.
void move_chains(std::span<const ChainRows> chains, std::size_t n_rows, double* log_density,
                 std::size_t n_threads, const Watch& watch = {});

}  // namespace boxwood
