#include "boosting/random_fourier_features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/instruction_sets.hpp"

namespace boxwood {

namespace {

constexpr std::size_t block = 64;  // features at once: their values stay in the first cache
constexpr std::size_t n_lanes = 8;
// Adding and subtracting 1.5·2⁵² rounds to integers, in two instructions that every machine has.
constexpr double rounder = 6755399441055744.0;

// cos(2π·turns) within 1e-9: the sine of a quarter turn at most, by seven terms of its series.
BOXWOOD_INLINE double cosine(double turns) {
    const double whole = (turns + rounder) - rounder;
    const double y = 2.0 * std::numbers::pi * (0.25 - std::abs(turns - whole));
    const double y2 = y * y;
    double sum = 1.0 / 6227020800.0;
    sum = sum * y2 - 1.0 / 39916800.0;
    sum = sum * y2 + 1.0 / 362880.0;
    sum = sum * y2 - 1.0 / 5040.0;
    sum = sum * y2 + 1.0 / 120.0;
    sum = sum * y2 - 1.0 / 6.0;
    return y + y * (y2 * sum);
}

// The features begin … begin + n of a point.
BOXWOOD_INLINE void fourier_of(const FourierFeatures& fourier, const double* point, std::size_t begin,
                               std::size_t n, double* values) {
    const double* phases = fourier.phases.data() + begin;
    for (std::size_t k = 0; k < n; ++k) values[k] = phases[k];
    for (std::size_t j = 0; j < fourier.n_columns; ++j) {
        const double x = point[j];
        const double* frequencies = fourier.frequencies.data() + j * fourier.size() + begin;
        for (std::size_t k = 0; k < n; ++k) values[k] += x * frequencies[k];
    }
    for (std::size_t k = 0; k < n; ++k) values[k] = cosine(values[k]);
}

BOXWOOD_INLINE void features_body(const FourierFeatures& fourier, const double* points, std::size_t n,
                                  double* features) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t begin = 0; begin < fourier.size(); begin += block) {
            const std::size_t size = std::min(block, fourier.size() - begin);
            fourier_of(fourier, points + i * fourier.n_columns, begin, size,
                       features + i * fourier.size() + begin);
        }
    }
}

// Products are added up in eight lanes whatever the registers' width, so that all versions give the same.
BOXWOOD_INLINE double product(const double* one, const double* other, std::size_t n) {
    std::array<double, n_lanes> lanes{};
    std::size_t k = 0;
    for (; k + n_lanes <= n; k += n_lanes)
        for (std::size_t lane = 0; lane < n_lanes; ++lane) lanes[lane] += one[k + lane] * other[k + lane];
    for (; k < n; ++k) lanes[k % n_lanes] += one[k] * other[k];
    double sum = 0.0;
    for (const double lane : lanes) sum += lane;
    return sum;
}

BOXWOOD_INLINE void sums_body(const FourierFeatures& fourier, const double* coefficients, std::size_t n_sums,
                              const double* points, std::size_t n, double* sums) {
    std::array<double, block> values;
    std::fill_n(sums, n * n_sums, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t begin = 0; begin < fourier.size(); begin += block) {
            const std::size_t size = std::min(block, fourier.size() - begin);
            fourier_of(fourier, points + i * fourier.n_columns, begin, size, values.data());
            for (std::size_t s = 0; s < n_sums; ++s)
                sums[i * n_sums + s] +=
                    product(values.data(), coefficients + s * fourier.size() + begin, size);
        }
    }
}

void features_portable(const FourierFeatures& fourier, const double* points, std::size_t n,
                       double* features) {
    features_body(fourier, points, n, features);
}
void sums_portable(const FourierFeatures& fourier, const double* coefficients, std::size_t n_sums,
                   const double* points, std::size_t n, double* sums) {
    sums_body(fourier, coefficients, n_sums, points, n, sums);
}

#ifdef BOXWOOD_X86
BOXWOOD_AVX2 void features_avx2(const FourierFeatures& fourier, const double* points, std::size_t n,
                                double* features) {
    features_body(fourier, points, n, features);
}
BOXWOOD_AVX2 void sums_avx2(const FourierFeatures& fourier, const double* coefficients, std::size_t n_sums,
                            const double* points, std::size_t n, double* sums) {
    sums_body(fourier, coefficients, n_sums, points, n, sums);
}
BOXWOOD_AVX512 void features_avx512(const FourierFeatures& fourier, const double* points, std::size_t n,
                                    double* features) {
    features_body(fourier, points, n, features);
}
BOXWOOD_AVX512 void sums_avx512(const FourierFeatures& fourier, const double* coefficients,
                                std::size_t n_sums, const double* points, std::size_t n, double* sums) {
    sums_body(fourier, coefficients, n_sums, points, n, sums);
}
#endif

constexpr FourierKernels kernels[] = {
    {features_portable, sums_portable, "portable"},
#ifdef BOXWOOD_X86
    {features_avx2, sums_avx2, "avx2"},
    {features_avx512, sums_avx512, "avx512"},
#endif
};

}  // namespace

std::span<const FourierKernels> all_fourier_kernels() {
    static const std::size_t usable = usable_instruction_sets();
    return std::span(kernels).first(usable);
}

const FourierKernels& fourier_kernels() { return all_fourier_kernels().back(); }

void fourier_sums_of_first_columns(const FourierFeatures& fourier, const double* coefficients,
                                   std::size_t n_sums, const double* points, std::size_t stride,
                                   std::size_t n, double* sums) {
    constexpr std::size_t rows_at_once = 256;
    const std::size_t d = fourier.n_columns;
    std::vector<double> first(std::min(rows_at_once, n) * d);
    for (std::size_t begin = 0; begin < n; begin += rows_at_once) {
        const std::size_t size = std::min(rows_at_once, n - begin);
        for (std::size_t i = 0; i < size; ++i)
            std::copy_n(points + (begin + i) * stride, d, first.data() + i * d);
        fourier_kernels().sums(fourier, coefficients, n_sums, first.data(), size, sums + begin * n_sums);
    }
}

}  // namespace boxwood
