#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "boosting/boosters.hpp"
#include "boosting/move_chains.hpp"
#include "boosting/ratio_trees.hpp"
#include "in_blocks.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

using WritableMatrix = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using FlatArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using FlatChain = std::tuple<Array<float>, Array<float>, Array<std::uint32_t>, Array<std::uint16_t>,
                             Array<std::uint16_t>, Array<std::int64_t>>;

constexpr std::size_t most_columns = 65'535;

void check_points(const double* points, std::size_t n, std::size_t d) {
    if (d == 0 || d > most_columns) throw std::invalid_argument("points have no columns, or too many");
    if (!std::all_of(points, points + n * d, [](double p) { return p >= 0.0 && p <= 1.0; }))
        throw std::invalid_argument("points must lie in [0, 1]");
}

std::vector<double> checked_weights(const std::optional<Vector>& given) {
    if (!given) return {};
    std::vector<double> weights = to_vector(*given);
    if (!std::all_of(weights.begin(), weights.end(), [](double w) { return w >= 0.0 && std::isfinite(w); }))
        throw std::invalid_argument("weights must be finite and not negative");
    return weights;
}

CubeRows rows_of(const PointMatrix& points, const std::vector<double>* weights) {
    check_points(points.data(), points.shape(0), points.shape(1));
    if (weights && weights->size() != points.shape(0))
        throw std::invalid_argument("one weight a row is needed");
    return {points.shape(1),
            {points.data(), points.data() + points.size()},
            weights ? *weights : std::vector<double>{}};
}

MapChain chain_of(std::size_t n_columns, const FlatArray<float>& cut, const FlatArray<float>& mass,
                  const FlatArray<std::uint32_t>& right, const FlatArray<std::uint16_t>& column,
                  const FlatArray<std::uint16_t>& left_is_node, const Integers& ends) {
    const std::size_t n = cut.shape(0);
    if (n_columns == 0 || n_columns > most_columns)
        throw std::invalid_argument("a chain has no columns, or too many");
    if (mass.shape(0) != n || right.shape(0) != n || column.shape(0) != n || left_is_node.shape(0) != n)
        throw std::invalid_argument("the arrays of a chain differ in length");
    MapChain chain{n_columns, {}, {}};
    chain.nodes.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        chain.nodes.push_back(
            {cut.data()[i], mass.data()[i], right.data()[i], column.data()[i], left_is_node.data()[i]});
    }
    std::int64_t before = 0;
    for (std::size_t t = 0; t < ends.shape(0); ++t) {
        const std::int64_t end = ends.data()[t];
        if (end < before || end > static_cast<std::int64_t>(n))
            throw std::invalid_argument("the ends of a chain's trees are not in order");
        chain.ends.push_back(static_cast<std::size_t>(end));
        check_tree_map(chain.tree(t), n_columns);
        before = end;
    }
    if (before != static_cast<std::int64_t>(n)) throw std::invalid_argument("a node belongs to no tree");
    return chain;
}

FlatChain flat(const MapChain& chain) {
    std::vector<float> cut, mass;
    std::vector<std::uint32_t> right;
    std::vector<std::uint16_t> column, left_is_node;
    for (const MapNode& node : chain.nodes) {
        cut.push_back(node.cut);
        mass.push_back(node.mass);
        right.push_back(node.right);
        column.push_back(node.column);
        left_is_node.push_back(node.left_is_node);
    }
    std::vector<std::int64_t> ends(chain.ends.begin(), chain.ends.end());
    return {to_numpy(std::move(cut)),    to_numpy(std::move(mass)),         to_numpy(std::move(right)),
            to_numpy(std::move(column)), to_numpy(std::move(left_is_node)), to_numpy(std::move(ends))};
}

Array<double> move(const MapChain& chain, const WritableMatrix& points, std::size_t first, std::size_t last,
                   std::size_t n_threads) {
    const std::size_t d = chain.n_columns;
    if (points.shape(1) != d) throw std::invalid_argument("points have too few or too many columns");
    if (first > last || last > chain.n_trees()) throw std::invalid_argument("there are no such trees");
    check_points(points.data(), points.shape(0), d);
    std::vector<double> log_density(points.shape(0), 0.0);
    in_blocks(points.shape(0), n_threads, [&](std::size_t begin, std::size_t n) {
        move_rows(chain, points.data() + begin * d, n, log_density.data() + begin, first, last);
    });
    return to_numpy(std::move(log_density));
}

void move_back(const MapChain& chain, const WritableMatrix& points, std::size_t n_threads) {
    const std::size_t d = chain.n_columns;
    if (points.shape(1) != d) throw std::invalid_argument("points have too few or too many columns");
    check_points(points.data(), points.shape(0), d);
    in_blocks(points.shape(0), n_threads,
              [&](std::size_t begin, std::size_t n) { move_rows_back(chain, points.data() + begin * d, n); });
}

// Each matrix is moved in place under its chain.
MatrixArray<double> move_all(const std::vector<const MapChain*>& chains,
                             const std::vector<WritableMatrix>& points, std::size_t n_threads) {
    if (chains.size() != points.size()) throw std::invalid_argument("one matrix of points a chain is needed");
    const std::size_t n_rows = points.empty() ? 0 : points[0].shape(0);
    std::vector<ChainRows> rows;
    for (std::size_t k = 0; k < chains.size(); ++k) {
        if (points[k].shape(0) != n_rows || points[k].shape(1) != chains[k]->n_columns)
            throw std::invalid_argument("points have too few or too many rows or columns");
        check_points(points[k].data(), n_rows, points[k].shape(1));
        rows.push_back({chains[k], points[k].data()});
    }
    std::vector<double> log_density(n_rows * chains.size());
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        move_chains(rows, n_rows, log_density.data(), n_threads, watch);
    }
    return to_numpy(std::move(log_density), n_rows, chains.size());
}

// Boosters as Python sees them: with what all of them share.
struct SharedBoosters {
    MapGrowOptions options;
    std::vector<double> weights, held_out_weights;
    bool weighted, held_out_weighted;
    Boosters boosters;
};

// Chains with other rows or coordinates than the first could not be compared.
void add(SharedBoosters& self, const std::vector<PointMatrix>& points,
         const std::vector<PointMatrix>& held_out, const std::vector<std::uint64_t>& seeds,
         const std::vector<const MapChain*>& chains) {
    const std::size_t n = points.size();
    if (held_out.size() != n || seeds.size() != n || (!chains.empty() && chains.size() != n))
        throw std::invalid_argument("a chain needs points, held-out points and a seed");
    for (std::size_t k = 0; k < n; ++k) {
        CubeRows rows = rows_of(points[k], self.weighted ? &self.weights : nullptr);
        CubeRows validation = rows_of(held_out[k], self.held_out_weighted ? &self.held_out_weights : nullptr);
        if (validation.n_columns != rows.n_columns ||
            (!chains.empty() && chains[k]->n_columns != rows.n_columns))
            throw std::invalid_argument("rows and chain differ in columns");
        if (self.boosters.size() > 0 && validation.size() != self.boosters[0].held_out_log_density().size())
            throw std::invalid_argument("chains differ in held-out rows");
        MapGrowOptions options = self.options;
        options.seed = seeds[k];
        MapChain start = chains.empty() ? MapChain{rows.n_columns, {}, {}} : *chains[k];
        nb::gil_scoped_release nogil;
        self.boosters.add(std::move(rows), std::move(validation), options, std::move(start));
    }
}

void run(SharedBoosters& self, std::size_t n_rounds, std::size_t patience, std::size_t n_threads,
         const nb::object& progress) {
    const nb::object nobody = nb::none();
    const Watch signals = watch_signals(nobody);
    const RoundsWatch watch = [&](RoundsDone rounds) {
        signals(0);
        nb::gil_scoped_acquire gil;
        if (!progress.is_none()) progress(rounds.n_done, rounds.n_left);
    };
    nb::gil_scoped_release nogil;
    self.boosters.run(n_rounds, patience, n_threads, watch);
}

std::vector<MapChain> best_chains(const SharedBoosters& self) {
    std::vector<MapChain> chains;
    for (std::size_t k = 0; k < self.boosters.size(); ++k) {
        chains.push_back(self.boosters[k].chain());
        chains.back().cut_to(self.boosters[k].best_round());
    }
    return chains;
}

MatrixArray<double> held_out_log_density(const SharedBoosters& self) {
    const std::size_t k = self.boosters.size();
    std::vector<double> logs = self.boosters.held_out_log_density();
    const std::size_t n = k == 0 ? 0 : logs.size() / k;
    return to_numpy(std::move(logs), n, k);
}

MatrixArray<double> importance(const SharedBoosters& self) {
    const std::size_t k = self.boosters.size();
    std::vector<double> gains = self.boosters.importance();
    const std::size_t d = k == 0 ? 0 : gains.size() / k;
    return to_numpy(std::move(gains), k, d);
}

std::vector<std::size_t> n_rounds(const SharedBoosters& self) {
    std::vector<std::size_t> n;
    for (std::size_t k = 0; k < self.boosters.size(); ++k) n.push_back(self.boosters[k].n_rounds());
    return n;
}

void register_boost(nb::module_& module) {
    nb::class_<MapGrowOptions>(module, "MapGrowOptions")
        .def(nb::init<>())
        .def_rw("learning_rate", &MapGrowOptions::learning_rate)
        .def_rw("depth_decay", &MapGrowOptions::depth_decay)
        .def_rw("split_penalty", &MapGrowOptions::split_penalty)
        .def_rw("max_depth", &MapGrowOptions::max_depth)
        .def_rw("min_samples_split", &MapGrowOptions::min_samples_split)
        .def_rw("max_features", &MapGrowOptions::max_features)
        .def_rw("seed", &MapGrowOptions::seed);
    nb::class_<MapChain>(module, "MapChain", "Trees that move the cube onto itself, one after another.")
        .def(
            "__init__",
            [](MapChain* self, std::size_t n_columns, const FlatArray<float>& cut,
               const FlatArray<float>& mass, const FlatArray<std::uint32_t>& right,
               const FlatArray<std::uint16_t>& column, const FlatArray<std::uint16_t>& left_is_node,
               const Integers& ends) {
                new (self) MapChain(chain_of(n_columns, cut, mass, right, column, left_is_node, ends));
            },
            nb::arg("n_columns"), nb::arg("cut").noconvert(), nb::arg("mass").noconvert(),
            nb::arg("right").noconvert(), nb::arg("column").noconvert(), nb::arg("left_is_node").noconvert(),
            nb::arg("ends").noconvert())
        .def_ro("n_columns", &MapChain::n_columns)
        .def_prop_ro("n_trees", &MapChain::n_trees)
        .def_prop_ro("n_nodes", [](const MapChain& chain) { return chain.nodes.size(); })
        .def("flat", &flat, "cut, mass, right, column and left_is_node of all nodes; ends of the trees.")
        .def("move", &move, nb::arg("points").noconvert(), nb::arg("first"), nb::arg("last"),
             nb::arg("n_threads") = 1, "Move points in place; give the log-density of each.")
        .def("move_back", &move_back, nb::arg("points").noconvert(), nb::arg("n_threads") = 1,
             "Move points back in place.");
    module.def(
        "move_chains", &move_all, nb::arg("chains"), nb::arg("points"), nb::arg("n_threads") = 1,
        "Move a matrix of points in place under each chain; give the log-density of each row under each.");
    nb::class_<SharedBoosters>(module, "Boosters", "Grows chains side by side, validated on held-out rows.")
        .def(
            "__init__",
            [](SharedBoosters* self, const MapGrowOptions& options, const std::optional<Vector>& weights,
               const std::optional<Vector>& held_out_weights) {
                new (self) SharedBoosters{options,
                                          checked_weights(weights),
                                          checked_weights(held_out_weights),
                                          weights.has_value(),
                                          held_out_weights.has_value(),
                                          {}};
            },
            nb::arg("options"), nb::arg("weights").noconvert().none() = nb::none(),
            nb::arg("held_out_weights").noconvert().none() = nb::none())
        .def("add", &add, nb::arg("points"), nb::arg("held_out"), nb::arg("seeds"),
             nb::arg("chains") = std::vector<const MapChain*>{},
             "Begin chains, each with points and held-out points of its own, or go on with some.")
        .def(
            "keep",
            [](SharedBoosters& self, const std::vector<std::size_t>& kept) { self.boosters.keep(kept); },
            nb::arg("kept"), "Give up all chains but these.")
        .def("run", &run, nb::arg("n_rounds"), nb::arg("patience") = 0, nb::arg("n_threads") = 1,
             nb::arg("progress") = nb::none(),
             "Run each up to n_rounds rounds in all, or until its patience ends; `progress` gets the rounds "
             "done and those left at the most.")
        .def_prop_ro("n_rounds", &n_rounds, "Of each chain.")
        .def("best_chains", &best_chains, "The chains up to their best rounds.")
        .def("held_out_log_density", &held_out_log_density, "Of each held-out row under each chain.")
        .def("importance", &importance, "Gain of each coordinate in each chain (a row).");
}

using CodeMatrix = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// Codes, which rows are real, weights; what is known of the pairs that are the last rows.
using LabelledRows = std::tuple<CodeMatrix, Input<std::uint8_t>, Vector, Vector>;
using FlatTrees = std::tuple<Array<double>, Array<double>, Array<float>, Array<std::uint32_t>,
                             Array<std::int32_t>, Array<std::uint32_t>>;

constexpr std::size_t most_edges = 255;

RatioRows ratio_rows_of(const LabelledRows& rows, const std::vector<std::vector<double>>& edges) {
    const auto& [codes, is_real, weights, bases] = rows;
    const std::size_t n = weights.shape(0), d = edges.size();
    if (codes.shape(0) != n || is_real.shape(0) != n || codes.shape(1) != d)
        throw std::invalid_argument("codes, marks and weights differ in rows or columns");
    for (std::size_t i = 0; i < codes.size(); ++i)
        if (codes.data()[i] > edges[i % d].size()) throw std::invalid_argument("a code is beyond the bins");
    if (!std::all_of(weights.data(), weights.data() + n,
                     [](double w) { return w > 0.0 && std::isfinite(w); }))
        throw std::invalid_argument("weights must be finite and positive");
    const std::size_t n_pairs = bases.shape(0);
    if (2 * n_pairs > n) throw std::invalid_argument("there are fewer rows than pairs");
    for (std::size_t k = 0; k < n_pairs; ++k) {
        const std::size_t row = n - 2 * n_pairs + 2 * k;
        if (!std::isfinite(bases.data()[k])) throw std::invalid_argument("what is known must be finite");
        if (is_real.data()[row] != 1 || is_real.data()[row + 1] != 0)
            throw std::invalid_argument("a pair is a real row and an alternative");
    }
    return {{codes.data(), codes.size()}, span_of(is_real), {weights.data(), n}, {bases.data(), n_pairs}};
}

RatioTrees grow_ratio(const std::vector<std::vector<double>>& edges, const LabelledRows& train,
                      const LabelledRows& held_out, const RatioOptions& options) {
    if (edges.empty()) throw std::invalid_argument("there are no columns");
    const auto is_finite = [](double edge) { return std::isfinite(edge); };
    for (const std::vector<double>& of_column : edges)
        if (of_column.size() > most_edges || !std::is_sorted(of_column.begin(), of_column.end()) ||
            !std::all_of(of_column.begin(), of_column.end(), is_finite))
            throw std::invalid_argument("edges are not finite and ascending, or too many");
    const RatioRows rows = ratio_rows_of(train, edges), held = ratio_rows_of(held_out, edges);
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

FlatTrees flat_ratio(const RatioTrees& trees) {
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

void register_ratio(nb::module_& module) {
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
        .def("flat", &flat_ratio,
             "cut, value, left_fraction, left and column of all nodes; roots of the trees.")
        .def("log_ratio", &log_ratio, nb::arg("points").noconvert(), nb::arg("n_threads") = 1,
             "The sum of the trees at each point; NaN is anywhere in its column.");
    module.def("grow_ratio_trees", &grow_ratio, nb::arg("edges"), nb::arg("train"), nb::arg("held_out"),
               nb::arg("options"),
               "Grow trees that tell real rows from drawn ones, as many as held-out rows gain from.");
}

}  // namespace

void register_boosting(nb::module_& module) {
    register_boost(module);
    register_ratio(module);
}

}  // namespace boxwood::bindings
