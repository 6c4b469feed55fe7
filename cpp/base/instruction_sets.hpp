// Which instructions this machine has: for tables of kernels, of which the best usable one is taken at load.
// And what the core asks of the compiler beyond the standard: GNU C++, which gcc, clang, Apple clang and
// clang-cl know.
//
// Beside these macros the core has vectors of `__attribute__((vector_size))` and, where sums must be exact,
// `__int128`. cl.exe knows neither; CMakeLists.txt says so and names clang-cl.
#pragma once

#include <cstddef>

#if !defined(__GNUC__) && !defined(__clang__)
#error "boxwood needs g++, clang++ or, on Windows, clang-cl"
#endif

#if defined(__x86_64__)
#define BOXWOOD_X86 1
#define BOXWOOD_AVX2 __attribute__((target("avx2")))
#ifdef __clang__
#define BOXWOOD_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))
#else
#define BOXWOOD_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,prefer-vector-width=512")))
#endif
#endif

#define BOXWOOD_INLINE inline __attribute__((always_inline))
#define BOXWOOD_PREFETCH(address) __builtin_prefetch(address)

// Before a loop of eight.
#ifdef __clang__
#define BOXWOOD_UNROLL _Pragma("clang loop unroll_count(8)")
#else
#define BOXWOOD_UNROLL _Pragma("GCC unroll 8")
#endif

namespace boxwood {

// How many of portable, AVX2 and AVX-512 code can run here.
inline std::size_t usable_instruction_sets() {
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

}  // namespace boxwood
