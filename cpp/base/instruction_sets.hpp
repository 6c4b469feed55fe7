// Which instructions this machine has: for tables of kernels, of which the best usable one is taken at load.
#pragma once

#include <cstddef>

#include "base/compiler.hpp"

namespace boxwood {

// How many of portable, AVX2 and AVX-512 code can run here.
inline std::size_t usable_instruction_sets() {
#ifdef BOXWOOD_X86
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) return 1;
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    return wide ? 3 : 2;
#else
    return 1;
#endif
}

}  // namespace boxwood
