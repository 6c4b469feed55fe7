// One pass over numbers on their way through input validation: what is missing, what is out of range.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/strided.hpp"

namespace boxwood {

// Numbers of this size or more are refused, as ±inf is, so that ranges and sums of what passes stay
// finite.
inline constexpr double number_limit = 0x1p997;

struct Scan {
    std::int64_t n_missing = 0;         // NaNs
    std::int64_t first_missing = -1;    // index of the first NaN, −1 where there is none
    std::int64_t first_oversized = -1;  // index of the first ±inf or |x| ≥ number_limit, −1 where none
};

Scan scan_values(Strided values);

}  // namespace boxwood
