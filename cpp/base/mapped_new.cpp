// `operator new` of the core, which takes large blocks from mapped files while a setting is in force.
//
// The linker has the core's own calls of the operators come here (--wrap, see CMakeLists.txt): neither those
// of other libraries in the process nor a sanitizer's are replaced, and __real_ are those that would have
// been called. So no vector of a table's size is forgotten, now or later, and none changes its type. A block
// of the core may be freed here alone: a std::string, whose code is partly the C++ library's own, must stay
// below the threshold, which is a megabyte or more.
#include <cstddef>
#include <new>

#include "base/mapped_memory.hpp"

#ifdef BOXWOOD_WRAPPED_NEW

using boxwood::is_to_be_mapped;
using boxwood::map_block;
using boxwood::unmap_block;

extern "C" {

// Names as the compiler mangles them, where size_t is unsigned long.
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __real__Znwm(std::size_t bytes);
void* __real__Znam(std::size_t bytes);
void* __real__ZnwmRKSt9nothrow_t(std::size_t bytes, const std::nothrow_t& tag) noexcept;
void __real__ZdlPv(void* block) noexcept;
void __real__ZdlPvm(void* block, std::size_t bytes) noexcept;
void __real__ZdaPv(void* block) noexcept;
void __real__ZdaPvm(void* block, std::size_t bytes) noexcept;
void __real__ZdlPvRKSt9nothrow_t(void* block, const std::nothrow_t& tag) noexcept;

#pragma GCC visibility push(hidden)
void* __wrap__Znwm(std::size_t bytes) {
    return is_to_be_mapped(bytes) ? map_block(bytes) : __real__Znwm(bytes);
}

void* __wrap__Znam(std::size_t bytes) {
    return is_to_be_mapped(bytes) ? map_block(bytes) : __real__Znam(bytes);
}

// Scratch memory of std::stable_sort, which does with less where there is none.
void* __wrap__ZnwmRKSt9nothrow_t(std::size_t bytes, const std::nothrow_t& tag) noexcept {
    if (!is_to_be_mapped(bytes)) return __real__ZnwmRKSt9nothrow_t(bytes, tag);
    try {
        return map_block(bytes);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void __wrap__ZdlPv(void* block) noexcept {
    if (!unmap_block(block)) __real__ZdlPv(block);
}

void __wrap__ZdlPvm(void* block, std::size_t bytes) noexcept {
    if (!unmap_block(block)) __real__ZdlPvm(block, bytes);
}

void __wrap__ZdaPv(void* block) noexcept {
    if (!unmap_block(block)) __real__ZdaPv(block);
}

void __wrap__ZdaPvm(void* block, std::size_t bytes) noexcept {
    if (!unmap_block(block)) __real__ZdaPvm(block, bytes);
}

void __wrap__ZdlPvRKSt9nothrow_t(void* block, const std::nothrow_t& tag) noexcept {
    if (!unmap_block(block)) __real__ZdlPvRKSt9nothrow_t(block, tag);
}
#pragma GCC visibility pop
// NOLINTEND(bugprone-reserved-identifier)

}  // extern "C"

#endif
