#include "boxwood/bin_kernels.hpp"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define BOXWOOD_X86 1
#endif

#define BOXWOOD_INLINE inline __attribute__((always_inline))

namespace boxwood {

namespace {

// Branchless, so that the compiler turns it into vector code of whatever width the caller is compiled for.
BOXWOOD_INLINE bool uniform_body(const double* values, std::size_t n, const LinearMap& map, double doubt,
                                 std::int32_t* bins) {
    const double low = map.low;
    const double high = map.high;
    const double scale = map.scale;
    const double outside = map.size + 0.5;  // half way between two edges: never in doubt
    const double safe = 0.5 - doubt;
    std::int32_t doubts = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = values[i];
        const double inside = (x - low) * scale;
        const double f = ((x >= low) & (x <= high)) ? inside : outside;
        const auto bin = static_cast<std::int32_t>(f);
        const double off = f - static_cast<double>(bin) - 0.5;
        doubts |= (off >= safe) | (off <= -safe);
        bins[i] = bin;
    }
    return doubts != 0;
}

BOXWOOD_INLINE void cells_body(const double* values, std::size_t n, const LinearMap& map,
                               const std::int32_t* first, const double* upper, int steps,
                               std::int32_t outside, std::int32_t* bins) {
    const double low = map.low;
    const double high = map.high;
    const double scale = map.scale;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = values[i];
        const bool inside = (x >= low) & (x <= high);
        const auto cell = static_cast<std::int32_t>(inside ? (x - low) * scale : 0.0);
        std::int32_t bin = first[cell];
        bin += x >= upper[bin];
        bins[i] = inside ? bin : outside;
    }
    for (int step = 1; step < steps; ++step) {
        for (std::size_t i = 0; i < n; ++i) bins[i] += values[i] >= upper[bins[i]];
    }
}

bool uniform_portable(const double* values, std::size_t n, const LinearMap& map, double doubt,
                      std::int32_t* bins) {
    return uniform_body(values, n, map, doubt, bins);
}

void cells_portable(const double* values, std::size_t n, const LinearMap& map, const std::int32_t* first,
                    const double* upper, int steps, std::int32_t outside, std::int32_t* bins) {
    cells_body(values, n, map, first, upper, steps, outside, bins);
}

#ifdef BOXWOOD_X86

#define BOXWOOD_AVX2 __attribute__((target("avx2")))
#ifdef __clang__
#define BOXWOOD_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))
#else
#define BOXWOOD_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,prefer-vector-width=512")))
#endif

BOXWOOD_AVX2 bool uniform_avx2(const double* values, std::size_t n, const LinearMap& map, double doubt,
                               std::int32_t* bins) {
    return uniform_body(values, n, map, doubt, bins);
}

BOXWOOD_AVX2 void cells_avx2(const double* values, std::size_t n, const LinearMap& map,
                             const std::int32_t* first, const double* upper, int steps, std::int32_t outside,
                             std::int32_t* bins) {
    cells_body(values, n, map, first, upper, steps, outside, bins);
}

BOXWOOD_AVX512 bool uniform_avx512(const double* values, std::size_t n, const LinearMap& map, double doubt,
                                   std::int32_t* bins) {
    return uniform_body(values, n, map, doubt, bins);
}

BOXWOOD_AVX512 void cells_avx512(const double* values, std::size_t n, const LinearMap& map,
                                 const std::int32_t* first, const double* upper, int steps,
                                 std::int32_t outside, std::int32_t* bins) {
    cells_body(values, n, map, first, upper, steps, outside, bins);
}

#endif

constexpr BinKernels table[] = {
    {uniform_portable, cells_portable, "portable"},
#ifdef BOXWOOD_X86
    {uniform_avx2, cells_avx2, "avx2"},
    {uniform_avx512, cells_avx512, "avx512"},
#endif
};

std::size_t count_usable() {
#ifdef BOXWOOD_X86
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) return 1;
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    return wide ? 3 : 2;
#else
    return 1;
#endif
}

}  // namespace

const BinKernels* all_bin_kernels(std::size_t& count) {
    static const std::size_t usable = count_usable();
    count = usable;
    return table;
}

const BinKernels& bin_kernels() {
    std::size_t count = 0;
    const BinKernels* all = all_bin_kernels(count);
    return all[count - 1];
}

}  // namespace boxwood
