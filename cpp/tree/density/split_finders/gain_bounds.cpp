#include "tree/density/split_finders/gain_bounds.hpp"

#include <cstdint>
#include <cstring>

#include "base/instruction_sets.hpp"

namespace boxwood {

namespace {

template <int bytes>
struct Lanes {
    typedef double Double __attribute__((vector_size(bytes)));
    typedef std::int64_t Mask __attribute__((vector_size(bytes)));
    static constexpr std::size_t n = bytes / sizeof(double);
};

struct Bound {
    double fraction;
    double bound;
};

BOXWOOD_INLINE Bound bound_of(const GainBounds& candidates, double left, double u) {
    const double fraction = (u - candidates.low) * candidates.scale;
    const double surplus = left - candidates.total * fraction;
    const bool inside = fraction > 0.0 && fraction < 1.0;
    return {fraction, inside ? surplus * surplus / (candidates.total * fraction * (1.0 - fraction)) : -1.0};
}

// Every lane does what `bound_of` does, to the bit.
template <int bytes>
BOXWOOD_INLINE std::size_t bound_body(const GainBounds& candidates) {
    using Double = typename Lanes<bytes>::Double;
    using Mask = typename Lanes<bytes>::Mask;
    constexpr std::size_t W = Lanes<bytes>::n;
    const Double none = Double{} - 1.0;
    Double top = none;
    Double top_place{};
    Double place{};
    for (std::size_t k = 0; k < W; ++k) place[k] = static_cast<double>(k);
    std::size_t i = 0;
    for (; i + W <= candidates.n; i += W) {
        Double left;
        Double u;
        std::memcpy(&left, candidates.left + i, sizeof left);
        std::memcpy(&u, candidates.u + i, sizeof u);
        const Double fraction = (u - candidates.low) * candidates.scale;
        const Double surplus = left - candidates.total * fraction;
        const Mask inside = (fraction > 0.0) & (fraction < 1.0);
        const Double chi = surplus * surplus / (candidates.total * fraction * (1.0 - fraction));
        const Double bound = (Double)((inside & (Mask)chi) | (~inside & (Mask)none));
        std::memcpy(candidates.fraction + i, &fraction, sizeof fraction);
        std::memcpy(candidates.bound + i, &bound, sizeof bound);
        const Mask higher = bound > top;
        top = (Double)((higher & (Mask)bound) | (~higher & (Mask)top));
        top_place = (Double)((higher & (Mask)place) | (~higher & (Mask)top_place));
        place += static_cast<double>(W);
    }
    double largest = top[0];
    auto found = static_cast<std::size_t>(top_place[0]);
    for (std::size_t k = 1; k < W; ++k) {
        if (top[k] > largest) {
            largest = top[k];
            found = static_cast<std::size_t>(top_place[k]);
        }
    }
    for (; i < candidates.n; ++i) {
        const Bound last = bound_of(candidates, candidates.left[i], candidates.u[i]);
        candidates.fraction[i] = last.fraction;
        candidates.bound[i] = last.bound;
        if (last.bound > largest) {
            largest = last.bound;
            found = i;
        }
    }
    return found;
}

std::size_t bound_portable(const GainBounds& candidates) { return bound_body<16>(candidates); }

#ifdef BOXWOOD_X86
BOXWOOD_AVX2 std::size_t bound_avx2(const GainBounds& candidates) { return bound_body<32>(candidates); }
BOXWOOD_AVX512 std::size_t bound_avx512(const GainBounds& candidates) { return bound_body<64>(candidates); }

constexpr BoundCandidates table[] = {bound_portable, bound_avx2, bound_avx512};
#else
constexpr BoundCandidates table[] = {bound_portable};
#endif

}  // namespace

const BoundCandidates* all_bound_candidates(std::size_t& count) {
    static const std::size_t usable = usable_instruction_sets();
    count = usable;
    return table;
}

BoundCandidates bound_candidates() {
    std::size_t count = 0;
    const BoundCandidates* all = all_bound_candidates(count);
    return all[count - 1];
}

}  // namespace boxwood
