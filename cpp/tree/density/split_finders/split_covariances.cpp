#include "tree/density/split_finders/split_covariances.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/fast_log.hpp"
#include "base/instruction_sets.hpp"

namespace boxwood {

namespace {

// Number of pivots that are multiplied before one logarithm is taken. Each pivot lies between half of the
// variance floor and one, so the product does not underflow.
constexpr std::size_t pivots_a_log = 16;

template <int bytes>
struct Lanes {
    typedef double Double __attribute__((vector_size(bytes), aligned(8), may_alias));
    static constexpr std::size_t n = bytes / sizeof(double);
};

// One sum of one side of the splits in a vector.
template <int bytes, bool is_left>
BOXWOOD_INLINE void read_sum(const SplitCovariances& splits, std::size_t s, std::size_t first,
                             typename Lanes<bytes>::Double& sum) {
    using Double = typename Lanes<bytes>::Double;
    sum = *reinterpret_cast<const Double*>(splits.left + s * split_lanes + first);
    if constexpr (!is_left) sum = splits.node[s] - sum;
}

// The covariance of one side of the splits in a vector: its lower triangle, row by row.
template <int bytes, bool is_left>
BOXWOOD_INLINE void fill_covariances(const SplitCovariances& splits, std::size_t first, double* matrix,
                                     double* means) {
    using Double = typename Lanes<bytes>::Double;
    constexpr std::size_t W = Lanes<bytes>::n;
    const std::size_t d = splits.n_columns;
    Double sum;
    read_sum<bytes, is_left>(splits, 0, first, sum);
    const Double inverse = 1.0 / sum;
    for (std::size_t j = 0; j < d; ++j) {
        read_sum<bytes, is_left>(splits, 1 + j, first, sum);
        *reinterpret_cast<Double*>(means + j * W) = sum * inverse;
    }
    std::size_t s = 0;
    for (std::size_t j = 0; j < d; ++j) {
        const Double mean = *reinterpret_cast<const Double*>(means + j * W);
        for (std::size_t k = 0; k <= j; ++k, ++s) {
            const Double other = *reinterpret_cast<const Double*>(means + k * W);
            read_sum<bytes, is_left>(splits, 1 + d + s, first, sum);
            *reinterpret_cast<Double*>(matrix + s * W) = sum * inverse - mean * other;
        }
        Double& variance = *reinterpret_cast<Double*>(matrix + (s - 1) * W);
        const Double none{};
        variance = (variance > none ? variance : none) + splits.variance_floor;
    }
}

// Σ = L·diag(pivots)·Lᵀ, column by column; the lower triangle becomes L·diag(pivots). Four rows at a time:
// their sums do not wait for each other.
template <int bytes>
BOXWOOD_INLINE void factorize(std::size_t d, double floor, double* matrix, double* row, double* log_det) {
    using Double = typename Lanes<bytes>::Double;
    constexpr std::size_t W = Lanes<bytes>::n;
    const auto row_at = [&](std::size_t j) { return matrix + j * (j + 1) / 2 * W; };
    const auto at = [&](double* from, std::size_t k) __attribute__((always_inline)) -> Double& {
        return *reinterpret_cast<Double*>(from + k * W);
    };
    const Double least = Double{} + 0.5 * floor;
    Double product = Double{} + 1.0;
    double* inverse = row + d * W;
    for (std::size_t k = 0; k < d; ++k) {
        double* own = row_at(k);
        Double pivot = at(own, k);
        for (std::size_t m = 0; m < k; ++m) {
            at(row, m) = at(own, m) * at(inverse, m);
            pivot -= at(own, m) * at(row, m);
        }
        pivot = pivot > least ? pivot : least;
        at(inverse, k) = 1.0 / pivot;
        product *= pivot;
        if ((k + 1) % pivots_a_log == 0 || k + 1 == d) {
            for (std::size_t l = 0; l < W; ++l) log_det[l] += fast_log(product[l]);
            product = Double{} + 1.0;
        }
        std::size_t j = k + 1;
        for (; j + 4 <= d; j += 4) {
            double* const rows[4] = {row_at(j), row_at(j + 1), row_at(j + 2), row_at(j + 3)};
            Double a = at(rows[0], k), b = at(rows[1], k), c = at(rows[2], k), e = at(rows[3], k);
            for (std::size_t m = 0; m < k; ++m) {
                const Double factor = at(row, m);
                a -= at(rows[0], m) * factor;
                b -= at(rows[1], m) * factor;
                c -= at(rows[2], m) * factor;
                e -= at(rows[3], m) * factor;
            }
            at(rows[0], k) = a;
            at(rows[1], k) = b;
            at(rows[2], k) = c;
            at(rows[3], k) = e;
        }
        for (; j < d; ++j) {
            double* other = row_at(j);
            Double a = at(other, k);
            for (std::size_t m = 0; m < k; ++m) a -= at(other, m) * at(row, m);
            at(other, k) = a;
        }
    }
}

template <int bytes>
BOXWOOD_INLINE void log_determinants_body(const SplitCovariances& splits) {
    constexpr std::size_t W = Lanes<bytes>::n;
    const std::size_t d = splits.n_columns;
    double* row = splits.work + d * (d + 1) / 2 * W;
    std::fill_n(splits.log_left, split_lanes, 0.0);
    std::fill_n(splits.log_right, split_lanes, 0.0);
    for (std::size_t first = 0; first < split_lanes; first += W) {
        fill_covariances<bytes, true>(splits, first, splits.work, row);
        factorize<bytes>(d, splits.variance_floor, splits.work, row, splits.log_left + first);
        fill_covariances<bytes, false>(splits, first, splits.work, row);
        factorize<bytes>(d, splits.variance_floor, splits.work, row, splits.log_right + first);
    }
}

void log_determinants_portable(const SplitCovariances& splits) { log_determinants_body<16>(splits); }

#ifdef BOXWOOD_X86
BOXWOOD_AVX2 void log_determinants_avx2(const SplitCovariances& splits) { log_determinants_body<32>(splits); }
BOXWOOD_AVX512 void log_determinants_avx512(const SplitCovariances& splits) {
    log_determinants_body<64>(splits);
}

constexpr LogDeterminants table[] = {log_determinants_portable, log_determinants_avx2,
                                     log_determinants_avx512};
#else
constexpr LogDeterminants table[] = {log_determinants_portable};
#endif

}  // namespace

const LogDeterminants* all_log_determinants(std::size_t& count) {
    static const std::size_t usable = usable_instruction_sets();
    count = usable;
    return table;
}

LogDeterminants log_determinants() {
    std::size_t count = 0;
    const LogDeterminants* all = all_log_determinants(count);
    return all[count - 1];
}

}  // namespace boxwood
