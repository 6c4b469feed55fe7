// A sum of products that is vectorised and rounds the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>

namespace boxwood {

inline constexpr std::size_t n_lanes = 8;  // sums side by side, in registers

inline double dot(const double* a, const double* b, std::size_t n) {
    std::array<double, n_lanes> lanes{};
    const std::size_t whole = n - n % n_lanes;
    for (std::size_t i = 0; i < whole; i += n_lanes)
        for (std::size_t lane = 0; lane < n_lanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
    for (std::size_t lane = 0; lane < n % n_lanes; ++lane) lanes[lane] += a[whole + lane] * b[whole + lane];
    return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

}  // namespace boxwood
