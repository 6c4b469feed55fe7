// The loops behind point_kernels.hpp. Each file that includes this is compiled for one instruction set, whose
// macros choose the lanes; everything has internal linkage, so that no version leaks into another.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "neighbors/point_kernels.hpp"

namespace boxwood {

namespace {

#if defined(__AVX512F__)

struct Lanes {
    using V = __m512d;
    static constexpr std::size_t width = 8;
    static V load(const double* x) { return _mm512_loadu_pd(x); }
    static void store(double* x, V v) { _mm512_storeu_pd(x, v); }
    static V all(double x) { return _mm512_set1_pd(x); }
    static V add(V a, V b) { return _mm512_add_pd(a, b); }
    static V sub(V a, V b) { return _mm512_sub_pd(a, b); }
    static V mul(V a, V b) { return _mm512_mul_pd(a, b); }
    static V max(V a, V b) { return _mm512_max_pd(a, b); }
    static V abs(V a) { return _mm512_abs_pd(a); }
    static std::uint32_t at_most(V a, V b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
};

struct Floats {
    using V = __m512;
    static constexpr std::size_t width = 16;
    static constexpr std::size_t vectors = 2;
    static constexpr std::size_t queries = 12;
    static V load(const float* x) { return _mm512_loadu_ps(x); }
    static V all(float x) { return _mm512_set1_ps(x); }
    static V minus_product(V c, V a, V b) { return _mm512_fnmadd_ps(a, b, c); }
    static std::uint32_t at_most(V a, V b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
};

#elif defined(__AVX2__)

struct Lanes {
    using V = __m256d;
    static constexpr std::size_t width = 4;
    static V load(const double* x) { return _mm256_loadu_pd(x); }
    static void store(double* x, V v) { _mm256_storeu_pd(x, v); }
    static V all(double x) { return _mm256_set1_pd(x); }
    static V add(V a, V b) { return _mm256_add_pd(a, b); }
    static V sub(V a, V b) { return _mm256_sub_pd(a, b); }
    static V mul(V a, V b) { return _mm256_mul_pd(a, b); }
    static V max(V a, V b) { return _mm256_max_pd(a, b); }
    static V abs(V a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
    static std::uint32_t at_most(V a, V b) {
        return static_cast<std::uint32_t>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ)));
    }
};

struct Floats {
    using V = __m256;
    static constexpr std::size_t width = 8;
    static constexpr std::size_t vectors = 2;
    static constexpr std::size_t queries = 6;
    static V load(const float* x) { return _mm256_loadu_ps(x); }
    static V all(float x) { return _mm256_set1_ps(x); }
    static V minus_product(V c, V a, V b) { return _mm256_fnmadd_ps(a, b, c); }
    static std::uint32_t at_most(V a, V b) {
        return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)));
    }
};

#else

// Four numbers in a row, which a compiler turns into what the machine has.
template <class T>
struct Four {
    T x[4];
};

template <class T, class F>
inline Four<T> each(F&& f) {
    return {{f(0), f(1), f(2), f(3)}};
}

template <class T>
inline std::uint32_t mask_at_most(const Four<T>& a, const Four<T>& b) {
    std::uint32_t mask = 0;
    for (std::uint32_t i = 0; i < 4; ++i) mask |= static_cast<std::uint32_t>(a.x[i] <= b.x[i]) << i;
    return mask;
}

struct Lanes {
    using V = Four<double>;
    static constexpr std::size_t width = 4;
    static V load(const double* x) { return {{x[0], x[1], x[2], x[3]}}; }
    static void store(double* x, const V& v) {
        for (int i = 0; i < 4; ++i) x[i] = v.x[i];
    }
    static V all(double x) { return {{x, x, x, x}}; }
    static V add(const V& a, const V& b) {
        return each<double>([&](int i) { return a.x[i] + b.x[i]; });
    }
    static V sub(const V& a, const V& b) {
        return each<double>([&](int i) { return a.x[i] - b.x[i]; });
    }
    static V mul(const V& a, const V& b) {
        return each<double>([&](int i) { return a.x[i] * b.x[i]; });
    }
    static V max(const V& a, const V& b) {
        return each<double>([&](int i) { return a.x[i] > b.x[i] ? a.x[i] : b.x[i]; });
    }
    static V abs(const V& a) {
        return each<double>([&](int i) { return std::fabs(a.x[i]); });
    }
    static std::uint32_t at_most(const V& a, const V& b) { return mask_at_most(a, b); }
};

struct Floats {
    using V = Four<float>;
    static constexpr std::size_t width = 4;
    static constexpr std::size_t vectors = 2;
    static constexpr std::size_t queries = 4;
    static V load(const float* x) { return {{x[0], x[1], x[2], x[3]}}; }
    static V all(float x) { return {{x, x, x, x}}; }
    static V minus_product(const V& c, const V& a, const V& b) {
        return each<float>([&](int i) { return c.x[i] - a.x[i] * b.x[i]; });
    }
    static std::uint32_t at_most(const V& a, const V& b) { return mask_at_most(a, b); }
};

#endif

struct Euclidean {
    static Lanes::V step(Lanes::V sum, Lanes::V size) { return Lanes::add(sum, Lanes::mul(size, size)); }
    static Lanes::V size(Lanes::V difference) { return difference; }  // its square has no sign
};

struct Manhattan {
    static Lanes::V step(Lanes::V sum, Lanes::V size) { return Lanes::add(sum, size); }
    static Lanes::V size(Lanes::V difference) { return Lanes::abs(difference); }
};

struct Chebyshev {
    static Lanes::V step(Lanes::V sum, Lanes::V size) { return Lanes::max(sum, size); }
    static Lanes::V size(Lanes::V difference) { return Lanes::abs(difference); }
};

template <std::size_t N>
inline std::uint32_t finish(const Lanes::V (&sums)[N], double bound, double* distances) {
    const Lanes::V bounds = Lanes::all(bound);
    std::uint32_t mask = 0;
#pragma GCC unroll 8
    for (std::size_t v = 0; v < N; ++v) {
        Lanes::store(distances + v * Lanes::width, sums[v]);
        mask |= Lanes::at_most(sums[v], bounds) << (v * Lanes::width);
    }
    return mask;
}

template <class Step>
std::uint32_t leaf_body(const double* points, std::size_t n_dims, const double* query, double, double bound,
                        double* distances) {
    constexpr std::size_t n = kLeaf / Lanes::width;
    Lanes::V sums[n];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < n; ++v) sums[v] = Lanes::all(0.0);
    for (std::size_t d = 0; d < n_dims; ++d, points += kLeaf) {
        const Lanes::V q = Lanes::all(query[d]);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < n; ++v) {
            const Lanes::V x = Lanes::load(points + v * Lanes::width);
            sums[v] = Step::step(sums[v], Step::size(Lanes::sub(x, q)));
        }
    }
    return finish(sums, bound, distances);
}

template <class Step>
std::uint32_t boxes_body(const double* boxes, std::size_t n_dims, const double* query, double, double bound,
                         double* distances) {
    constexpr std::size_t n = kChildren / Lanes::width;
    Lanes::V sums[n];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < n; ++v) sums[v] = Lanes::all(0.0);
    for (std::size_t d = 0; d < n_dims; ++d, boxes += 2 * kChildren) {
        const Lanes::V q = Lanes::all(query[d]);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < n; ++v) {
            const Lanes::V below = Lanes::sub(Lanes::load(boxes + v * Lanes::width), q);
            const Lanes::V above = Lanes::sub(q, Lanes::load(boxes + kChildren + v * Lanes::width));
            sums[v] = Step::step(sums[v], Lanes::max(Lanes::max(below, above), Lanes::all(0.0)));
        }
    }
    return finish(sums, bound, distances);
}

// Any p, with the largest difference taken out so that no power overflows. The power need not be monotone to
// the last bit: boxes get a margin.
template <std::size_t N, class Size>
inline std::uint32_t minkowski_body(std::size_t n_dims, double p, double margin, double bound,
                                    double* distances, Size&& size) {
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < N; ++i) {
        double largest = 0.0;
        for (std::size_t d = 0; d < n_dims; ++d) largest = std::fmax(largest, size(d, i));
        double sum = 0.0;
        if (largest > 0.0 && largest < HUGE_VAL) {
            for (std::size_t d = 0; d < n_dims; ++d) sum += std::pow(size(d, i) / largest, p);
            largest *= std::pow(sum, 1.0 / p);
        }
        distances[i] = largest * margin;
        mask |= static_cast<std::uint32_t>(distances[i] <= bound) << i;
    }
    return mask;
}

std::uint32_t minkowski_leaf(const double* points, std::size_t n_dims, const double* query, double p,
                             double bound, double* distances) {
    return minkowski_body<kLeaf>(n_dims, p, 1.0, bound, distances, [&](std::size_t d, std::size_t i) {
        return std::fabs(points[d * kLeaf + i] - query[d]);
    });
}

std::uint32_t minkowski_boxes(const double* boxes, std::size_t n_dims, const double* query, double p,
                              double bound, double* distances) {
    return minkowski_body<kChildren>(
        n_dims, p, 1.0 - 1e-12, bound, distances, [&](std::size_t d, std::size_t i) {
            const double* box = boxes + 2 * kChildren * d + i;
            const double outside = std::fmax(box[0] - query[d], query[d] - box[kChildren]);
            return std::fmax(outside, 0.0);
        });
}

void products_body(const float* panel, const float* offsets, const float* tile, std::size_t n_dims,
                   const float* thresholds, std::uint32_t* masks) {
    constexpr std::size_t V = Floats::vectors;
    constexpr std::size_t Q = Floats::queries;
    Floats::V sums[Q][V];
#pragma GCC unroll 16
    for (std::size_t q = 0; q < Q; ++q) {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < V; ++v) sums[q][v] = Floats::load(offsets + v * Floats::width);
    }
    for (std::size_t d = 0; d < n_dims; ++d, panel += V * Floats::width, tile += Q) {
        Floats::V x[V];
#pragma GCC unroll 4
        for (std::size_t v = 0; v < V; ++v) x[v] = Floats::load(panel + v * Floats::width);
#pragma GCC unroll 16
        for (std::size_t q = 0; q < Q; ++q) {
            const Floats::V w = Floats::all(tile[q]);
#pragma GCC unroll 4
            for (std::size_t v = 0; v < V; ++v) sums[q][v] = Floats::minus_product(sums[q][v], x[v], w);
        }
    }
#pragma GCC unroll 16
    for (std::size_t q = 0; q < Q; ++q) {
        const Floats::V threshold = Floats::all(thresholds[q]);
        std::uint32_t mask = 0;
#pragma GCC unroll 4
        for (std::size_t v = 0; v < V; ++v) {
            mask |= Floats::at_most(sums[q][v], threshold) << (v * Floats::width);
        }
        masks[q] = mask;
    }
}

constexpr PointKernels kernels_of_this_file(const char* name) {
    return {
        {leaf_body<Euclidean>, leaf_body<Manhattan>, leaf_body<Chebyshev>, minkowski_leaf},
        {boxes_body<Euclidean>, boxes_body<Manhattan>, boxes_body<Chebyshev>, minkowski_boxes},
        products_body,
        Floats::vectors * Floats::width,
        Floats::queries,
        name,
    };
}

}  // namespace

}  // namespace boxwood
