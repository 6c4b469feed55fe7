#include "mixture/histogram_kernels.hpp"

#include "base/instruction_sets.hpp"

namespace boxwood {

namespace {

constexpr int smoothing_passes = 2;

// Written so that compilers vectorise every loop; no sum runs over bins, so that lanes do not change a bit.
BOXWOOD_INLINE void shrink_body(const ShrunkHistograms& h) {
    double* __restrict smooth = h.smooth;
    double* __restrict flow = h.flow + 1;  // what a bin gets from its right neighbour
    const double* __restrict gets = h.gets;
    const double* __restrict gives = h.gives;
    for (std::size_t k = 0; k < h.n; ++k) smooth[k] = h.counts[k];
    smooth[h.n] = 0.0;
    flow[-1] = 0.0;
    for (int pass = 0; pass < smoothing_passes; ++pass) {
        for (std::size_t k = 0; k < h.n; ++k) flow[k] = gets[k] * smooth[k + 1] - gives[k] * smooth[k];
        for (std::size_t k = 0; k < h.n; ++k) smooth[k] += flow[k] - (flow - 1)[k];
    }
    double* __restrict fractions = h.fractions;
    for (std::size_t k = 0; k < h.n; ++k) fractions[k] = (smooth[k] + h.prior * fractions[k]) * h.scale;
}

void shrink_portable(const ShrunkHistograms& h) { shrink_body(h); }

#ifdef BOXWOOD_X86
BOXWOOD_AVX2 void shrink_avx2(const ShrunkHistograms& h) { shrink_body(h); }
BOXWOOD_AVX512 void shrink_avx512(const ShrunkHistograms& h) { shrink_body(h); }

constexpr ShrinkHistograms table[] = {shrink_portable, shrink_avx2, shrink_avx512};
#else
constexpr ShrinkHistograms table[] = {shrink_portable};
#endif

}  // namespace

const ShrinkHistograms* all_shrink_histograms(std::size_t& count) {
    static const std::size_t usable = usable_instruction_sets();
    count = usable;
    return table;
}

ShrinkHistograms shrink_histograms() {
    std::size_t count = 0;
    const ShrinkHistograms* all = all_shrink_histograms(count);
    return all[count - 1];
}

}  // namespace boxwood
