// Which observations of a row are left out: drawn by the row's content alone, so that neither the order of
// rows nor their partition matters. A row has one observation or several equal ones, its units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

struct Units {
    const std::uint64_t* key;          // hash of the row's content
    const std::int64_t* observations;  // at least 1
    std::size_t n_rows;
};

// How many units of each row fall into each of `n_folds` folds (row-major, one row a row of the table).
std::vector<std::int64_t> deal_folds(const Units& units, std::size_t n_folds, std::uint64_t seed);

// How many units of each row are held out where each is with this probability.
std::vector<std::int64_t> hold_out(const Units& units, double fraction, std::uint64_t seed);

// A number in [0, 1) for each key, to put rows or groups in a random order.
std::vector<double> draw_uniform(const std::uint64_t* keys, std::size_t n, std::uint64_t seed);

}  // namespace boxwood
