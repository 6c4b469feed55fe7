#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "register.hpp"
#include "table/chow_liu.hpp"
#include "table/deal_units.hpp"
#include "table/functional_pairs.hpp"
#include "table/merge_rows.hpp"
#include "table/row_hash.hpp"
#include "table/scan.hpp"
#include "tables.hpp"

namespace boxwood::bindings {

namespace {

std::tuple<std::int64_t, std::int64_t, std::int64_t> scan(const Column& values) {
    Scan found;
    {
        nb::gil_scoped_release nogil;
        found = scan_values(strided(values));
    }
    return {found.n_missing, found.first_missing, found.first_oversized};
}

using Keys = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Levels = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using MergedArrays = std::tuple<Array<std::uint32_t>, Array<std::uint32_t>, Array<std::uint64_t>,
                                Array<double>, Array<double>>;

MergedArrays merge(const TableArrays& arrays, const std::optional<Vector>& weights) {
    const TableView table = to_table(arrays);
    if (weights && weights->shape(0) != table.n_rows)
        throw std::invalid_argument("one weight a row is needed");
    const double* w = weights ? weights->data() : nullptr;
    if (w != nullptr &&
        !std::all_of(w, w + table.n_rows, [](double x) { return x > 0.0 && std::isfinite(x); }))
        throw std::invalid_argument("weights must be finite and positive");
    MergedRows merged;
    {
        nb::gil_scoped_release nogil;
        merged = merge_rows(table, w);
    }
    return {to_numpy(std::move(merged.first)), to_numpy(std::move(merged.number)),
            to_numpy(std::move(merged.key)), to_numpy(std::move(merged.weight)),
            to_numpy(std::move(merged.kish))};
}

MatrixArray<std::uint64_t> hashes_of(const PointMatrix& rows) {
    std::vector<std::uint64_t> hashes;
    {
        nb::gil_scoped_release nogil;
        hashes = hash_rows(rows.data(), rows.shape(0), rows.shape(1));
    }
    return to_numpy(std::move(hashes), rows.shape(0), 2);
}

Units units_of(const Keys& keys, const Integers& observations) {
    const std::size_t n = keys.shape(0);
    if (observations.shape(0) != n) throw std::invalid_argument("one number of observations a row is needed");
    const std::int64_t* o = observations.data();
    if (!std::all_of(o, o + n, [](std::int64_t units) { return units >= 1; }))
        throw std::invalid_argument("a row has at least one observation");
    return {keys.data(), o, n};
}

MatrixArray<std::int64_t> folds(const Keys& keys, const Integers& observations, std::size_t n_folds,
                                std::uint64_t seed) {
    if (n_folds < 1) throw std::invalid_argument("n_folds must be positive");
    const Units units = units_of(keys, observations);
    std::vector<std::int64_t> counts;
    {
        nb::gil_scoped_release nogil;
        counts = deal_folds(units, n_folds, seed);
    }
    return to_numpy(std::move(counts), units.n_rows, n_folds);
}

Array<std::int64_t> held_out(const Keys& keys, const Integers& observations, double fraction,
                             std::uint64_t seed) {
    if (!(fraction >= 0.0 && fraction <= 1.0)) throw std::invalid_argument("fraction must lie in [0, 1]");
    const Units units = units_of(keys, observations);
    std::vector<std::int64_t> counts;
    {
        nb::gil_scoped_release nogil;
        counts = hold_out(units, fraction, seed);
    }
    return to_numpy(std::move(counts));
}

Array<double> uniform(const Keys& keys, std::uint64_t seed) {
    return to_numpy(draw_uniform(keys.data(), keys.shape(0), seed));
}

void check_codes(const CodedTable& table) {
    for (std::size_t j = 0; j < table.n_columns; ++j) {
        const std::int32_t* codes = table.codes + j * table.n_rows;
        const std::int32_t levels = table.n_levels[j];
        if (!std::all_of(codes, codes + table.n_rows,
                         [levels](std::int32_t code) { return code >= 0 && code < levels; }))
            throw std::invalid_argument("a code is not below its column's number of levels");
    }
    if (!std::all_of(table.weights, table.weights + table.n_rows, [](std::int64_t w) { return w > 0; }))
        throw std::invalid_argument("weights must be positive");
}

std::tuple<Array<std::int32_t>, Array<double>> chow_liu(const Codes& codes, const Levels& n_levels,
                                                        const Integers& weights, double n_observations) {
    if (n_levels.shape(0) != codes.shape(0) || weights.shape(0) != codes.shape(1))
        throw std::invalid_argument("one number of levels a column and one weight a row are needed");
    const CodedTable table{codes.data(),   n_levels.data(), weights.data(),
                           codes.shape(1), codes.shape(0),  n_observations};
    check_codes(table);
    ChowLiuTree tree;
    {
        nb::gil_scoped_release nogil;
        tree = fit_chow_liu(table);
    }
    return {to_numpy(std::move(tree.parent)), to_numpy(std::move(tree.log_probability))};
}

using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<std::pair<std::int32_t, std::int32_t>> functions(const Codes& codes, const Levels& n_levels,
                                                             const Flags& parent, const Flags& child) {
    const std::size_t d = codes.shape(0);
    const std::size_t n = codes.shape(1);
    if (n_levels.shape(0) != d || parent.shape(0) != d || child.shape(0) != d)
        throw std::invalid_argument("one number of levels and two flags a column are needed");
    for (std::size_t j = 0; j < d; ++j) {
        const std::int32_t* of_column = codes.data() + j * n;
        if (!std::all_of(of_column, of_column + n,
                         [&](std::int32_t code) { return code >= -1 && code < n_levels.data()[j]; }))
            throw std::invalid_argument("a code is not below its column's number of levels");
    }
    nb::gil_scoped_release nogil;
    return functional_pairs({codes.data(), n_levels.data(), parent.data(), child.data(), n, d});
}

void register_rows(nb::module_& module) {
    module.def(
        "merge_rows", &merge, nb::arg("table").noconvert(), nb::arg("weights").noconvert().none(),
        "Equal rows as one: a row of each, the number of each row, keys, sums of weights, Kish's counts.");
    module.def("hash_rows", &hashes_of, nb::arg("rows").noconvert(),
               "128 bits of what each row holds, as two words.");
    module.def("deal_folds", &folds, nb::arg("keys").noconvert(), nb::arg("observations").noconvert(),
               nb::arg("n_folds"), nb::arg("seed"), "How many observations of each row fall into each fold.");
    module.def("hold_out", &held_out, nb::arg("keys").noconvert(), nb::arg("observations").noconvert(),
               nb::arg("fraction"), nb::arg("seed"), "How many observations of each row are held out.");
    module.def("draw_uniform", &uniform, nb::arg("keys").noconvert(), nb::arg("seed"),
               "A number in [0, 1) for each key.");
    module.def("fit_chow_liu", &chow_liu, nb::arg("codes").noconvert(), nb::arg("n_levels").noconvert(),
               nb::arg("weights").noconvert(), nb::arg("n_observations"),
               "Parent of each column (−1: none) and log-probability of each row.");
    module.def("functional_pairs", &functions, nb::arg("codes").noconvert(), nb::arg("n_levels").noconvert(),
               nb::arg("parent").noconvert(), nb::arg("child").noconvert(),
               "Pairs of columns (a, b) of which b is a function of a; a code of −1 takes no part.");
}

}  // namespace

void register_table(nb::module_& module) {
    module.def("scan_values", &scan, nb::arg("values").noconvert(),
               "Count of NaN, index of the first NaN and of the first oversized value (−1: none).");
    register_rows(module);
}

}  // namespace boxwood::bindings
