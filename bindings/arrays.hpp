// How arrays cross the seam: dtype and order are fixed in Python, results are owned by a capsule.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/strided.hpp"

namespace boxwood::bindings {

namespace nb = nanobind;

using Column = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Writable = nb::ndarray<double, nb::ndim<1>, nb::device::cpu>;
using PointMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;
template <class T>
using MatrixArray = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>;

inline Strided strided(const Column& column) { return {column.data(), column.shape(0), column.stride(0)}; }

template <class T>
std::vector<T> to_vector(const Input<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

template <class T>
std::span<const T> span_of(const Input<T>& array) {
    return {array.data(), array.shape(0)};
}

template <class T>
Array<T> to_numpy(std::vector<T>&& values) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Array<T>(owned->data(), {owned->size()}, owner);
}

template <class T>
MatrixArray<T> to_numpy(std::vector<T>&& values, std::size_t n_rows, std::size_t n_columns) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return MatrixArray<T>(owned->data(), {n_rows, n_columns}, owner);
}

}  // namespace boxwood::bindings
