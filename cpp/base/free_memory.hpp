// Giving memory back to the system that the allocator keeps for later.
#pragma once

#include <cstdlib>  // defines __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace boxwood {

// glibc keeps up to tens of megabytes of what was freed, in every thread's own part of the heap, where other
// threads do not find it. Elsewhere there is nothing to do.
inline void give_back_free_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace boxwood
