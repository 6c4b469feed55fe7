#include <stdexcept>

#include "arrays.hpp"
#include "boosting/random_fourier_features.hpp"
#include "in_blocks.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

FourierFeatures fourier_of(const PointMatrix& points, const PointMatrix& frequencies, const Vector& phases) {
    if (frequencies.shape(1) != phases.shape(0) || frequencies.shape(0) != points.shape(1))
        throw std::invalid_argument("points, frequencies and phases do not fit");
    return {points.shape(1), {frequencies.data(), frequencies.size()}, {phases.data(), phases.shape(0)}};
}

MatrixArray<double> features(const PointMatrix& points, const PointMatrix& frequencies, const Vector& phases,
                             std::size_t n_threads) {
    const FourierFeatures fourier = fourier_of(points, frequencies, phases);
    const std::size_t n = points.shape(0);
    std::vector<double> found(n * fourier.size());
    in_blocks(n, n_threads, [&](std::size_t begin, std::size_t size) {
        fourier_kernels().features(fourier, points.data() + begin * fourier.n_columns, size,
                                   found.data() + begin * fourier.size());
    });
    return to_numpy(std::move(found), n, fourier.size());
}

MatrixArray<double> sums(const PointMatrix& points, const PointMatrix& frequencies, const Vector& phases,
                         const PointMatrix& coefficients, std::size_t n_threads) {
    const FourierFeatures fourier = fourier_of(points, frequencies, phases);
    if (coefficients.shape(1) != fourier.size())
        throw std::invalid_argument("one coefficient a feature is needed");
    const std::size_t n = points.shape(0);
    const std::size_t n_sums = coefficients.shape(0);
    std::vector<double> found(n * n_sums);
    in_blocks(n, n_threads, [&](std::size_t begin, std::size_t size) {
        fourier_kernels().sums(fourier, coefficients.data(), n_sums,
                               points.data() + begin * fourier.n_columns, size,
                               found.data() + begin * n_sums);
    });
    return to_numpy(std::move(found), n, n_sums);
}

}  // namespace

void register_fourier_features(nb::module_& module) {
    module.def("fourier_features", &features, nb::arg("points").noconvert(),
               nb::arg("frequencies").noconvert(), nb::arg("phases").noconvert(), nb::arg("n_threads") = 1,
               "cos(2π(phase + point·frequency)) of each point and feature.");
    module.def("fourier_sums", &sums, nb::arg("points").noconvert(), nb::arg("frequencies").noconvert(),
               nb::arg("phases").noconvert(), nb::arg("coefficients").noconvert(), nb::arg("n_threads") = 1,
               "The features of `fourier_features` times each row of coefficients, without keeping them.");
}

}  // namespace boxwood::bindings
