// Compiled for this instruction set alone (CMakeLists.txt) where the compiler makes code for x86.
#ifdef BOXWOOD_X86_KERNELS

#include "networks/network_kernels_body.hpp"

namespace boxwood {

extern const NetworkKernels network_kernels_avx2;
const NetworkKernels network_kernels_avx2 = network_kernels_of_this_file("avx2");

}  // namespace boxwood

#endif
