// Compiled for this instruction set alone (CMakeLists.txt) where the compiler makes code for x86.
#ifdef BOXWOOD_X86_KERNELS

#include "neighbors/point_kernels_body.hpp"

namespace boxwood {

extern const PointKernels point_kernels_avx2;
const PointKernels point_kernels_avx2 = kernels_of_this_file("avx2");

}  // namespace boxwood

#endif
