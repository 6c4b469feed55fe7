#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>

#include "arrays.hpp"
#include "histogram/bins.hpp"
#include "histogram/fill.hpp"
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

void add_to(const Bins& bins, const Column& values, const Vector& table, Totals out) {
    check_size(table.shape(0), bins.size() + 1, "the table needs an entry a bin and one for outside");
    check_size(out.shape(0), values.shape(0), "out must have as many entries as values");
    nb::gil_scoped_release nogil;
    add_by_bin(bins, strided(values), table.data(), out.data());
}

}  // namespace

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
        .def("add_to", &add_to, nb::arg("values").noconvert(), nb::arg("table").noconvert(),
             nb::arg("out").noconvert(),
             "Add to `out` what the table holds for each value's bin; NaN adds nothing.");
}

}  // namespace boxwood::bindings
