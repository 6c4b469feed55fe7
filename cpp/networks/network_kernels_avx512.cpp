// Compiled for this instruction set alone (CMakeLists.txt) where the compiler makes code for x86.
#ifdef BOXWOOD_X86_KERNELS

#include "networks/network_kernels_body.hpp"

namespace boxwood {

extern const NetworkKernels network_kernels_avx512;
const NetworkKernels network_kernels_avx512 = network_kernels_of_this_file("avx512");

}  // namespace boxwood

#endif
