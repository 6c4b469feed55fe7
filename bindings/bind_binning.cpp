#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "binning/bin_codes.hpp"
#include "binning/binned_table.hpp"
#include "binning/quantile_edges.hpp"
#include "column_specs.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

using BinMatrix = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

using KeyVector = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void make_table(BinnedTable* out, const std::vector<ColumnSpec>& columns, const BinMatrix& bins,
                const std::optional<PointMatrix>& points, const std::optional<Vector>& weights,
                const std::optional<Vector>& observations, const std::optional<KeyVector>& groups,
                const std::optional<KeyVector>& keys) {
    const std::size_t n = bins.shape(0);
    if (bins.shape(1) != columns.size())
        throw std::invalid_argument("bins must have one column a list of bin edges");
    if (points && (points->shape(0) != n || points->shape(1) != columns.size()))
        throw std::invalid_argument("points must have the shape of bins");
    if (weights && weights->shape(0) != n) throw std::invalid_argument("one weight a row is needed");
    if ((observations && observations->shape(0) != n) || (groups && groups->shape(0) != n) ||
        (keys && keys->shape(0) != n))
        throw std::invalid_argument("one number of observations, one group and one key a row are needed");
    std::vector<BinEdges> bin_edges = to_bin_edges(columns);
    nb::gil_scoped_release nogil;
    new (out) BinnedTable(std::move(bin_edges), n, bins.data(), points ? points->data() : nullptr,
                          weights ? weights->data() : nullptr, observations ? observations->data() : nullptr,
                          groups ? groups->data() : nullptr, keys ? keys->data() : nullptr);
}

template <class Code>
Array<Code> codes(const Vector& thresholds, const Column& values) {
    std::vector<Code> found;
    {
        nb::gil_scoped_release nogil;
        found = bin_codes<Code>({thresholds.data(), thresholds.shape(0)}, strided(values));
    }
    return to_numpy(std::move(found));
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
        .def("__init__", &make_table, nb::arg("columns"), nb::arg("bins").noconvert(),
             nb::arg("points").noconvert().none() = nb::none(),
             nb::arg("weights").noconvert().none() = nb::none(),
             nb::arg("observations").noconvert().none() = nb::none(),
             nb::arg("groups").noconvert().none() = nb::none(),
             nb::arg("keys").noconvert().none() = nb::none());
    module.def("find_bins", &bins_of, nb::arg("column"), nb::arg("points").noconvert(), "Bin of each point.");
    module.def("quantile_edges", &edges, nb::arg("values").noconvert(), nb::arg("weights").noconvert().none(),
               nb::arg("n_parts"), nb::arg("least_distinct"),
               "Neighbouring values between parts of equal weight; empty where a sample has too few values.");
    module.def("narrow_bins_between_thresholds", &codes<std::uint8_t>, nb::arg("thresholds").noconvert(),
               nb::arg("values").noconvert(), "Bin of each value between at most 254 ascending thresholds.");
    module.def("bins_between_thresholds", &codes<std::uint16_t>, nb::arg("thresholds").noconvert(),
               nb::arg("values").noconvert(), "Bin of each value between ascending thresholds.");
}

}  // namespace boxwood::bindings
