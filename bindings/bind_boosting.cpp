#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "boosting/booster.hpp"
#include "boosting/random_fourier_features.hpp"
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

CubeRows rows_of(const PointMatrix& points, const std::optional<Vector>& weights) {
    const std::size_t n = points.shape(0);
    check_points(points.data(), n, points.shape(1));
    CubeRows rows{points.shape(1), {points.data(), points.data() + points.size()}, {}};
    if (!weights) return rows;
    if (weights->shape(0) != n) throw std::invalid_argument("one weight a row is needed");
    rows.weights = to_vector(*weights);
    if (!std::all_of(rows.weights.begin(), rows.weights.end(),
                     [](double w) { return w >= 0.0 && std::isfinite(w); }))
        throw std::invalid_argument("weights must be finite and not negative");
    return rows;
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

// Chains side by side, one a thread; `progress` is told of rounds.
void run_all(const std::vector<Booster*>& boosters, std::size_t n_rounds, std::size_t patience,
             std::size_t n_threads, const nb::object& progress) {
    std::atomic<std::size_t> n_done{0};
    const Watch signals = watch_signals(progress);
    const Watch watch = [&](std::size_t) { signals(n_done.load()); };
    nb::gil_scoped_release nogil;
    StopSignal stop;
    const auto check = stop.check();
    run_tasks(
        boosters.size(), n_threads,
        [&](std::size_t i) {
            boosters[i]->run(n_rounds, patience, [&] {
                check();
                n_done.fetch_add(1);
            });
        },
        stop.watching(watch));
}

MapChain best_chain(const Booster& booster) {
    MapChain chain = booster.chain();
    chain.cut_to(booster.best_round());
    return chain;
}

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
    nb::class_<Booster>(module, "Booster", "Grows a chain, judged on held-out rows.")
        .def(
            "__init__",
            [](Booster* self, const PointMatrix& points, const std::optional<Vector>& weights,
               const PointMatrix& held_out, const std::optional<Vector>& held_out_weights,
               const MapGrowOptions& options, const MapChain* chain) {
                CubeRows rows = rows_of(points, weights);
                CubeRows validation_rows = rows_of(held_out, held_out_weights);
                if (validation_rows.n_columns != rows.n_columns ||
                    (chain && chain->n_columns != rows.n_columns))
                    throw std::invalid_argument("rows and chain differ in columns");
                MapChain start = chain ? *chain : MapChain{rows.n_columns, {}, {}};
                nb::gil_scoped_release nogil;
                new (self) Booster(std::move(rows), std::move(validation_rows), options, std::move(start));
            },
            nb::arg("points").noconvert(), nb::arg("weights").noconvert().none(),
            nb::arg("held_out").noconvert(), nb::arg("held_out_weights").noconvert().none(),
            nb::arg("options"), nb::arg("chain").none() = nb::none())
        .def_prop_ro("n_rounds", &Booster::n_rounds)
        .def_prop_ro("best_round", &Booster::best_round)
        .def("best_chain", &best_chain, "The chain up to its best round.")
        .def("held_out_log_density",
             [](const Booster& b) { return to_numpy(std::vector(b.held_out_log_density())); })
        .def("importance", [](const Booster& b) { return to_numpy(b.importance()); });
    module.def("run_boosters", &run_all, nb::arg("boosters"), nb::arg("n_rounds"), nb::arg("patience"),
               nb::arg("n_threads") = 1, nb::arg("progress") = nb::none(),
               "Run each up to n_rounds rounds in all, or until its patience ends.");
}

void register_fourier_features(nb::module_& module) {
    module.def("fourier_features", &features, nb::arg("points").noconvert(),
               nb::arg("frequencies").noconvert(), nb::arg("phases").noconvert(), nb::arg("n_threads") = 1,
               "cos(2π(phase + point·frequency)) of each point and feature.");
    module.def("fourier_sums", &sums, nb::arg("points").noconvert(), nb::arg("frequencies").noconvert(),
               nb::arg("phases").noconvert(), nb::arg("coefficients").noconvert(), nb::arg("n_threads") = 1,
               "The features of `fourier_features` times each row of coefficients, without keeping them.");
}

}  // namespace

void register_boosting(nb::module_& module) {
    register_boost(module);
    register_fourier_features(module);
}

}  // namespace boxwood::bindings
