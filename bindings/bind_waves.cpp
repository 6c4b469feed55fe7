#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "boosting/random_fourier_features.hpp"
#include "in_blocks.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

// Frequencies and phases of features, and coefficients of sums of them, one row a sum.
using Features = std::tuple<PointMatrix, PointMatrix, Vector>;
using Sums = std::tuple<PointMatrix, Vector, PointMatrix>;

FourierFeatures fourier_of(const PointMatrix& points, const PointMatrix& frequencies, const Vector& phases) {
    if (frequencies.shape(1) != phases.shape(0) || frequencies.shape(0) > points.shape(1))
        throw std::invalid_argument("points, frequencies and phases do not fit");
    return {frequencies.shape(0), {frequencies.data(), frequencies.size()}, {phases.data(), phases.shape(0)}};
}

MatrixArray<double> features_of(const Features& wanted, std::size_t n_threads) {
    const auto& [points, frequencies, phases] = wanted;
    const FourierFeatures fourier = fourier_of(points, frequencies, phases);
    if (fourier.n_columns != points.shape(1))
        throw std::invalid_argument("points, frequencies and phases do not fit");
    const std::size_t n = points.shape(0);
    std::vector<double> found(n * fourier.size());
    in_blocks(n, n_threads, [&](std::size_t begin, std::size_t size) {
        fourier_kernels().features(fourier, points.data() + begin * fourier.n_columns, size,
                                   found.data() + begin * fourier.size());
    });
    return to_numpy(std::move(found), n, fourier.size());
}

MatrixArray<double> sums_of(const PointMatrix& points, const Sums& wanted, std::size_t n_threads) {
    const auto& [frequencies, phases, coefficients] = wanted;
    const FourierFeatures fourier = fourier_of(points, frequencies, phases);
    if (coefficients.shape(1) != fourier.size())
        throw std::invalid_argument("one coefficient a feature is needed");
    const std::size_t n = points.shape(0);
    const std::size_t n_sums = coefficients.shape(0);
    std::vector<double> found(n * n_sums);
    in_blocks(n, n_threads, [&](std::size_t begin, std::size_t size) {
        fourier_sums_of_first_columns(fourier, coefficients.data(), n_sums,
                                      points.data() + begin * points.shape(1), points.shape(1), size,
                                      found.data() + begin * n_sums);
    });
    return to_numpy(std::move(found), n, n_sums);
}

std::vector<MatrixArray<double>> features(const std::vector<Features>& wanted, std::size_t n_threads) {
    std::vector<MatrixArray<double>> found;
    for (const Features& of_one : wanted) found.push_back(features_of(of_one, n_threads));
    return found;
}

std::vector<MatrixArray<double>> sums(const PointMatrix& points, const std::vector<Sums>& wanted,
                                      std::size_t n_threads) {
    std::vector<MatrixArray<double>> found;
    for (const Sums& of_one : wanted) found.push_back(sums_of(points, of_one, n_threads));
    return found;
}

}  // namespace

void register_fourier_features(nb::module_& module) {
    module.def("fourier_features", &features, nb::arg("wanted"), nb::arg("n_threads") = 1,
               "Of each (points, frequencies, phases): cos(2π(phase + point·frequency)) of each point and "
               "feature.");
    module.def(
        "fourier_sums", &sums, nb::arg("points").noconvert(), nb::arg("wanted"), nb::arg("n_threads") = 1,
        "Of each (frequencies, phases, coefficients): features of the points' first columns times each "
        "row of coefficients, without keeping them.");
}

}  // namespace boxwood::bindings
