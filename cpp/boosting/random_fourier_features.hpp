// Random Fourier features of points: cos(2π·(phase + Σ frequency·x)), the features of smooth regressions.
#pragma once

#include <cstddef>
#include <span>

namespace boxwood {

struct FourierFeatures {
    std::size_t n_columns = 0;
    std::span<const double> frequencies;  // n_columns × n_waves, in turns a unit
    std::span<const double> phases;       // in turns

    std::size_t size() const { return phases.size(); }
};

// The loops in one version for every instruction set; all give the same bytes.
struct FourierKernels {
    // Writes the features of n points (n × n_columns) to `features` (n × n_waves).
    void (*features)(const FourierFeatures& fourier, const double* points, std::size_t n, double* features);
    // Writes Σ coefficient·feature of each point to `sums` (n × n_sums); coefficients: n_sums × n_waves.
    void (*sums)(const FourierFeatures& fourier, const double* coefficients, std::size_t n_sums,
                 const double* points, std::size_t n, double* sums);
    const char* name;
};

// The kernels for this machine.
const FourierKernels& fourier_kernels();

// The same sums where a point has more columns than the features, which read the first of them: `points` is
// n × stride.
void fourier_sums_of_first_columns(const FourierFeatures& fourier, const double* coefficients,
                                   std::size_t n_sums, const double* points, std::size_t stride,
                                   std::size_t n, double* sums);

// All that this machine can run, the most portable first: for tests.
std::span<const FourierKernels> all_fourier_kernels();

}  // namespace boxwood
