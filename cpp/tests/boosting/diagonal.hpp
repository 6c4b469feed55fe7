// Rows for tests of boosting: points along the diagonal of the square.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/random.hpp"
#include "boosting/map_grower.hpp"

namespace boxwood::testing {

inline CubeRows diagonal(std::size_t n, std::uint64_t seed) {
    Draws draws(seed);
    CubeRows rows{2, {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
        const double at = draws.uniform();
        rows.points.push_back(at);
        rows.points.push_back(std::clamp(at + 0.1 * (draws.uniform() - 0.5), 0.0, 1.0));
    }
    return rows;
}

}  // namespace boxwood::testing
