// Several floats at once, as many as this file's instruction set has in a register.
//
// Included by kernels that are compiled once for every instruction set; all of them give the same bytes,
// since each number goes the same way in every width and multiplications are fused with additions where this
// file says so, not where the compiler likes.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/instruction_sets.hpp"

#if defined(__SSE__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace boxwood {

namespace {  // a version a file

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 16;
#elif defined(__AVX2__)
constexpr std::size_t kLanes = 8;
#else
constexpr std::size_t kLanes = 4;
#endif

using Lanes = float __attribute__((vector_size(4 * kLanes)));
using IntLanes = std::int32_t __attribute__((vector_size(4 * kLanes)));

BOXWOOD_INLINE Lanes load(const float* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof(Lanes));
    return lanes;
}
BOXWOOD_INLINE void store(Lanes lanes, float* to) { std::memcpy(to, &lanes, sizeof(Lanes)); }

// By name where there is one: `Lanes{} + value` adds before it spreads, which took a third of all products.
BOXWOOD_INLINE Lanes all(float value) {
#if defined(__AVX512F__)
    return _mm512_set1_ps(value);
#elif defined(__AVX2__)
    return _mm256_set1_ps(value);
#elif defined(__SSE__)
    return _mm_set1_ps(value);
#elif defined(__ARM_NEON)
    return vdupq_n_f32(value);
#else
    return Lanes{value, value, value, value};
#endif
}

BOXWOOD_INLINE Lanes fused(Lanes a, Lanes b, Lanes c) {
#if defined(__AVX512F__)
    return _mm512_fmadd_ps(a, b, c);
#elif defined(__FMA__)
    return _mm256_fmadd_ps(a, b, c);
#elif defined(__ARM_NEON)
    return vfmaq_f32(c, a, b);
#else
    for (std::size_t i = 0; i < kLanes; ++i) c[i] = std::fma(a[i], b[i], c[i]);
    return c;
#endif
}

BOXWOOD_INLINE Lanes pick(IntLanes when, Lanes yes, Lanes no) { return when ? yes : no; }
BOXWOOD_INLINE Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }
BOXWOOD_INLINE Lanes smaller(Lanes a, Lanes b) { return a < b ? a : b; }

// A matrix of four by four.
BOXWOOD_INLINE void transpose_four(const float* from, std::size_t from_row, float* to, std::size_t to_row) {
#if defined(__SSE__)
    __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + from_row), c = _mm_loadu_ps(from + 2 * from_row),
           d = _mm_loadu_ps(from + 3 * from_row);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(to, a);
    _mm_storeu_ps(to + to_row, b);
    _mm_storeu_ps(to + 2 * to_row, c);
    _mm_storeu_ps(to + 3 * to_row, d);
#else
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) to[j * to_row + i] = from[i * from_row + j];
#endif
}

BOXWOOD_INLINE IntLanes bits(Lanes lanes) {
    IntLanes found;
    std::memcpy(&found, &lanes, sizeof(found));
    return found;
}
BOXWOOD_INLINE Lanes from_bits(IntLanes lanes) {
    Lanes found;
    std::memcpy(&found, &lanes, sizeof(found));
    return found;
}

// Adding 1.5·2²³ rounds to integers, which then stand in the low bits.
constexpr float kRounder = 12582912.0f;

struct SineAndCosine {
    Lanes sine, cosine;
};

// Within 2e-7 for arguments up to a few thousand: the nearest multiple of π in three parts, and series.
BOXWOOD_INLINE SineAndCosine sine_and_cosine(Lanes x) {
    const Lanes rounded = fused(x, all(0.31830988618f), all(kRounder));
    const Lanes n = rounded - kRounder;
    Lanes y = fused(n, all(-3.140625f), x);
    y = fused(n, all(-9.67502593994140625e-4f), y);
    y = fused(n, all(-1.509957990978376432e-7f), y);
    const Lanes y2 = y * y;
    Lanes s = fused(y2, all(-2.5052108e-8f), all(2.7557319e-6f));
    s = fused(y2, s, all(-1.9841270e-4f));
    s = fused(y2, s, all(8.3333333e-3f));
    s = fused(y2, s, all(-1.6666667e-1f));
    s = fused(y2 * y, s, y);
    Lanes c = fused(y2, all(2.0876757e-9f), all(-2.7557319e-7f));
    c = fused(y2, c, all(2.4801587e-5f));
    c = fused(y2, c, all(-1.3888889e-3f));
    c = fused(y2, c, all(4.1666667e-2f));
    c = fused(y2, c, all(-0.5f));
    c = fused(y2, c, all(1.0f));
    const IntLanes odd = bits(rounded) << 31;  // sines of odd multiples change their sign
    return {from_bits(bits(s) ^ odd), from_bits(bits(c) ^ odd)};
}

// Within 2e-7, relatively; 0 to 1e-38 below −87 and no more than e⁸⁸.
BOXWOOD_INLINE Lanes exponential(Lanes x) {
    x = larger(smaller(x, all(88.0f)), all(-87.0f));
    const Lanes rounded = fused(x, all(1.44269504f), all(kRounder));
    const Lanes n = rounded - kRounder;
    Lanes y = fused(n, all(-0.693359375f), x);
    y = fused(n, all(2.12194440e-4f), y);
    Lanes e = fused(y, all(1.3888889e-3f), all(8.3333333e-3f));
    e = fused(y, e, all(4.1666667e-2f));
    e = fused(y, e, all(1.6666667e-1f));
    e = fused(y, e, all(0.5f));
    e = fused(y, e, all(1.0f));
    e = fused(y, e, all(1.0f));
    return from_bits(bits(e) + (bits(rounded) << 23));
}

// Of positive normal numbers, within 2e-7.
BOXWOOD_INLINE Lanes logarithm(Lanes x) {
    const IntLanes above = bits(x) - 0x3f3504f3;  // of √½ … √2 times a power of two
    const IntLanes exponent = above >> 23;
    const Lanes m = from_bits(bits(x) - (exponent << 23)) - 1.0f;
    const Lanes t = m / (m + 2.0f);
    const Lanes t2 = t * t;
    Lanes s = fused(t2, all(1.0f / 9.0f), all(1.0f / 7.0f));
    s = fused(t2, s, all(1.0f / 5.0f));
    s = fused(t2, s, all(1.0f / 3.0f));
    s = fused(t2, s, all(1.0f));
    const Lanes e = __builtin_convertvector(exponent, Lanes);
    return fused(e, all(0.69314718056f), 2.0f * t * s);
}

BOXWOOD_INLINE Lanes root(Lanes x) {
#if defined(__AVX512F__)
    return _mm512_sqrt_ps(x);
#elif defined(__AVX2__)
    return _mm256_sqrt_ps(x);
#else
    for (std::size_t i = 0; i < kLanes; ++i) x[i] = std::sqrt(x[i]);
    return x;
#endif
}

}  // namespace

}  // namespace boxwood
