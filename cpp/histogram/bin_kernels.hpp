// The inner loops of binning, in one version for every instruction set; the best one is chosen at load.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxwood {

// x ↦ (x − low)·scale for low ≤ x ≤ high. Both steps round monotonically, so that the order of values stays.
struct LinearMap {
    double low = 0.0;
    double high = 0.0;
    double scale = 0.0;
    std::int32_t size = 0;  // the index given to what lies outside, and to NaN

    double operator()(double value) const { return (value - low) * scale; }
};

struct BinKernels {
    // Writes the whole part of the map to `bins`; true where a fraction lies within `doubt` of 0 or 1.
    bool (*uniform)(const double* values, std::size_t n, const LinearMap& map, double doubt,
                    std::int32_t* bins);
    // Looks the first bin of each value's cell up and moves on `steps` times where the value is beyond the
    // bin's upper edge. `outside` is the index of what lies outside.
    void (*cells)(const double* values, std::size_t n, const LinearMap& map, const std::int32_t* first,
                  const double* upper, int steps, std::int32_t outside, std::int32_t* bins);
    // Counts the edges in `upper` (2·half of them) that each value is not below.
    void (*search)(const double* values, std::size_t n, const double* upper, std::int32_t half,
                   std::int32_t* bins);
    const char* name;
};

// The kernels for this machine.
const BinKernels& bin_kernels();

// All that this machine can run, the most portable first: for tests.
const BinKernels* all_bin_kernels(std::size_t& count);

}  // namespace boxwood
