#include "boosting/logistic_loss.hpp"

#include <bit>

#include "base/instruction_sets.hpp"

namespace boxwood {

namespace {

// e^x of x ≤ 0 within 4e-16 relatively, and e⁻⁷⁰⁰ of what is further out: by the nearest multiple of log 2
// and a polynomial. Without branches, so that compilers vectorise the loops.
BOXWOOD_INLINE double exponential(double x) {
    constexpr double rounder = 6755399441055744.0;  // 1.5·2⁵²: its low bits are integers
    x = x < -700.0 ? -700.0 : x;
    const double rounded = x * 1.4426950408889634 + rounder;
    const double n = rounded - rounder;
    const double y = (x - n * 0.6931471803691238) - n * 1.9082149292705877e-10;
    double e = 2.5114870219497476e-08;
    e = e * y + 2.7632640675430235e-07;
    e = e * y + 2.755722495611072e-06;
    e = e * y + 2.480148547921643e-05;
    e = e * y + 0.00019841269909219843;
    e = e * y + 0.0013888888952318045;
    e = e * y + 0.008333333333309526;
    e = e * y + 0.04166666666648808;
    e = e * y + 0.16666666666666702;
    e = e * y + 0.5000000000000019;
    e = (e * y + 1.0) * y + 1.0;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(e) +
                                 (std::bit_cast<std::uint64_t>(rounded) << 52));
}

// log(1 + e) of e in [0, 1] within 3e-16: 2·artanh(e / (2 + e)), by powers of at most 1/3.
BOXWOOD_INLINE double log_of_one_more(double e) {
    const double t = e / (2.0 + e), t2 = t * t;
    double s = 1.0 / 31.0;
    for (int odd = 29; odd > 0; odd -= 2) s = s * t2 + 1.0 / odd;
    return 2.0 * t * s;
}

BOXWOOD_INLINE void derivatives_body(const LogisticRows& rows, const PackedScale& scale,
                                     PackedDerivatives* __restrict found) {
    const double* __restrict logits = rows.logits;
    const double* __restrict signs = rows.signs;
    const double* __restrict weights = rows.weights;
    const PackedScale own = scale;  // in registers: what is found may lie anywhere
    for (std::size_t i = 0; i < rows.n; ++i) {
        const double x = signs[i] * logits[i];
        const double e = exponential(x < 0.0 ? x : -x);
        const double smaller = e / (1.0 + e);                    // of the two chances
        const double wrong = x < 0.0 ? 1.0 - smaller : smaller;  // that of the other sign
        found[i] = own.pack({weights[i] * (signs[i] * wrong), weights[i] * smaller * (1.0 - smaller)});
    }
}

BOXWOOD_INLINE void losses_body(const LogisticRows& rows, double* __restrict found) {
    const double* __restrict logits = rows.logits;
    const double* __restrict signs = rows.signs;
    const double* __restrict weights = rows.weights;
    for (std::size_t i = 0; i < rows.n; ++i) {
        const double x = signs[i] * logits[i];
        found[i] = weights[i] * (log_of_one_more(exponential(x < 0.0 ? x : -x)) + (x < 0.0 ? -x : 0.0));
    }
}

void derivatives_portable(const LogisticRows& rows, const PackedScale& scale, PackedDerivatives* found) {
    derivatives_body(rows, scale, found);
}
void losses_portable(const LogisticRows& rows, double* found) { losses_body(rows, found); }

#ifdef BOXWOOD_X86
BOXWOOD_AVX2 void derivatives_avx2(const LogisticRows& rows, const PackedScale& scale,
                                   PackedDerivatives* found) {
    derivatives_body(rows, scale, found);
}
BOXWOOD_AVX2 void losses_avx2(const LogisticRows& rows, double* found) { losses_body(rows, found); }
BOXWOOD_AVX512 void derivatives_avx512(const LogisticRows& rows, const PackedScale& scale,
                                       PackedDerivatives* found) {
    derivatives_body(rows, scale, found);
}
BOXWOOD_AVX512 void losses_avx512(const LogisticRows& rows, double* found) { losses_body(rows, found); }

constexpr LogisticLoss table[] = {{derivatives_portable, losses_portable},
                                  {derivatives_avx2, losses_avx2},
                                  {derivatives_avx512, losses_avx512}};
#else
constexpr LogisticLoss table[] = {{derivatives_portable, losses_portable}};
#endif

}  // namespace

const LogisticLoss* all_logistic_losses(std::size_t& count) {
    static const std::size_t usable = usable_instruction_sets();
    count = usable;
    return table;
}

const LogisticLoss& logistic_loss() {
    std::size_t count = 0;
    const LogisticLoss* all = all_logistic_losses(count);
    return all[count - 1];
}

}  // namespace boxwood
