#include "table/scan.hpp"

#include <algorithm>
#include <cmath>

namespace boxwood {

namespace {

constexpr std::size_t block_size = 4096;

// The scaled value overflows exactly where |x| ≥ number_limit, and y − y is 0 for finite y and NaN
// otherwise, so one sum over a block tells whether a closer look is due. Measured: it vectorises,
// where a test per value with an early exit does not (4 times slower).
double doubt(double value) {
    const double scaled = value * 0x1p27;
    return scaled - scaled;
}

bool is_clean(Strided values, std::size_t begin, std::size_t end) {
    double lanes[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t i = begin;
    if (values.stride == 1) {
        for (; i + 4 <= end; i += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] += doubt(values.data[i + lane]);
        }
    }
    for (; i < end; ++i) lanes[0] += doubt(values[i]);
    return lanes[0] + lanes[1] + lanes[2] + lanes[3] == 0.0;
}

}  // namespace

Scan scan_values(Strided values) {
    Scan scan;
    for (std::size_t begin = 0; begin < values.size; begin += block_size) {
        const std::size_t end = std::min(values.size, begin + block_size);
        if (is_clean(values, begin, end)) continue;
        for (std::size_t i = begin; i < end; ++i) {
            const auto index = static_cast<std::int64_t>(i);
            if (std::isnan(values[i])) {
                ++scan.n_missing;
                if (scan.first_missing < 0) scan.first_missing = index;
            } else if (std::abs(values[i]) >= number_limit && scan.first_oversized < 0) {
                scan.first_oversized = index;
            }
        }
    }
    return scan;
}

}  // namespace boxwood
