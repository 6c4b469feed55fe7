#include "tree/density/gain_bounds.hpp"

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
    double share;
    double bound;
};

BOXWOOD_INLINE Bound bound_of(const CutBounds& cuts, double left, double u) {
    const double share = (u - cuts.low) * cuts.scale;
    const double surplus = left - cuts.total * share;
    const bool inside = share > 0.0 && share < 1.0;
    return {share, inside ? surplus * surplus / (cuts.total * share * (1.0 - share)) : -1.0};
}

// Every lane does what `bound_of` does, to the bit.
template <int bytes>
BOXWOOD_INLINE std::size_t bound_body(const CutBounds& cuts) {
    using Double = typename Lanes<bytes>::Double;
    using Mask = typename Lanes<bytes>::Mask;
    constexpr std::size_t W = Lanes<bytes>::n;
    const Double none = Double{} - 1.0;
    Double top = none;
    Double top_place{};
    Double place{};
    for (std::size_t k = 0; k < W; ++k) place[k] = static_cast<double>(k);
    std::size_t i = 0;
    for (; i + W <= cuts.n; i += W) {
        Double left;
        Double u;
        std::memcpy(&left, cuts.left + i, sizeof left);
        std::memcpy(&u, cuts.u + i, sizeof u);
        const Double share = (u - cuts.low) * cuts.scale;
        const Double surplus = left - cuts.total * share;
        const Mask inside = (share > 0.0) & (share < 1.0);
        const Double chi = surplus * surplus / (cuts.total * share * (1.0 - share));
        const Double bound = (Double)((inside & (Mask)chi) | (~inside & (Mask)none));
        std::memcpy(cuts.share + i, &share, sizeof share);
        std::memcpy(cuts.bound + i, &bound, sizeof bound);
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
    for (; i < cuts.n; ++i) {
        const Bound last = bound_of(cuts, cuts.left[i], cuts.u[i]);
        cuts.share[i] = last.share;
        cuts.bound[i] = last.bound;
        if (last.bound > largest) {
            largest = last.bound;
            found = i;
        }
    }
    return found;
}

std::size_t bound_portable(const CutBounds& cuts) { return bound_body<16>(cuts); }

#ifdef BOXWOOD_X86
BOXWOOD_AVX2 std::size_t bound_avx2(const CutBounds& cuts) { return bound_body<32>(cuts); }
BOXWOOD_AVX512 std::size_t bound_avx512(const CutBounds& cuts) { return bound_body<64>(cuts); }

constexpr BoundCuts table[] = {bound_portable, bound_avx2, bound_avx512};
#else
constexpr BoundCuts table[] = {bound_portable};
#endif

}  // namespace

const BoundCuts* all_bound_cuts(std::size_t& count) {
    static const std::size_t usable = usable_instruction_sets();
    count = usable;
    return table;
}

BoundCuts bound_cuts() {
    std::size_t count = 0;
    const BoundCuts* all = all_bound_cuts(count);
    return all[count - 1];
}

}  // namespace boxwood
