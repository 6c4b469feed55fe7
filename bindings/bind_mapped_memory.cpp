// Memory in mapped files, for the core and for numpy's arrays.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <tuple>

#include "base/mapped_memory.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace nb = nanobind;

namespace {

void* allocate(void*, std::size_t bytes) noexcept {
    if (!is_to_be_mapped(bytes)) return std::malloc(std::max<std::size_t>(bytes, 1));
    try {
        return map_block(bytes);
    } catch (const std::bad_alloc&) {
        return nullptr;  // numpy raises MemoryError, and mapping_failure says why
    }
}

void* allocate_zeros(void*, std::size_t n, std::size_t size) noexcept {
    constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
    if (size == 0 || n > largest / size || !is_to_be_mapped(n * size))
        return std::calloc(std::max<std::size_t>(n, 1), std::max<std::size_t>(size, 1));
    try {
        return map_zeros(n * size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void release(void*, void* block, std::size_t) noexcept {
    if (!unmap_block(block)) std::free(block);
}

void* reallocate(void* context, void* block, std::size_t bytes) noexcept {
    const std::size_t mapped = mapped_size(block);
    if (mapped == 0) return std::realloc(block, std::max<std::size_t>(bytes, 1));
    void* moved = allocate(context, bytes);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, block, std::min(mapped, bytes));
    unmap_block(block);
    return moved;
}

// NEP 49's handler of array memory. It is declared here, not included: numpy promises that neither this
// layout nor the places of functions in its table change, and its headers would be needed for nothing else.
struct ArrayMemory {
    char name[127];
    std::uint8_t version;
    void* context;
    void* (*malloc)(void*, std::size_t) noexcept;
    void* (*calloc)(void*, std::size_t, std::size_t) noexcept;
    void* (*realloc)(void*, void*, std::size_t) noexcept;
    void (*free)(void*, void*, std::size_t) noexcept;
};

ArrayMemory mapped_arrays{"boxwood", 1, nullptr, allocate, allocate_zeros, reallocate, release};

// Sets the handler of arrays that are made from now on in this context; None is numpy's own. Returns the one
// before.
nb::object set_array_memory(const nb::object& handler) {
    constexpr std::size_t set_handler = 304;  // PyDataMem_SetHandler, since numpy 1.22
    const nb::object table = nb::module_::import_("numpy._core._multiarray_umath").attr("_ARRAY_API");
    auto** functions = static_cast<void**>(PyCapsule_GetPointer(table.ptr(), nullptr));
    if (functions == nullptr) throw nb::python_error();
    const auto set = reinterpret_cast<PyObject* (*)(PyObject*)>(functions[set_handler]);
    PyObject* before = set(handler.is_none() ? nullptr : handler.ptr());
    if (before == nullptr) throw nb::python_error();
    return nb::steal(before);
}

nb::object mapped_array_memory() {
    PyObject* capsule = PyCapsule_New(&mapped_arrays, "mem_handler", nullptr);
    if (capsule == nullptr) throw nb::python_error();
    return nb::steal(capsule);
}

std::tuple<std::size_t, std::size_t, std::size_t> totals() {
    const MappedTotals found = mapped_totals();
    return {found.blocks, found.bytes, found.largest};
}

}  // namespace

void register_mapped_memory(nb::module_& module) {
    module.def("start_mapping", &start_mapping, nb::arg("folder"), nb::arg("threshold"),
               "Put blocks of memory of at least so many bytes into files without a name, until "
               "`stop_mapping` of the number that is returned.");
    module.def("stop_mapping", &stop_mapping, nb::arg("number"));
    module.def("set_array_memory", &set_array_memory, nb::arg("handler").none(),
               "Set what gives numpy's arrays their memory in this context, and return what did before.");
    module.def("mapped_array_memory", &mapped_array_memory,
               "Return what gives arrays memory of mapped files while a setting is in force.");
    module.def("mapped_totals", &totals,
               "Return how many blocks are mapped, of how many bytes, and the most bytes at a time.");
    module.def("mapping_failure", &mapping_failure, "Return why the last block could not be mapped.");
}

}  // namespace boxwood::bindings
