#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "binning/binned_table.hpp"
#include "column_specs.hpp"
#include "flat_trees.hpp"
#include "interrupt.hpp"
#include "mixture/density_forest.hpp"
#include "mixture/fit_leaves.hpp"
#include "mixture/fitting/held_out_leaves.hpp"
#include "mixture/fitting/pilot.hpp"
#include "register.hpp"
#include "tree/density/grow_density_tree.hpp"
#include "tree/density/node_losses.hpp"
#include "tree/prune.hpp"

namespace boxwood::bindings {

namespace {

// Looks for Ctrl-C twenty times a second, whatever the size of the nodes.
std::function<void()> interrupt_now_and_then() {
    return [last = std::chrono::steady_clock::now()]() mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(50)) return;
        last = now;
        nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    };
}

GrownDensityTree grow(const BinnedTable& table, const GrowOptions& options) {
    const auto interrupt = interrupt_now_and_then();
    nb::gil_scoped_release nogil;
    return grow_density_tree(table.data(), options, interrupt);
}

MixtureTree fit_tree(GrownDensityTree& grown, const BinnedTable& table, const LeafOptions& options) {
    check_grown_on(grown, table.data());
    Leaves leaves = fit_leaves(grown, table.data(), options);
    return {std::move(grown.tree), std::move(leaves)};
}

FlatTrees fit_leaves_of(GrownDensityTree grown, const BinnedTable& table, const LeafOptions& options) {
    MixtureTree fitted;
    {
        nb::gil_scoped_release nogil;
        fitted = fit_tree(grown, table, options);
    }
    return to_dict(flatten({&fitted, 1}));
}

// The same as a mixture of one tree.
Mixture fit_mixture_of(GrownDensityTree grown, const BinnedTable& table, const LeafOptions& options) {
    nb::gil_scoped_release nogil;
    std::vector<MixtureTree> trees = {fit_tree(grown, table, options)};
    return Mixture::of_fitted(std::move(grown.columns), std::move(trees));
}

GrownDensityTree prune(const GrownDensityTree& grown, const Vector& losses, double alpha) {
    if (losses.shape(0) != grown.tree.nodes.size()) throw std::invalid_argument("one loss a node is needed");
    return collapse(grown, best_subtree(grown.tree, {losses.data(), losses.shape(0)}, alpha));
}

std::tuple<Array<double>, Array<std::int64_t>, Array<double>> path(const GrownDensityTree& grown,
                                                                   const Vector& losses) {
    if (losses.shape(0) != grown.tree.nodes.size()) throw std::invalid_argument("one loss a node is needed");
    std::vector<double> alpha;
    std::vector<std::int64_t> n_leaves;
    std::vector<double> loss;
    for (const PruneStep& step : prune_path(grown.tree, {losses.data(), losses.shape(0)})) {
        alpha.push_back(step.alpha);
        n_leaves.push_back(static_cast<std::int64_t>(step.n_leaves));
        loss.push_back(step.loss);
    }
    return {to_numpy(std::move(alpha)), to_numpy(std::move(n_leaves)), to_numpy(std::move(loss))};
}

Array<double> subtree_losses(const GrownDensityTree& grown, const Vector& losses, const Vector& alphas,
                             const Vector& others) {
    if (losses.shape(0) != grown.tree.nodes.size() || others.shape(0) != grown.tree.nodes.size()) {
        throw std::invalid_argument("one loss a node is needed");
    }
    return to_numpy(losses_of_subtrees(grown.tree, {losses.data(), losses.shape(0)},
                                       {alphas.data(), alphas.shape(0)}, {others.data(), others.shape(0)}));
}

void check_points(const GrownDensityTree& grown, const PointMatrix& points,
                  const std::optional<Vector>& weights) {
    if (points.shape(1) != grown.columns.size())
        throw std::invalid_argument("points have too few or too many columns");
    if (weights && weights->shape(0) != points.shape(0))
        throw std::invalid_argument("one weight a row is needed");
}

Array<double> losses_held_out(const GrownDensityTree& grown, const PointMatrix& points,
                              const std::optional<Vector>& weights, bool squared_error, double mass_prior) {
    check_points(grown, points, weights);
    return to_numpy(held_out_losses(grown, points.data(), weights ? weights->data() : nullptr,
                                    points.shape(0), squared_error, mass_prior));
}

Array<double> fitted_losses(const GrownDensityTree& grown, const BinnedTable& table,
                            const LeafOptions& options, const PointMatrix& points,
                            const std::optional<Vector>& weights, bool squared_error) {
    check_grown_on(grown, table.data());
    check_points(grown, points, weights);
    const WeightedPoints at{points.data(), weights ? weights->data() : nullptr, points.shape(0)};
    std::vector<double> losses;
    {
        nb::gil_scoped_release nogil;
        losses = losses_of_fitted_nodes(grown, table.data(), options, at, squared_error);
    }
    return to_numpy(std::move(losses));
}

// A fitted forest as Python sees it.
struct FittedForest {
    Mixture mixture;
    std::vector<std::vector<double>> gains;
    std::vector<double> importance;
    double min_samples_split;
    std::vector<double> candidate_scores;
};

FittedForest forest(const BinnedTable& table, const DensityForestOptions& options,
                    const nb::object& progress) {
    const Watch watch = watch_signals(progress);
    nb::gil_scoped_release nogil;
    DensityForest fitted = fit_density_forest(table.data(), options, watch);
    return {Mixture::of_fitted(std::move(fitted.columns), std::move(fitted.trees)), std::move(fitted.gains),
            std::move(fitted.importance), fitted.min_samples_split, std::move(fitted.candidate_scores)};
}

MatrixArray<double> gains_of(const FittedForest& fitted) {
    std::vector<double> flat;
    for (const std::vector<double>& of_tree : fitted.gains)
        flat.insert(flat.end(), of_tree.begin(), of_tree.end());
    const std::size_t n_columns = fitted.importance.size();
    return to_numpy(std::move(flat), fitted.gains.size(), n_columns);
}

// The densities of some of a pilot's trees at the held-out rows, one tree after another.
std::vector<Array<double>> pilot_densities(const Pilot& pilot, std::size_t begin, std::size_t end,
                                           std::size_t candidate) {
    if (begin > end || end > pilot.n_trees()) throw std::invalid_argument("the pilot has no such trees");
    std::vector<HeldOut> held;
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        held = pilot.grow(begin, end, candidate, watch);
    }
    std::vector<Array<double>> densities;
    for (HeldOut& of_tree : held) densities.push_back(to_numpy(std::move(of_tree.density)));
    return densities;
}

std::vector<double> pilot_scores(const Pilot& pilot, const std::vector<Vector>& densities) {
    std::vector<HeldOut> held;
    for (const Vector& density : densities) {
        HeldOut of_tree;
        of_tree.density = to_vector(density);
        // How many candidates a tree knows is all that counts of them here.
        of_tree.candidates.resize(pilot.n_candidates_of(of_tree.density.size()));
        held.push_back(std::move(of_tree));
    }
    return pilot.score(held);
}

void register_pilot(nb::module_& module) {
    nb::class_<Pilot>(module, "Pilot", "The trees that choose min_samples_split.")
        .def(
            "__init__",
            [](Pilot* pilot, const BinnedTable& table, const DensityForestOptions& options) {
                new (pilot) Pilot(table.data(), options);
            },
            nb::arg("table"), nb::arg("options"), nb::keep_alive<1, 2>())
        .def_prop_ro("n_trees", &Pilot::n_trees)
        .def_prop_ro("n_first", &Pilot::n_first)
        .def("densities", &pilot_densities, nb::arg("begin"), nb::arg("end"), nb::arg("candidate"),
             "Grow trees from begin to end down to a candidate: of each, densities at the held-out rows.")
        .def("scores", &pilot_scores, nb::arg("densities").noconvert(),
             "Mean log-density of the held-out rows for each candidate.")
        .def("candidate_of_others", &Pilot::candidate_of_others, nb::arg("scores"),
             "Number of the candidate down to which the trees after the first are grown.")
        .def("chosen", &Pilot::chosen, nb::arg("scores"), "The chosen min_samples_split.");
}

void register_options(nb::module_& module) {
    nb::enum_<CriterionKind>(module, "CriterionKind")
        .value("log_likelihood", CriterionKind::log_likelihood)
        .value("loo", CriterionKind::loo)
        .value("squared_error", CriterionKind::squared_error)
        .value("nonuniformity", CriterionKind::nonuniformity)
        .value("gaussian_entropy", CriterionKind::gaussian_entropy)
        .value("product_likelihood", CriterionKind::product_likelihood);
    nb::enum_<LeafKind>(module, "LeafKind")
        .value("uniform", LeafKind::uniform)
        .value("histogram", LeafKind::histogram)
        .value("gaussian", LeafKind::gaussian)
        .value("gaussian_full", LeafKind::gaussian_full);
    nb::enum_<LossKind>(module, "LossKind")
        .value("log_likelihood", LossKind::log_likelihood)
        .value("loo_log_likelihood", LossKind::loo_log_likelihood)
        .value("squared_error", LossKind::squared_error)
        .value("loo_squared_error", LossKind::loo_squared_error);
    nb::class_<GrowOptions>(module, "GrowOptions")
        .def(nb::init<>())
        .def_rw("criterion", &GrowOptions::criterion)
        .def_rw("best_first", &GrowOptions::best_first)
        .def_rw("max_depth", &GrowOptions::max_depth)
        .def_rw("max_leaf_nodes", &GrowOptions::max_leaf_nodes)
        .def_rw("min_samples_split", &GrowOptions::min_samples_split)
        .def_rw("min_samples_leaf", &GrowOptions::min_samples_leaf)
        .def_rw("min_gain", &GrowOptions::min_gain)
        .def_rw("max_aspect", &GrowOptions::max_aspect)
        .def_rw("uniformity_level", &GrowOptions::uniformity_level)
        .def_rw("max_features", &GrowOptions::max_features)
        .def_rw("max_candidates", &GrowOptions::max_candidates)
        .def_rw("random_splits", &GrowOptions::random_splits)
        .def_rw("scan_rows", &GrowOptions::scan_rows)
        .def_rw("seed", &GrowOptions::seed)
        .def_rw("n_directions", &GrowOptions::n_directions)
        .def_rw("direction_columns", &GrowOptions::direction_columns);
    nb::class_<LeafOptions>(module, "LeafOptions")
        .def(nb::init<>())
        .def_rw("kind", &LeafOptions::kind)
        .def_rw("mass_prior", &LeafOptions::mass_prior)
        .def_rw("n_leaf_bins", &LeafOptions::n_leaf_bins)
        .def_rw("histogram_prior", &LeafOptions::histogram_prior)
        .def_rw("constant_columns", &LeafOptions::constant_columns)
        .def_rw("unseen_bins", &LeafOptions::unseen_bins)
        .def_rw("deviation_floor", &LeafOptions::deviation_floor);
    nb::class_<ForestOptions>(module, "ForestOptions", "What forests of densities and of decisions share.")
        .def_rw("first_tree", &ForestOptions::first_tree)
        .def_rw("n_trees", &ForestOptions::n_trees)
        .def_rw("bootstrap", &ForestOptions::bootstrap)
        .def_rw("max_samples", &ForestOptions::max_samples)
        .def_rw("part_of_table", &ForestOptions::part_of_table)
        .def_rw("n_threads", &ForestOptions::n_threads)
        .def_rw("seed", &ForestOptions::seed)
        .def_rw("grow", &ForestOptions::grow);
    nb::class_<DensityForestOptions, ForestOptions>(module, "DensityForestOptions")
        .def(nb::init<>())
        .def_rw("candidates", &DensityForestOptions::candidates)
        .def_rw("leaf", &DensityForestOptions::leaf);
}

}  // namespace

void register_tree_density(nb::module_& module) {
    register_options(module);
    nb::class_<GrownDensityTree>(module, "GrownTree",
                                 "A tree with the rows of its nodes: to be pruned, then fitted.")
        .def_prop_ro("n_leaves", [](const GrownDensityTree& g) { return g.tree.n_leaves; })
        .def_prop_ro("n_nodes", [](const GrownDensityTree& g) { return g.tree.nodes.size(); })
        .def(
            "columns", [](const GrownDensityTree& g) { return from_bin_edges(g.columns); },
            "Bin edges of each column.")
        .def(
            "gains", [](const GrownDensityTree& g) { return to_numpy(std::vector<double>(g.gain)); },
            "Gain of each node's split.")
        .def(
            "features",
            [](const GrownDensityTree& g) {
                std::vector<std::int32_t> features;
                for (const TreeNode& node : g.tree.nodes) features.push_back(node.feature);
                return to_numpy(std::move(features));
            },
            "Column of each node's split, −1 for leaves.")
        .def(
            "losses",
            [](const GrownDensityTree& g, LossKind kind, double prior) {
                return to_numpy(leaf_losses(g, kind, prior));
            },
            nb::arg("kind"), nb::arg("mass_prior"), "What each node would lose as a leaf.")
        .def("held_out_losses", &losses_held_out, nb::arg("points").noconvert(),
             nb::arg("weights").noconvert().none(), nb::arg("squared_error"), nb::arg("mass_prior"),
             "The same on other rows.")
        .def("fitted_losses", &fitted_losses, nb::arg("table"), nb::arg("options"),
             nb::arg("points").noconvert(), nb::arg("weights").noconvert().none(), nb::arg("squared_error"),
             "What each node loses at points as a leaf that is fitted to its rows, which weigh what the "
             "table says.")
        .def("path", &path, nb::arg("losses").noconvert(),
             "Alpha, number of leaves and loss along the pruning path.")
        .def("pruned", &prune, nb::arg("losses").noconvert(), nb::arg("alpha"),
             "The subtree of least loss + alpha · leaves.")
        .def("subtree_losses", &subtree_losses, nb::arg("losses").noconvert(), nb::arg("alphas").noconvert(),
             nb::arg("others").noconvert(), "What the best subtrees for each alpha lose by another loss.")
        .def("fit_leaves", &fit_leaves_of, nb::arg("table"), nb::arg("options"),
             "Masses and leaves as flat arrays.")
        .def("fit_mixture", &fit_mixture_of, nb::arg("table"), nb::arg("options"),
             "The same as a mixture of one tree.")
        .def(
            "leaves_of_rows",
            [](const GrownDensityTree& g, const BinnedTable& table) {
                return to_numpy(leaves_of_rows(g, table));
            },
            nb::arg("table"),
            "Number of the leaf of each row that the tree was grown on; the largest number for rows of "
            "weight 0.");
    module.def("grow_tree", &grow, nb::arg("table"), nb::arg("options"), "Grow a density tree.");
    nb::class_<FittedForest>(module, "FittedForest", "A density forest and what its growth found.")
        .def_ro("mixture", &FittedForest::mixture)
        .def(
            "importance", [](const FittedForest& f) { return to_numpy(std::vector<double>(f.importance)); },
            "Sum of the gains of each column's splits.")
        .def("gains", &gains_of, "Of each tree, the sum of the gains of each column's splits.")
        .def_ro("min_samples_split", &FittedForest::min_samples_split)
        .def(
            "candidate_scores",
            [](const FittedForest& f) { return to_numpy(std::vector<double>(f.candidate_scores)); },
            "Mean log-density of held-out rows for each candidate.");
    module.def("fit_density_forest", &forest, nb::arg("table"), nb::arg("options"),
               nb::arg("progress").none(), "Grow and fit a density forest.");
    register_pilot(module);
}

}  // namespace boxwood::bindings
