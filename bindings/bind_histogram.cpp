#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "base/sort_points.hpp"
#include "histogram/bins.hpp"
#include "histogram/fill.hpp"
#include "histogram/ranks.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

using Totals = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void check_size(std::size_t size, std::size_t wanted, const char* what) {
    if (size != wanted) throw std::invalid_argument(what);
}

Array<double> count(const Bins& bins, const Column& values, const std::optional<Vector>& weights,
                    unsigned n_threads) {
    if (weights) check_size(weights->shape(0), values.shape(0), "one weight a row is needed");
    std::vector<double> out;
    {
        nb::gil_scoped_release nogil;
        if (weights) {
            out = weigh_values(bins, strided(values), weights->data(), n_threads);
        } else {
            const auto counts = count_values(bins, strided(values), n_threads);
            out.assign(counts.begin(), counts.end());
        }
    }
    return to_numpy(std::move(out));
}

Array<std::int32_t> find(const Bins& bins, const Column& values) {
    std::vector<std::int32_t> out(values.shape(0));
    {
        nb::gil_scoped_release nogil;
        find_bins(bins, strided(values), out.data());
    }
    return to_numpy(std::move(out));
}

using ClassCodes = Input<std::uint32_t>;

void check_classes(const ClassCodes& classes, std::size_t n_values, std::size_t n_classes) {
    check_size(classes.shape(0), n_values, "one class a value is needed");
    for (const std::uint32_t code : span_of(classes)) {
        if (code >= n_classes) throw std::invalid_argument("a class has no row of the table");
    }
}

MatrixArray<double> count_by_class(const Bins& bins, const Column& values, const ClassCodes& classes,
                                   std::size_t n_classes) {
    check_classes(classes, values.shape(0), n_classes);
    std::vector<double> out;
    {
        nb::gil_scoped_release nogil;
        out = count_classes(bins, strided(values), classes.data(), n_classes);
    }
    return to_numpy(std::move(out), n_classes, bins.size() + 1);
}

void add_of_class(const Bins& bins, const Column& values, const ClassCodes& classes, const PointMatrix& table,
                  Totals out) {
    check_classes(classes, values.shape(0), table.shape(0));
    check_size(table.shape(1), bins.size() + 1, "the table needs an entry a bin and one for outside");
    check_size(out.shape(0), values.shape(0), "out must have as many entries as values");
    nb::gil_scoped_release nogil;
    add_by_class(bins, strided(values), classes.data(), table.data(), out.data());
}

void add_to(const Bins& bins, const Column& values, const Vector& table, Totals out) {
    check_size(table.shape(0), bins.size() + 1, "the table needs an entry a bin and one for outside");
    check_size(out.shape(0), values.shape(0), "out must have as many entries as values");
    nb::gil_scoped_release nogil;
    add_by_bin(bins, strided(values), table.data(), out.data());
}

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

void register_bins(nb::module_& module) {
    nb::class_<Bins>(module, "Bins", "Ascending edges, and the way from a value to its bin.")
        .def(
            "__init__", [](Bins* self, const Vector& edges) { new (self) Bins(to_vector(edges)); },
            nb::arg("edges").noconvert())
        .def("__len__", &Bins::size)
        .def_prop_ro("is_uniform", &Bins::is_uniform)
        .def("count", &count, nb::arg("values").noconvert(),
             nb::arg("weights").noconvert().none() = nb::none(), nb::arg("n_threads") = 1,
             "Count or weight of each bin and, last, of what lies in none.")
        .def("find", &find, nb::arg("values").noconvert(),
             "The bin of each value; the number of bins where it lies in none.")
        .def("count_by_class", &count_by_class, nb::arg("values").noconvert(), nb::arg("classes").noconvert(),
             nb::arg("n_classes"),
             "How many values of each class lie in each bin and, last, in none: one row a class.")
        .def("add_of_class", &add_of_class, nb::arg("values").noconvert(), nb::arg("classes").noconvert(),
             nb::arg("table").noconvert(), nb::arg("out").noconvert(),
             "Add to `out` what the table, one row a class, holds for each value's class and bin.")
        .def("add_to", &add_to, nb::arg("values").noconvert(), nb::arg("table").noconvert(),
             nb::arg("out").noconvert(),
             "Add to `out` what the table holds for each value's bin; NaN adds nothing.");
}

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

}  // namespace

void register_histogram(nb::module_& module) {
    register_bins(module);
    register_ranks(module);
}

}  // namespace boxwood::bindings
