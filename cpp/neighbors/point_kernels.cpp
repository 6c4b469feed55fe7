#include "neighbors/point_kernels.hpp"

#include <cmath>

#include "neighbors/point_kernels_body.hpp"

namespace boxwood {

#ifdef BOXWOOD_X86_KERNELS
extern const PointKernels point_kernels_avx2;
extern const PointKernels point_kernels_avx512;
#endif

namespace {

constexpr PointKernels portable = kernels_of_this_file("portable");

std::size_t count_usable() {
#ifdef BOXWOOD_X86_KERNELS
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 1;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? 3 : 2;
#else
    return 1;
#endif
}

}  // namespace

std::size_t count_point_kernels() {
    static const std::size_t usable = count_usable();
    return usable;
}

const PointKernels& point_kernels_at(std::size_t i) {
#ifdef BOXWOOD_X86_KERNELS
    if (i == 2) return point_kernels_avx512;
    if (i == 1) return point_kernels_avx2;
#endif
    (void)i;
    return portable;
}

const PointKernels& point_kernels() { return point_kernels_at(count_point_kernels() - 1); }

double to_distance(Norm norm, double kept) { return norm == Norm::euclidean ? std::sqrt(kept) : kept; }

}  // namespace boxwood
