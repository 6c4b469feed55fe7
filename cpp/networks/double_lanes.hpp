// Several doubles at once, as many as this file's instruction set has in a register; see lanes.hpp, whose
// promise of the same bytes in every width these keep.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "networks/lanes.hpp"

namespace boxwood {

namespace {  // a version a file

constexpr std::size_t kDoubles = kLanes / 2;

using Doubles = double __attribute__((vector_size(8 * kDoubles)));
using LongLanes = std::int64_t __attribute__((vector_size(8 * kDoubles)));

BOXWOOD_INLINE Doubles load(const double* from) {
    Doubles lanes;
    std::memcpy(&lanes, from, sizeof(Doubles));
    return lanes;
}
BOXWOOD_INLINE void store(Doubles lanes, double* to) { std::memcpy(to, &lanes, sizeof(Doubles)); }
BOXWOOD_INLINE Doubles all(double value) {
#if defined(__AVX512F__)
    return _mm512_set1_pd(value);
#elif defined(__AVX2__)
    return _mm256_set1_pd(value);
#else
    return Doubles{value, value};
#endif
}

BOXWOOD_INLINE Doubles fused(Doubles a, Doubles b, Doubles c) {
#if defined(__AVX512F__)
    return _mm512_fmadd_pd(a, b, c);
#elif defined(__FMA__)
    return _mm256_fmadd_pd(a, b, c);
#elif defined(__ARM_NEON)
    return vfmaq_f64(c, a, b);
#else
    for (std::size_t i = 0; i < kDoubles; ++i) c[i] = std::fma(a[i], b[i], c[i]);
    return c;
#endif
}

BOXWOOD_INLINE Doubles pick(LongLanes when, Doubles yes, Doubles no) { return when ? yes : no; }
BOXWOOD_INLINE Doubles larger(Doubles a, Doubles b) { return a > b ? a : b; }
BOXWOOD_INLINE Doubles smaller(Doubles a, Doubles b) { return a < b ? a : b; }
BOXWOOD_INLINE Doubles magnitude(Doubles a) { return larger(a, -a); }

BOXWOOD_INLINE bool any(LongLanes lanes) {
    std::int64_t found = 0;
    for (std::size_t i = 0; i < kDoubles; ++i) found |= lanes[i];
    return found != 0;
}

BOXWOOD_INLINE LongLanes bits(Doubles lanes) {
    LongLanes found;
    std::memcpy(&found, &lanes, sizeof(found));
    return found;
}
BOXWOOD_INLINE Doubles from_bits(LongLanes lanes) {
    Doubles found;
    std::memcpy(&found, &lanes, sizeof(found));
    return found;
}

// Σ coefficients[i]·xⁱ.
template <std::size_t n>
BOXWOOD_INLINE Doubles polynomial(const double (&coefficients)[n], Doubles x) {
    Doubles sum = all(coefficients[n - 1]);
    for (std::size_t i = n - 1; i-- > 0;) sum = fused(sum, x, all(coefficients[i]));
    return sum;
}

// Within 3e-16, relatively; 0 below −708.
BOXWOOD_INLINE Doubles exponential(Doubles x) {
    // Chebyshev's interpolation on ±½·log 2.
    constexpr double series[] = {1.0,
                                 1.0,
                                 0.5000000000000019,
                                 0.16666666666666702,
                                 0.04166666666648808,
                                 0.008333333333309526,
                                 0.0013888888952318045,
                                 0.00019841269909219843,
                                 2.480148547921643e-05,
                                 2.755722495611072e-06,
                                 2.7632640675430235e-07,
                                 2.5114870219497476e-08};
    constexpr double rounder = 6755399441055744.0;  // 1.5·2⁵²
    const LongLanes vanishes = x < -708.0;
    x = larger(smaller(x, all(709.0)), all(-708.0));
    const Doubles rounded = fused(x, all(1.4426950408889634), all(rounder));
    const Doubles n = rounded - rounder;
    Doubles y = fused(n, all(-0.6931471803691238), x);
    y = fused(n, all(-1.9082149292705877e-10), y);
    return pick(vanishes, Doubles{}, from_bits(bits(polynomial(series, y)) + (bits(rounded) << 52)));
}

// Of positive normal numbers, within 3e-16 of numbers beyond ±1 and within 1e-16 of others.
BOXWOOD_INLINE Doubles logarithm(Doubles x) {
    constexpr double series[] = {1.0,        1.0 / 3.0,  1.0 / 5.0,  1.0 / 7.0,  1.0 / 9.0, 1.0 / 11.0,
                                 1.0 / 13.0, 1.0 / 15.0, 1.0 / 17.0, 1.0 / 19.0, 1.0 / 21.0};
    const LongLanes above = bits(x) - 0x3fe6a09e667f3bcd;  // of √½ … √2 times a power of two
    const LongLanes exponent = above >> 52;
    const Doubles m = from_bits(bits(x) - (exponent << 52)) - 1.0;
    const Doubles t = m / (m + 2.0);
    const Doubles e = __builtin_convertvector(exponent, Doubles);
    return fused(e, all(0.6931471805599453), 2.0 * t * polynomial(series, t * t));
}

BOXWOOD_INLINE Doubles root(Doubles x) {
#if defined(__AVX512F__)
    return _mm512_maskz_sqrt_pd(0xff, x);  // the plain one begins with lanes that GCC 12 warns of
#elif defined(__AVX2__)
    return _mm256_sqrt_pd(x);
#else
    for (std::size_t i = 0; i < kDoubles; ++i) x[i] = std::sqrt(x[i]);
    return x;
#endif
}

}  // namespace

}  // namespace boxwood
