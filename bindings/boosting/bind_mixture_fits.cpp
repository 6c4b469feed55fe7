#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "boosting/gaussian_steps.hpp"
#include "boosting/mixture_weights.hpp"
#include "interrupt.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

Array<double> weights_of_mixture(const PointMatrix& density, const Vector& rows, double prior,
                                 std::size_t n_steps) {
    if (density.shape(1) != rows.shape(0) || rows.shape(0) == 0)
        throw std::invalid_argument("a density a component and row is needed, and rows");
    std::vector<double> found;
    const nb::object nobody = nb::none();
    const Watch watch = watch_signals(nobody);
    {
        nb::gil_scoped_release nogil;
        found = mixture_weights({density.data(), density.size()}, {rows.data(), rows.size()}, prior, n_steps,
                                watch);
    }
    return to_numpy(std::move(found));
}

using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

MatrixArray<double> exponents_of(const PointMatrix& rows, const PointMatrix& means, const Cube& whitening) {
    const std::size_t d = rows.shape(1);
    if (d == 0 || means.shape(1) != d || whitening.shape(0) != means.shape(0) || whitening.shape(1) != d ||
        whitening.shape(2) != d)
        throw std::invalid_argument("rows, means and whitening need the same columns and components");
    std::vector<double> found(rows.shape(0) * means.shape(0));
    {
        nb::gil_scoped_release nogil;
        gaussian_exponents({rows.data(), rows.shape(0), d}, {means.data(), means.size()}, whitening.data(),
                           found.data());
    }
    return to_numpy(std::move(found), rows.shape(0), means.shape(0));
}

MatrixArray<double> scatters_of(const PointMatrix& rows, const PointMatrix& means,
                                const PointMatrix& weights) {
    const std::size_t d = rows.shape(1);
    if (d == 0 || means.shape(1) != d || weights.shape(0) != rows.shape(0) ||
        weights.shape(1) != means.shape(0))
        throw std::invalid_argument("rows, means and weights need the same rows, columns and components");
    std::vector<double> found(means.shape(0) * d * d);
    {
        nb::gil_scoped_release nogil;
        gaussian_scatters({rows.data(), rows.shape(0), d}, {means.data(), means.size()}, weights.data(),
                          found.data());
    }
    return to_numpy(std::move(found), means.shape(0) * d, d);
}

}  // namespace

void register_mixture_fits(nb::module_& module) {
    module.def("mixture_weights", &weights_of_mixture, nb::arg("density").noconvert(),
               nb::arg("rows").noconvert(), nb::arg("prior"), nb::arg("n_steps"),
               "The weights of components (a row of densities each) that make rows most likely.");
    module.def("gaussian_exponents", &exponents_of, nb::arg("rows").noconvert(), nb::arg("means").noconvert(),
               nb::arg("whitening").noconvert(),
               "Half the squared length of each row less each mean, whitened; negative.");
    module.def("gaussian_scatters", &scatters_of, nb::arg("rows").noconvert(), nb::arg("means").noconvert(),
               nb::arg("weights").noconvert(),
               "The weighted scatter of the rows around each mean, one below the other.");
}

}  // namespace boxwood::bindings
