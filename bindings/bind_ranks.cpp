#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "base/sort_points.hpp"
#include "histogram/ranks.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

Array<double> uniform_counts(const Ranks& ranks, double low, double high, std::size_t n_bins,
                             const std::optional<Vector>& cumulative) {
    if (cumulative && cumulative->shape(0) != ranks.size() + 1)
        throw std::invalid_argument("cumulative needs an entry more than there are values");
    std::vector<double> out;
    {
        nb::gil_scoped_release nogil;
        out = cumulative ? ranks.uniform_weights(low, high, n_bins, cumulative->data())
                         : ranks.uniform_counts(low, high, n_bins);
    }
    return to_numpy(std::move(out));
}

std::tuple<Array<double>, Array<double>> runs(const Column& values, const std::optional<Vector>& weights) {
    if (weights && weights->shape(0) != values.shape(0))
        throw std::invalid_argument("one weight a value is needed");
    Runs found;
    {
        nb::gil_scoped_release nogil;
        found = runs_of(strided(values), weights ? weights->data() : nullptr);
    }
    return {to_numpy(std::move(found.value)), to_numpy(std::move(found.weight))};
}

}  // namespace

void register_ranks(nb::module_& module) {
    nb::class_<Ranks>(module, "Ranks", "An index of sorted values, for the counts of any bins.")
        .def(
            "__init__",
            [](Ranks* self, const Vector& sorted) { new (self) Ranks(sorted.data(), sorted.shape(0)); },
            nb::arg("sorted").noconvert(), nb::keep_alive<1, 2>())
        .def("__len__", &Ranks::size)
        .def("below", &Ranks::below, nb::arg("x"), "How many values lie below x.")
        .def("uniform_counts", &uniform_counts, nb::arg("low"), nb::arg("high"), nb::arg("n_bins"),
             nb::arg("cumulative").noconvert().none() = nb::none(),
             "Counts of bins of equal width; weights where `cumulative` gives those of the first i values.");
    module.def("runs_of", &runs, nb::arg("values").noconvert(),
               nb::arg("weights").noconvert().none() = nb::none(),
               "The distinct values, ascending, and the weight of each.");
}

}  // namespace boxwood::bindings
