#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "boosting/ratio_trees.hpp"
#include "in_blocks.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

using CodeMatrix = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// Codes, which rows are real, weights.
using Rows = std::tuple<CodeMatrix, Input<std::uint8_t>, Vector>;
using FlatTrees = std::tuple<Array<double>, Array<double>, Array<float>, Array<std::uint32_t>,
                             Array<std::int32_t>, Array<std::uint32_t>>;

constexpr std::size_t most_edges = 255;

RatioRows rows_of(const Rows& rows, const std::vector<std::vector<double>>& edges) {
    const auto& [codes, is_real, weights] = rows;
    const std::size_t n = weights.shape(0), d = edges.size();
    if (codes.shape(0) != n || is_real.shape(0) != n || codes.shape(1) != d)
        throw std::invalid_argument("codes, marks and weights differ in rows or columns");
    for (std::size_t i = 0; i < codes.size(); ++i)
        if (codes.data()[i] > edges[i % d].size()) throw std::invalid_argument("a code is beyond the bins");
    if (!std::all_of(weights.data(), weights.data() + n,
                     [](double w) { return w > 0.0 && std::isfinite(w); }))
        throw std::invalid_argument("weights must be finite and positive");
    return {{codes.data(), codes.size()}, span_of(is_real), {weights.data(), n}};
}

RatioTrees grow(const std::vector<std::vector<double>>& edges, const Rows& train, const Rows& held_out,
                const RatioOptions& options) {
    if (edges.empty()) throw std::invalid_argument("there are no columns");
    for (const std::vector<double>& of_column : edges)
        if (of_column.size() > most_edges || !std::is_sorted(of_column.begin(), of_column.end()))
            throw std::invalid_argument("edges are not ascending, or too many");
    const RatioRows rows = rows_of(train, edges), held = rows_of(held_out, edges);
    const nb::object nobody = nb::none();
    const Watch signals = watch_signals(nobody);
    nb::gil_scoped_release nogil;
    return grow_ratio_trees(edges, rows, held, options, [&] { signals(0); });
}

RatioTrees trees_of(std::size_t n_columns, const Vector& cut, const Vector& value,
                    const Input<float>& left_fraction, const Input<std::uint32_t>& left,
                    const Input<std::int32_t>& column, const Input<std::uint32_t>& roots) {
    const std::size_t n = cut.shape(0);
    if (value.shape(0) != n || left_fraction.shape(0) != n || left.shape(0) != n || column.shape(0) != n)
        throw std::invalid_argument("the arrays of trees differ in length");
    RatioTrees trees{n_columns, {}, to_vector(roots), {}};
    for (std::size_t i = 0; i < n; ++i)
        trees.nodes.push_back(
            {cut.data()[i], value.data()[i], left_fraction.data()[i], left.data()[i], column.data()[i]});
    check_ratio_trees(trees);
    trees.finish();
    return trees;
}

FlatTrees flat(const RatioTrees& trees) {
    std::vector<double> cut, value;
    std::vector<float> left_fraction;
    std::vector<std::uint32_t> left;
    std::vector<std::int32_t> column;
    for (const RatioNode& node : trees.nodes) {
        cut.push_back(node.is_leaf() ? 0.0 : node.cut);
        value.push_back(node.value);
        left_fraction.push_back(node.left_fraction);
        left.push_back(node.is_leaf() ? 0u : node.left);
        column.push_back(node.column);
    }
    return {to_numpy(std::move(cut)),           to_numpy(std::move(value)),
            to_numpy(std::move(left_fraction)), to_numpy(std::move(left)),
            to_numpy(std::move(column)),        to_numpy(std::vector<std::uint32_t>(trees.roots))};
}

Array<double> log_ratio(const RatioTrees& trees, const PointMatrix& points, std::size_t n_threads) {
    const std::size_t d = trees.n_columns;
    if (points.shape(1) != d) throw std::invalid_argument("points have too few or too many columns");
    std::vector<double> logs(points.shape(0));
    in_blocks(logs.size(), n_threads, [&](std::size_t begin, std::size_t n) {
        constexpr std::size_t at_once = 256;
        for (std::size_t i = begin; i < begin + n; i += at_once)
            trees.add_to(points.data() + i * d, std::min(at_once, begin + n - i), logs.data() + i);
    });
    return to_numpy(std::move(logs));
}

}  // namespace

void register_ratio_trees(nb::module_& module) {
    nb::class_<RatioOptions>(module, "RatioOptions")
        .def(nb::init<>())
        .def_rw("n_trees", &RatioOptions::n_trees)
        .def_rw("patience", &RatioOptions::patience)
        .def_rw("max_depth", &RatioOptions::max_depth)
        .def_rw("learning_rate", &RatioOptions::learning_rate)
        .def_rw("prior", &RatioOptions::prior)
        .def_rw("least_leaf", &RatioOptions::least_leaf);
    nb::class_<RatioTrees>(module, "RatioTrees", "Trees that add up to the logarithm of a density ratio.")
        .def(
            "__init__",
            [](RatioTrees* self, std::size_t n_columns, const Vector& cut, const Vector& value,
               const Input<float>& left_fraction, const Input<std::uint32_t>& left,
               const Input<std::int32_t>& column, const Input<std::uint32_t>& roots) {
                new (self) RatioTrees(trees_of(n_columns, cut, value, left_fraction, left, column, roots));
            },
            nb::arg("n_columns"), nb::arg("cut").noconvert(), nb::arg("value").noconvert(),
            nb::arg("left_fraction").noconvert(), nb::arg("left").noconvert(), nb::arg("column").noconvert(),
            nb::arg("roots").noconvert())
        .def_ro("n_columns", &RatioTrees::n_columns)
        .def_prop_ro("n_trees", [](const RatioTrees& trees) { return trees.roots.size(); })
        .def("flat", &flat, "cut, value, left_fraction, left and column of all nodes; roots of the trees.")
        .def("log_ratio", &log_ratio, nb::arg("points").noconvert(), nb::arg("n_threads") = 1,
             "The sum of the trees at each point; NaN is anywhere in its column.");
    module.def("grow_ratio_trees", &grow, nb::arg("edges"), nb::arg("train"), nb::arg("held_out"),
               nb::arg("options"),
               "Grow trees that tell real rows from drawn ones, as many as held-out rows gain from.");
}

}  // namespace boxwood::bindings
