#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "margins/adaptive_grid.hpp"
#include "margins/cut_cdf.hpp"
#include "margins/lattice/integer_intervals.hpp"
#include "margins/piecewise_cdf.hpp"
#include "margins/place_atoms.hpp"
#include "margins/smooth_cdf.hpp"
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

std::vector<EndShape> to_shapes(const Vector& left, const Vector& right) {
    if (left.shape(0) != right.shape(0)) throw std::invalid_argument("a shape has a left and a right end");
    std::vector<EndShape> shapes(left.shape(0));
    for (std::size_t i = 0; i < shapes.size(); ++i) shapes[i] = {left.data()[i], right.data()[i]};
    return shapes;
}

std::vector<Atom> to_atoms(const Vector& low, const Vector& high, const Vector& masses) {
    if (low.shape(0) != masses.shape(0) || high.shape(0) != masses.shape(0))
        throw std::invalid_argument("an atom has two ends and a mass");
    std::vector<Atom> atoms(low.shape(0));
    for (std::size_t i = 0; i < atoms.size(); ++i)
        atoms[i] = {low.data()[i], high.data()[i], masses.data()[i]};
    return atoms;
}

Array<double> copy_of(const std::vector<double>& values) { return to_numpy(std::vector<double>(values)); }

Array<double> ends_of(const PiecewiseCdf& cdf, double EndShape::* end) {
    std::vector<double> out;
    for (const EndShape& shape : cdf.shape()) out.push_back(shape.*end);
    return to_numpy(std::move(out));
}

// The arrays own their memory already, so nanobind must not tie them to the object.
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr auto owned = nb::rv_policy::move;

using IntoOut = void (*)(const PiecewiseCdf&, Strided, double*, std::ptrdiff_t);
using IntoVector = void (*)(const PiecewiseCdf&, Strided, double*);

template <IntoOut kernel>
void encode(const PiecewiseCdf& cdf, const Column& values, Writable out) {
    if (out.shape(0) != values.shape(0))
        throw std::invalid_argument("out must have as many entries as values");
    nb::gil_scoped_release nogil;
    kernel(cdf, strided(values), out.data(), out.stride(0));
}

template <IntoVector kernel>
Array<double> map(const PiecewiseCdf& cdf, const Column& values) {
    std::vector<double> out(values.shape(0));
    {
        nb::gil_scoped_release nogil;
        kernel(cdf, strided(values), out.data());
    }
    return to_numpy(std::move(out));
}

PiecewiseCdf fit_smooth(const Vector& low, const Vector& high, const Vector& count, double continuous_mass,
                        const Vector& atom_low, const Vector& atom_high, const Vector& atom_masses,
                        std::size_t max_bin_edges, double lower_bound, double upper_bound) {
    const auto l = to_vector(low);
    const auto h = to_vector(high);
    const auto c = to_vector(count);
    const auto atoms = to_atoms(atom_low, atom_high, atom_masses);
    nb::gil_scoped_release nogil;
    SmoothCdf smooth = fit_smooth_cdf(l, h, c, max_bin_edges);
    return place_atoms(cut_cdf(std::move(smooth), {lower_bound, upper_bound}), continuous_mass, atoms);
}

PiecewiseCdf fit_linear(double low, double high, double continuous_mass, const Vector& atom_low,
                        const Vector& atom_high, const Vector& atom_masses, double lower_bound,
                        double upper_bound) {
    return place_atoms(cut_cdf(uniform_cdf(low, high), {lower_bound, upper_bound}), continuous_mass,
                       to_atoms(atom_low, atom_high, atom_masses));
}

PiecewiseCdf from_pieces(const Vector& x, const Vector& mass, const Vector& shape_left,
                         const Vector& shape_right, double left_mass, double left_rate, double right_mass,
                         double right_rate) {
    return PiecewiseCdf(to_vector(x), to_vector(mass), to_shapes(shape_left, shape_right), left_mass,
                        left_rate, right_mass, right_rate);
}

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

void register_piecewise_cdf(nb::module_& module) {
    nb::class_<PiecewiseCdf>(module, "PiecewiseCdf",
                             "A numeric column's map onto [0, 1]: cubic pieces, atoms and exponential tails.")
        .def_prop_ro(
            "x", [](const PiecewiseCdf& c) { return copy_of(c.x()); }, owned)
        .def_prop_ro(
            "u", [](const PiecewiseCdf& c) { return copy_of(c.u()); }, owned)
        .def_prop_ro(
            "mass", [](const PiecewiseCdf& c) { return copy_of(c.mass()); }, owned)
        .def_prop_ro(
            "shape_left", [](const PiecewiseCdf& c) { return ends_of(c, &EndShape::left); }, owned)
        .def_prop_ro(
            "shape_right", [](const PiecewiseCdf& c) { return ends_of(c, &EndShape::right); }, owned)
        .def_prop_ro("left_mass", &PiecewiseCdf::left_mass)
        .def_prop_ro("left_rate", &PiecewiseCdf::left_rate)
        .def_prop_ro("right_mass", &PiecewiseCdf::right_mass)
        .def_prop_ro("right_rate", &PiecewiseCdf::right_rate)
        .def_prop_ro("total", &PiecewiseCdf::total)
        .def("encode", &encode<encode_values>, nb::arg("values").noconvert(), nb::arg("out").noconvert())
        .def("encode_integers", &encode<encode_integers>, nb::arg("values").noconvert(),
             nb::arg("out").noconvert())
        .def("log_density", &map<log_density_of_values>, nb::arg("values").noconvert())
        .def("log_mass_of_integers", &map<log_mass_of_integers>, nb::arg("values").noconvert())
        .def("decode", &map<decode_values>, nb::arg("u").noconvert())
        .def("decode_integers", &map<decode_integers>, nb::arg("u").noconvert())
        .def("below", &PiecewiseCdf::below, nb::arg("value"), "P(X < value).")
        .def("log_mass_between", &PiecewiseCdf::log_mass_between, nb::arg("low"), nb::arg("high"),
             "log P(low <= X < high), without cancellation.");
    module.def("integer_edge", &integer_edge, nb::arg("k"),
               "Where the interval of the integer k begins: at k - 0.5, or at k where that is no double.");
    module.def("upper_edge", &upper_edge, nb::arg("k"), "Where the interval of the integer k ends.");
    module.def("fit_smooth_cdf", &fit_smooth, nb::arg("low").noconvert(), nb::arg("high").noconvert(),
               nb::arg("count").noconvert(), nb::arg("continuous_mass"), nb::arg("atom_low").noconvert(),
               nb::arg("atom_high").noconvert(), nb::arg("atom_masses").noconvert(),
               nb::arg("max_bin_edges") = 1024, nb::arg("lower_bound") = -infinity,
               nb::arg("upper_bound") = infinity,
               "Fit a smooth CDF to sorted cells and put atoms (ascending) into it.");
    module.def("fit_linear_cdf", &fit_linear, nb::arg("low"), nb::arg("high"), nb::arg("continuous_mass"),
               nb::arg("atom_low").noconvert(), nb::arg("atom_high").noconvert(),
               nb::arg("atom_masses").noconvert(), nb::arg("lower_bound") = -infinity,
               nb::arg("upper_bound") = infinity,
               "The uniform CDF on [low, high] with atoms (ascending) in it.");
    module.def("piecewise_cdf", &from_pieces, nb::arg("x").noconvert(), nb::arg("mass").noconvert(),
               nb::arg("shape_left").noconvert(), nb::arg("shape_right").noconvert(), nb::arg("left_mass"),
               nb::arg("left_rate"), nb::arg("right_mass"), nb::arg("right_rate"),
               "A CDF from its pieces; ValueError where they are none.");
}

}  // namespace

void register_margins(nb::module_& module) {
    register_adaptive_grid(module);
    register_piecewise_cdf(module);
}

}  // namespace boxwood::bindings
