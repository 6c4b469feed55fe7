#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "margins/adaptive_grid.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

using Nogil = nb::call_guard<nb::gil_scoped_release>;

const std::int64_t* data_or_null(const std::optional<Integers>& weights, std::size_t n_rows) {
    if (!weights) return nullptr;
    if (weights->shape(0) != n_rows) throw std::invalid_argument("one weight a row is needed");
    return weights->data();
}

void add(CellCounter& counter, const Column& values, const std::optional<Integers>& weights) {
    const auto* data = data_or_null(weights, values.shape(0));
    nb::gil_scoped_release nogil;
    counter.add(strided(values), data);
}

using CellArrays = std::tuple<Array<double>, Array<double>, Array<std::int64_t>>;

CellArrays to_arrays(AdaptiveGrid&& found) {
    return {to_numpy(std::move(found.low)), to_numpy(std::move(found.high)),
            to_numpy(std::move(found.count))};
}

std::tuple<CellArrays, std::int64_t> cells_of(const Column& values, const std::optional<Integers>& weights) {
    const auto* data = data_or_null(weights, values.shape(0));
    SortedCells found;
    {
        nb::gil_scoped_release nogil;
        found = cells_of_column(strided(values), data);
    }
    return {to_arrays(std::move(found.cells)), found.missing};
}

CellArrays cells(const CellCounter& counter) {
    AdaptiveGrid found;
    {
        nb::gil_scoped_release nogil;
        found = counter.cells();
    }
    return to_arrays(std::move(found));
}

CellCounter count(const Column& values, const std::optional<Integers>& weights) {
    const auto* data = data_or_null(weights, values.shape(0));
    nb::gil_scoped_release nogil;
    return count_cells(strided(values), data);
}

}  // namespace

void register_adaptive_grid(nb::module_& module) {
    nb::class_<CellCounter>(module, "CellCounter",
                            "Counts a column on a fixed grid of ordered float bits, refined in passes.")
        .def(nb::init<>())
        .def("add", &add, nb::arg("values").noconvert(), nb::arg("weights").noconvert().none() = nb::none(),
             "Count values in the cells that are open in this pass.")
        .def("merge", &CellCounter::merge, nb::arg("other"), Nogil(),
             "Add the counts of another part of the rows.")
        .def("empty_like", &CellCounter::empty_like, Nogil(),
             "A counter with the same open cells and no counts in them.")
        .def("refine", &CellCounter::refine, Nogil(), "Open crowded cells; true where another pass is due.")
        .def("cells", &cells, "Smallest value, largest value and count of each cell, ascending.")
        .def_prop_ro("total", &CellCounter::total, "Total weight of the values that are not missing.")
        .def_prop_ro("missing", &CellCounter::missing, "Total weight of the missing values.");
    module.def(
        "cells_of_column", &cells_of, nb::arg("values").noconvert(),
        nb::arg("weights").noconvert().none() = nb::none(),
        "Cells of a whole column, as `CellCounter.cells` gives them, and the weight of missing values.");
    module.def("count_cells", &count, nb::arg("values").noconvert(),
               nb::arg("weights").noconvert().none() = nb::none(), "All passes over one column in memory.");
}

}  // namespace boxwood::bindings
