#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "register.hpp"
#include "tree/shapley/tree_shapley.hpp"

namespace boxwood::bindings {

namespace {

void make_shapley(TreeShapley* out, const FittedTrees& trees, const Vector& counts,
                  const PointMatrix& responses) {
    std::vector<double> predicted(responses.data(), responses.data() + responses.size());
    nb::gil_scoped_release nogil;
    new (out) TreeShapley(trees, to_vector(counts), std::move(predicted), responses.shape(1));
}

MatrixArray<double> values(const TreeShapley& shapley, const PointMatrix& rows, std::size_t n_threads) {
    if (rows.shape(1) != shapley.n_columns())
        throw std::invalid_argument("rows have too few or too many columns");
    const std::size_t n_values = shapley.n_columns() * shapley.n_outputs();
    std::vector<double> out(rows.shape(0) * n_values);
    {
        const nb::object no_progress = nb::none();
        const Watch watch = watch_signals(no_progress);
        nb::gil_scoped_release nogil;
        shapley.values(rows.data(), rows.shape(0), out.data(), n_threads, watch);
    }
    return to_numpy(std::move(out), rows.shape(0), n_values);
}

}  // namespace

void register_tree_shapley(nb::module_& module) {
    nb::class_<TreeShapley>(module, "TreeShapley", "Shapley values of what trees predict.")
        .def("__init__", &make_shapley, nb::arg("trees"), nb::arg("counts").noconvert(),
             nb::arg("responses").noconvert())
        .def(
            "expected", [](const TreeShapley& shapley) { return to_numpy(shapley.expected()); },
            "What is predicted where no column is known.")
        .def("values", &values, nb::arg("rows").noconvert(), nb::arg("n_threads") = 1,
             "For each row the values of the columns, one an output.");
}

}  // namespace boxwood::bindings
