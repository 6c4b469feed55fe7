// Waves over points: cos(2π·(phase + Σ frequency·x)), the features of smooth regressions.
#pragma once

#include <cstddef>
#include <span>

namespace boxwood {

struct Waves {
    std::size_t n_columns = 0;
    std::span<const double> frequencies;  // n_columns × n_waves, in turns a unit
    std::span<const double> phases;       // in turns

    std::size_t size() const { return phases.size(); }
};

// The loops in one version for every instruction set; all give the same bytes.
struct WaveKernels {
    // Writes the waves of n points (n × n_columns) to `features` (n × n_waves).
    void (*features)(const Waves& waves, const double* points, std::size_t n, double* features);
    // Writes Σ coefficient·wave of each point to `sums` (n × n_sums); coefficients: n_sums × n_waves.
    void (*sums)(const Waves& waves, const double* coefficients, std::size_t n_sums, const double* points,
                 std::size_t n, double* sums);
    const char* name;
};

// The kernels for this machine.
const WaveKernels& wave_kernels();

// All that this machine can run, the most portable first: for tests.
std::span<const WaveKernels> all_wave_kernels();

}  // namespace boxwood
