#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "base/count_below.hpp"
#include "binning/bin_edges.hpp"
#include "binning/quantile_edges.hpp"
#include "register.hpp"
#include "table_of_cells.hpp"

namespace boxwood::bindings {

namespace {

// The bin of each value between ascending cuts: how many of them are at most the value. NaN gets the bin
// behind the last.
template <class Code>
Array<Code> bins_between_thresholds(const Vector& cuts, const Column& values) {
    const std::size_t n_cuts = cuts.shape(0);
    if (n_cuts + 2 > std::size_t{std::numeric_limits<Code>::max()} + 1)
        throw std::invalid_argument("a column has too many cuts");
    std::vector<Code> out(values.shape(0));
    {
        nb::gil_scoped_release nogil;
        const Strided column = strided(values);
        for (std::size_t i = 0; i < column.size; ++i) {
            const double x = column[i];
            out[i] = static_cast<Code>(std::isnan(x) ? n_cuts + 1 : count_below({cuts.data(), n_cuts}, x));
        }
    }
    return to_numpy(std::move(out));
}

std::tuple<Array<double>, Array<double>> edges(const Column& values, const std::optional<Integers>& weights,
                                               std::size_t n_parts, std::size_t least_distinct) {
    if (weights && weights->shape(0) != values.shape(0))
        throw std::invalid_argument("one weight a value is needed");
    Edges found;
    {
        nb::gil_scoped_release nogil;
        found = quantile_edges(strided(values), weights ? weights->data() : nullptr, n_parts, least_distinct);
    }
    return {to_numpy(std::move(found.low)), to_numpy(std::move(found.high))};
}

Array<std::uint16_t> bins_of(const ColumnSpec& column, const Column& points) {
    BinEdges bin_edges{to_vector(column.first), column.second};
    check_bin_edges(bin_edges);
    std::vector<std::uint16_t> out(points.shape(0));
    {
        nb::gil_scoped_release nogil;
        find_bins(bin_edges, strided(points), out.data(), 1);
    }
    return to_numpy(std::move(out));
}

}  // namespace

void register_binning(nb::module_& module) {
    nb::class_<BinnedTable>(module, "BinnedTable", "A table as growth reads it.")
        .def(nb::init<const std::vector<ColumnSpec>&, const BinMatrix&, const std::optional<PointMatrix>&,
                      const std::optional<Vector>&>(),
             nb::arg("columns"), nb::arg("bins").noconvert(),
             nb::arg("points").noconvert().none() = nb::none(),
             nb::arg("weights").noconvert().none() = nb::none());
    module.def("find_bins", &bins_of, nb::arg("column"), nb::arg("points").noconvert(), "Bin of each point.");
    module.def("quantile_edges", &edges, nb::arg("values").noconvert(), nb::arg("weights").noconvert().none(),
               nb::arg("n_parts"), nb::arg("least_distinct"),
               "Neighbouring values between parts of equal weight; empty where a sample has too few values.");
    module.def("narrow_bins_between_thresholds", &bins_between_thresholds<std::uint8_t>,
               nb::arg("cuts").noconvert(), nb::arg("values").noconvert(),
               "Bin of each value between at most 254 ascending cuts.");
    module.def("bins_between_thresholds", &bins_between_thresholds<std::uint16_t>,
               nb::arg("cuts").noconvert(), nb::arg("values").noconvert(),
               "Bin of each value between ascending cuts.");
}

}  // namespace boxwood::bindings
