#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "linear/column_moments.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

using Rows = PointMatrix;
using Classes = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = MatrixArray<double>;

std::tuple<Matrix, Matrix, Matrix> moments(const Rows& rows, const Classes& classes, std::size_t n_classes,
                                           const std::optional<Vector>& weights, bool missing) {
    const std::size_t n = rows.shape(0);
    const std::size_t d = rows.shape(1);
    if (classes.shape(0) != n || (weights && weights->shape(0) != n))
        throw std::invalid_argument("classes and weights need an entry a row");
    const auto* begin = classes.data();
    if (std::any_of(begin, begin + n, [&](std::uint32_t k) { return k >= n_classes; }))
        throw std::invalid_argument("a class is out of range");
    const ClassedRows table{rows.data(), n, d, begin, n_classes, weights ? weights->data() : nullptr};
    ColumnMoments found;
    {
        nb::gil_scoped_release nogil;
        found = column_moments(table, missing);
    }
    return {to_numpy(std::move(found.weight), n_classes, d), to_numpy(std::move(found.mean), n_classes, d),
            to_numpy(std::move(found.variance), n_classes, d)};
}

Matrix log_density(const Rows& rows, const Rows& mean, const Rows& scale, const Rows& log_scale,
                   bool missing) {
    const std::size_t n = rows.shape(0);
    const std::size_t n_classes = mean.shape(0);
    for (const Rows* part : {&mean, &scale, &log_scale}) {
        if (part->shape(0) != n_classes || part->shape(1) != rows.shape(1))
            throw std::invalid_argument("mean, scale and log_scale need an entry a class and column");
    }
    std::vector<double> out(n * n_classes);
    {
        nb::gil_scoped_release nogil;
        column_log_density(rows.data(), n, rows.shape(1),
                           {mean.data(), scale.data(), log_scale.data(), n_classes}, missing, out.data());
    }
    return to_numpy(std::move(out), n, n_classes);
}

}  // namespace

void register_linear(nb::module_& module) {
    module.def("column_moments", &moments, nb::arg("rows").noconvert(), nb::arg("classes").noconvert(),
               nb::arg("n_classes"), nb::arg("weights").noconvert().none(), nb::arg("missing"),
               "Weight, mean and variance of each class and column, NaN left out.");
    module.def("column_log_density", &log_density, nb::arg("rows").noconvert(), nb::arg("mean").noconvert(),
               nb::arg("scale").noconvert(), nb::arg("log_scale").noconvert(), nb::arg("missing"),
               "Log-density of each row under each class of independent normal columns, NaN left out.");
}

}  // namespace boxwood::bindings
