#include "base/log_gamma.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/instruction_sets.hpp"

namespace boxwood {

namespace {

constexpr std::size_t block = 64;

struct Block {
    std::array<double, block> x;        // at least 8 after the recurrence
    std::array<double, block> product;  // of the steps that led there
    std::array<double, block> log_x;
};

#ifdef BOXWOOD_X86
// GCC vectorises no loop with a choice in it by itself.
typedef double Lanes2 __attribute__((vector_size(16)));
typedef double Lanes4 __attribute__((vector_size(32)));
typedef double Lanes8 __attribute__((vector_size(64)));

template <class Lanes>
BOXWOOD_INLINE void shift_body(Block& b) {
    const Lanes zero{};
    const Lanes one = zero + 1.0;
    const Lanes eight = zero + 8.0;
    for (std::size_t i = 0; i < block; i += sizeof(Lanes) / sizeof(double)) {
        Lanes x;
        Lanes product = one;
        std::memcpy(&x, b.x.data() + i, sizeof x);
        for (int step = 0; step < 8; ++step) {  // a positive number is at least 8 after so many
            const auto below = x < eight;
            product *= below ? x : one;
            x += below ? one : zero;
        }
        std::memcpy(b.x.data() + i, &x, sizeof x);
        std::memcpy(b.product.data() + i, &product, sizeof x);
    }
}
#else
using Lanes2 = double;

template <class Lanes>
BOXWOOD_INLINE void shift_body(Block& b) {
    for (std::size_t i = 0; i < block; ++i) {
        b.product[i] = 1.0;
        while (b.x[i] < 8.0) b.product[i] *= b.x[i]++;
    }
}
#endif

BOXWOOD_INLINE void series_body(Block& b) {
    for (std::size_t i = 0; i < block; ++i) b.x[i] = stirling(b.x[i], b.log_x[i]);
}

struct Kernel {
    void (*shift)(Block&);
    void (*series)(Block&);
};

void shift_portable(Block& b) { shift_body<Lanes2>(b); }
void series_portable(Block& b) { series_body(b); }

#ifdef BOXWOOD_X86
BOXWOOD_AVX2 void shift_avx2(Block& b) { shift_body<Lanes4>(b); }
BOXWOOD_AVX2 void series_avx2(Block& b) { series_body(b); }
BOXWOOD_AVX512 void shift_avx512(Block& b) { shift_body<Lanes8>(b); }
BOXWOOD_AVX512 void series_avx512(Block& b) { series_body(b); }

constexpr Kernel kernels[] = {
    {shift_portable, series_portable}, {shift_avx2, series_avx2}, {shift_avx512, series_avx512}};
#else
constexpr Kernel kernels[] = {{shift_portable, series_portable}};
#endif

void run(const Kernel& kernel, double* x, std::size_t n) {
    Block b;
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t m = std::min(block, n - first);
        std::copy(x + first, x + first + m, b.x.begin());
        std::fill(b.x.begin() + static_cast<std::ptrdiff_t>(m), b.x.end(), 8.0);
        kernel.shift(b);
        for (std::size_t i = 0; i < m; ++i) b.log_x[i] = std::log(b.x[i]);
        std::fill(b.log_x.begin() + static_cast<std::ptrdiff_t>(m), b.log_x.end(), 0.0);
        kernel.series(b);
        for (std::size_t i = 0; i < m; ++i)
            x[first + i] = b.product[i] == 1.0 ? b.x[i] : b.x[i] - std::log(b.product[i]);
    }
}

}  // namespace

std::size_t n_log_gammas_kernels() {
    static const std::size_t usable = usable_instruction_sets();
    return usable;
}

void log_gammas_by(std::size_t kernel, double* x, std::size_t n) { run(kernels[kernel], x, n); }

void log_gammas(double* x, std::size_t n) { log_gammas_by(n_log_gammas_kernels() - 1, x, n); }

}  // namespace boxwood
