#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <limits>
#include <tuple>

#include "arrays.hpp"
#include "flat_trees.hpp"
#include "interrupt.hpp"
#include "mixture/fit_leaves.hpp"
#include "register.hpp"
#include "table_of_cells.hpp"
#include "tree/density/grow_density_tree.hpp"
#include "tree/forest.hpp"
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

GrownTree grow(const BinnedTable& table, const GrowOptions& options) {
    const auto interrupt = interrupt_now_and_then();
    nb::gil_scoped_release nogil;
    return grow_density_tree(table.data(), options, interrupt);
}

// Rows are looked up in the nodes' boxes: those of another table need not lie there.
void check_grown_on(const GrownTree& grown, const BinnedTable& table) {
    const GrowData& data = table.data();
    bool same = grown.columns.size() == data.n_columns();
    for (std::size_t j = 0; same && j < data.n_columns(); ++j)
        same = data.exact(j) || grown.columns[j].u == (*data.columns)[j].u;
    for (std::uint32_t row : grown.rows) same = same && row < data.n_rows;
    if (!same) throw std::invalid_argument("the tree was not grown on this table");
}

FlatTrees fit_leaves_of(GrownTree grown, const BinnedTable& table, const LeafOptions& options) {
    check_grown_on(grown, table);
    MixtureTree fitted;
    {
        nb::gil_scoped_release nogil;
        fitted.leaves = fit_leaves(grown, table.data(), options);
        fitted.tree = std::move(grown.tree);
    }
    return flatten({&fitted, 1});
}

// The same as a mixture of one tree.
Mixture fit_mixture_of(GrownTree grown, const BinnedTable& table, const LeafOptions& options) {
    check_grown_on(grown, table);
    nb::gil_scoped_release nogil;
    std::vector<Leaves> leaves;
    leaves.push_back(fit_leaves(grown, table.data(), options));
    std::vector<Tree> trees;
    trees.push_back(std::move(grown.tree));
    return Mixture::of_fitted(std::move(grown.columns), std::move(trees), std::move(leaves));
}

// The leaf of every row of the table that the tree was grown on: growth has put them there already.
Array<std::uint32_t> leaves_of_rows(const GrownTree& grown, const BinnedTable& table) {
    check_grown_on(grown, table);
    std::vector<std::uint32_t> leaf_of_distinct(table.data().n_rows,
                                                std::numeric_limits<std::uint32_t>::max());
    for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
        if (!grown.tree.nodes[i].is_leaf()) continue;
        for (std::size_t k = grown.begin[i]; k < grown.end[i]; ++k)
            leaf_of_distinct[grown.rows[k]] = grown.tree.nodes[i].leaf;
    }
    std::vector<std::uint32_t> leaves(table.n_rows());
    for (std::size_t row = 0; row < leaves.size(); ++row) leaves[row] = leaf_of_distinct[table.distinct(row)];
    return to_numpy(std::move(leaves));
}

GrownTree prune(const GrownTree& grown, const Vector& losses, double alpha) {
    if (losses.shape(0) != grown.tree.nodes.size()) throw std::invalid_argument("one loss a node is needed");
    return collapse(grown, best_subtree(grown.tree, {losses.data(), losses.shape(0)}, alpha));
}

std::tuple<Array<double>, Array<std::int64_t>, Array<double>> path(const GrownTree& grown,
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

Array<double> subtree_losses(const GrownTree& grown, const Vector& losses, const Vector& alphas,
                             const Vector& others) {
    if (losses.shape(0) != grown.tree.nodes.size() || others.shape(0) != grown.tree.nodes.size()) {
        throw std::invalid_argument("one loss a node is needed");
    }
    return to_numpy(losses_of_subtrees(grown.tree, {losses.data(), losses.shape(0)},
                                       {alphas.data(), alphas.shape(0)}, {others.data(), others.shape(0)}));
}

Array<double> losses_held_out(const GrownTree& grown, const PointMatrix& points,
                              const std::optional<Vector>& weights, bool squared_error, double mass_prior) {
    if (points.shape(1) != grown.columns.size())
        throw std::invalid_argument("points have too few or too many columns");
    if (weights && weights->shape(0) != points.shape(0))
        throw std::invalid_argument("one weight a row is needed");
    return to_numpy(held_out_losses(grown, points.data(), weights ? weights->data() : nullptr,
                                    points.shape(0), squared_error, mass_prior));
}

// A fitted forest as Python sees it.
struct FittedForest {
    Mixture mixture;
    std::vector<double> importance;
    double min_samples_split;
    std::vector<double> candidate_scores;
};

FittedForest forest(const BinnedTable& table, const ForestOptions& options, const nb::object& progress) {
    const Watch watch = watch_signals(progress);
    nb::gil_scoped_release nogil;
    Forest fitted = fit_forest(table.data(), options, watch);
    return {Mixture::of_fitted(std::move(fitted.columns), std::move(fitted.trees), std::move(fitted.leaves)),
            std::move(fitted.importance), fitted.min_samples_split, std::move(fitted.candidate_scores)};
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
        .value("gaussian", LeafKind::gaussian);
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
        .def_rw("level_columns", &LeafOptions::level_columns)
        .def_rw("deviation_floor", &LeafOptions::deviation_floor);
    nb::class_<ForestOptions>(module, "ForestOptions")
        .def(nb::init<>())
        .def_rw("n_trees", &ForestOptions::n_trees)
        .def_rw("bootstrap", &ForestOptions::bootstrap)
        .def_rw("max_samples", &ForestOptions::max_samples)
        .def_rw("candidates", &ForestOptions::candidates)
        .def_rw("n_threads", &ForestOptions::n_threads)
        .def_rw("seed", &ForestOptions::seed)
        .def_rw("grow", &ForestOptions::grow)
        .def_rw("leaf", &ForestOptions::leaf);
}

}  // namespace

void register_tree_density(nb::module_& module) {
    register_options(module);
    nb::class_<GrownTree>(module, "GrownTree",
                          "A tree with the rows of its nodes: to be pruned, then fitted.")
        .def_prop_ro("n_leaves", [](const GrownTree& g) { return g.tree.n_leaves; })
        .def_prop_ro("n_nodes", [](const GrownTree& g) { return g.tree.nodes.size(); })
        .def(
            "columns", [](const GrownTree& g) { return bin_edges_of(g.columns); },
            "Bin edges of each column.")
        .def(
            "gains", [](const GrownTree& g) { return to_numpy(std::vector<double>(g.gain)); },
            "Gain of each node's split.")
        .def(
            "features",
            [](const GrownTree& g) {
                std::vector<std::int32_t> features;
                for (const TreeNode& node : g.tree.nodes) features.push_back(node.feature);
                return to_numpy(std::move(features));
            },
            "Column that each node cuts, −1 for leaves.")
        .def(
            "losses",
            [](const GrownTree& g, LossKind kind, double prior) {
                return to_numpy(leaf_losses(g, kind, prior));
            },
            nb::arg("kind"), nb::arg("mass_prior"), "What each node would lose as a leaf.")
        .def("held_out_losses", &losses_held_out, nb::arg("points").noconvert(),
             nb::arg("weights").noconvert().none(), nb::arg("squared_error"), nb::arg("mass_prior"),
             "The same on other rows.")
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
        .def("leaves_of_rows", &leaves_of_rows, nb::arg("table"),
             "Number of the leaf of each row that the tree was grown on; the largest number for rows of "
             "weight 0.");
    module.def("grow_tree", &grow, nb::arg("table"), nb::arg("options"), "Grow a density tree.");
    nb::class_<FittedForest>(module, "FittedForest", "A density forest and what its growth tells.")
        .def_ro("mixture", &FittedForest::mixture)
        .def(
            "importance", [](const FittedForest& f) { return to_numpy(std::vector<double>(f.importance)); },
            "Sum of the gains of each column's splits.")
        .def_ro("min_samples_split", &FittedForest::min_samples_split)
        .def(
            "candidate_scores",
            [](const FittedForest& f) { return to_numpy(std::vector<double>(f.candidate_scores)); },
            "Mean log-density of held-out rows for each candidate of the candidates.");
    module.def("fit_forest", &forest, nb::arg("table"), nb::arg("options"), nb::arg("progress").none(),
               "Grow and fit a density forest.");
}

}  // namespace boxwood::bindings
