#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "arrays.hpp"
#include "binning/binned_table.hpp"
#include "column_specs.hpp"
#include "flat_trees.hpp"
#include "interrupt.hpp"
#include "mixture/density_forest.hpp"
#include "mixture/mixture.hpp"
#include "mixture/table_mixture.hpp"
#include "register.hpp"
#include "tables.hpp"

namespace boxwood::bindings {

namespace {

using Matrix = MatrixArray<double>;
using LeafMatrix = MatrixArray<std::uint32_t>;

Mixture make(const std::vector<ColumnSpec>& columns, const FlatTrees& flat, const Vector& weights) {
    std::vector<MixtureTree> trees = from_dict(flat);
    auto bin_edges = to_bin_edges(columns);
    auto fractions = to_vector(weights);
    nb::gil_scoped_release nogil;
    return Mixture(std::move(bin_edges), std::move(trees), std::move(fractions));
}

void check_points(const Mixture& mixture, const PointMatrix& points) {
    if (points.shape(1) != mixture.n_columns())
        throw std::invalid_argument("points have too few or too many columns");
}

Array<double> log_density(const Mixture& mixture, const PointMatrix& points, std::size_t n_threads) {
    check_points(mixture, points);
    std::vector<double> out(points.shape(0));
    {
        const nb::object no_progress = nb::none();
        const Watch watch = watch_signals(no_progress);
        nb::gil_scoped_release nogil;
        mixture.log_density(points.data(), points.shape(0), out.data(), n_threads, watch);
    }
    return to_numpy(std::move(out));
}

using Scores = std::pair<Array<double>, Array<double>>;

// How many trees did not see a row, and log-densities by all of them, by halves and by quarters.
Array<double> unseen_scores(const std::vector<UnseenScore>& unseen) {
    std::vector<double> flat;
    flat.reserve(4 * unseen.size());
    for (const UnseenScore& score : unseen)
        flat.insert(flat.end(), {score.n_trees, score.all, score.of_halves, score.of_quarters});
    return to_numpy(std::move(flat));
}

LeftOut left_out_of(const InBag& in_bag) {
    return [&](std::size_t tree, std::size_t row) { return in_bag.left_out(tree, row); };
}

Scores score_training(const Mixture& mixture, const PointMatrix& points, const BinnedTable& table,
                      const DensityForestOptions& options) {
    check_points(mixture, points);
    if (points.shape(0) != table.n_rows())
        throw std::invalid_argument("points must be the rows of the table");
    std::vector<double> out(points.shape(0));
    std::vector<UnseenScore> unseen(points.shape(0));
    {
        const nb::object no_progress = nb::none();
        const Watch watch = watch_signals(no_progress);
        nb::gil_scoped_release nogil;
        const InBag in_bag = in_bag_of(table, options, 0, table.n_rows());
        mixture.log_density_with_out_of_bag(points.data(), points.shape(0), left_out_of(in_bag), out.data(),
                                            unseen.data(), options.n_threads, watch);
    }
    return {to_numpy(std::move(out)), unseen_scores(unseen)};
}

FlatTrees flat(const Mixture& mixture, std::optional<std::size_t> tree) {
    const std::span<const MixtureTree> trees(mixture.trees());
    if (!tree) return to_dict(flatten(trees));
    if (*tree >= trees.size()) throw std::invalid_argument("there is no such tree");
    return to_dict(flatten(trees.subspan(*tree, 1)));
}

std::map<std::string, std::size_t> memory(const Mixture& mixture) {
    const MixtureMemory bytes = mixture.memory();
    return {{"structure", bytes.structure},
            {"sets", bytes.sets},
            {"leaves", bytes.leaves},
            {"bin_edges", bytes.bin_edges}};
}

// What scoring adds up of a leaf: of a uniform one its log-density.
Array<double> leaf_scales(const Mixture& mixture, std::size_t tree) {
    if (tree >= mixture.n_trees()) throw std::invalid_argument("there is no such tree");
    return to_numpy(std::vector<double>(mixture.trees()[tree].leaves.log_scale));
}

Array<std::int64_t> n_leaves(const Mixture& mixture) {
    std::vector<std::int64_t> n;
    for (const MixtureTree& component : mixture.trees())
        n.push_back(static_cast<std::int64_t>(component.tree.n_leaves));
    return to_numpy(std::move(n));
}

LeafMatrix apply(const Mixture& mixture, const PointMatrix& points) {
    check_points(mixture, points);
    std::vector<std::uint32_t> out(points.shape(0) * mixture.n_trees());
    {
        nb::gil_scoped_release nogil;
        mixture.apply(points.data(), points.shape(0), out.data());
    }
    return to_numpy(std::move(out), points.shape(0), mixture.n_trees());
}

Matrix sample(const Mixture& mixture, std::size_t n_rows, std::uint64_t seed, bool evenly) {
    std::vector<double> out(n_rows * mixture.n_columns());
    {
        nb::gil_scoped_release nogil;
        if (evenly)
            mixture.sample_evenly(n_rows, seed, out.data());
        else
            mixture.sample(n_rows, seed, out.data());
    }
    return to_numpy(std::move(out), n_rows, mixture.n_columns());
}

using EventList = nb::typed<nb::list, nb::any>;

// An event a column: None, a pair (low, high) of u, or an array of flags, one a bin.
std::vector<ColumnEvent> to_events(const EventList& events) {
    using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    std::vector<ColumnEvent> columns;
    for (nb::handle item : events) {
        ColumnEvent event;
        if (nb::isinstance<nb::tuple>(item)) {
            const auto bounds = nb::cast<std::pair<double, double>>(item);
            event.kind = ColumnEvent::Kind::interval;
            event.low = bounds.first;
            event.high = bounds.second;
        } else if (!item.is_none()) {
            const auto flags = nb::cast<Flags>(item);
            event.kind = ColumnEvent::Kind::bins;
            event.bins.assign(flags.data(), flags.data() + flags.shape(0));
        }
        columns.push_back(std::move(event));
    }
    return columns;
}

double probability(const Mixture& mixture, const EventList& events) {
    const auto columns = to_events(events);
    nb::gil_scoped_release nogil;
    return mixture.probability(columns);
}

Array<double> marginal(const Mixture& mixture, std::size_t column) {
    std::vector<double> bins;
    {
        nb::gil_scoped_release nogil;
        bins = mixture.marginal(column);
    }
    return to_numpy(std::move(bins));
}

Array<double> table_log_density(const Margins& margins, const Mixture& mixture, const TableArrays& arrays,
                                MissingValues missing, std::size_t n_threads) {
    const TableView table = to_table(arrays);
    std::vector<double> out(table.n_rows);
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        TableMixture(margins, mixture, missing).log_density(table, out.data(), n_threads, watch);
    }
    return to_numpy(std::move(out));
}

// Mixture, importances, the smallest split, and log-densities of the training rows: by all trees and, on the
// cube, by those that did not see a row.
using FittedForest = std::tuple<Mixture, Array<double>, double, Array<double>, Array<double>>;

FittedForest fit_table_forest(const Margins& margins, const TableArrays& arrays, const BinnedTable& rows,
                              const DensityForestOptions& options, MissingValues missing,
                              const nb::object& progress, bool score) {
    const TableView table = to_table(arrays);
    // Rows that stand for unseen categories come behind those of the table.
    if (table.n_rows > rows.n_rows())
        throw std::invalid_argument("the rows of the table must have been binned");
    std::vector<double> out;
    std::vector<UnseenScore> unseen;
    const auto fitted = [&] {
        const nb::object nobody = nb::none();
        const Watch growing = watch_signals(progress);
        const Watch scoring = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        DensityForest forest = fit_density_forest(rows.data(), options, growing);
        Mixture mixture = Mixture::of_fitted(std::move(forest.columns), std::move(forest.trees));
        const TableMixture density(margins, mixture, missing);
        if (score) {
            out.resize(table.n_rows);  // not before the trees were grown, which takes most of the memory
            unseen.resize(table.n_rows);
            const InBag in_bag = in_bag_of(rows, options, 0, rows.n_rows());
            density.log_density_with_out_of_bag(table, left_out_of(in_bag), out.data(), unseen.data(),
                                                options.n_threads, scoring);
        }
        return std::pair(std::move(mixture), std::move(forest));
    };
    auto [mixture, forest] = fitted();
    return {std::move(mixture), to_numpy(std::move(forest.importance)), forest.min_samples_split,
            to_numpy(std::move(out)), unseen_scores(unseen)};
}

// Log-densities of rows that a forest was fitted to, from the row `first` on, as `fit_table_forest` gives
// them.
Scores score_table_forest(const Margins& margins, const TableArrays& arrays, const BinnedTable& rows,
                          const DensityForestOptions& options, const Mixture& mixture, MissingValues missing,
                          std::size_t first) {
    const TableView table = to_table(arrays);
    if (first > rows.n_rows() || table.n_rows > rows.n_rows() - first)
        throw std::invalid_argument("the rows of the table must have been binned");
    std::vector<double> out(table.n_rows);
    std::vector<UnseenScore> unseen(table.n_rows);
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        const InBag in_bag = in_bag_of(rows, options, first, first + table.n_rows);
        TableMixture(margins, mixture, missing)
            .log_density_with_out_of_bag(table, left_out_of(in_bag), out.data(), unseen.data(),
                                         options.n_threads, watch);
    }
    return {to_numpy(std::move(out)), unseen_scores(unseen)};
}

// The mean of the trees of several mixtures over the same bin edges.
Mixture join_mixtures(const std::vector<const Mixture*>& parts) {
    if (parts.empty()) throw std::invalid_argument("there is nothing to join");
    std::vector<MixtureTree> trees;
    for (const Mixture* part : parts) {
        if (part->n_columns() != parts.front()->n_columns())
            throw std::invalid_argument("mixtures of different columns cannot be joined");
        trees.insert(trees.end(), part->trees().begin(), part->trees().end());
    }
    return Mixture::of_fitted(parts.front()->columns(), std::move(trees));
}

std::vector<DecodedArrays> sample_table(const Margins& margins, const Mixture& mixture, std::size_t n_rows,
                                        std::uint64_t seed, std::size_t n_threads) {
    std::vector<DecodedColumn> columns;
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        columns = TableMixture(margins, mixture).sample(n_rows, seed, n_threads, watch);
    }
    return to_arrays(std::move(columns), margins);
}

void register_tables(nb::module_& module) {
    module.def("table_log_density", &table_log_density, nb::arg("margins"), nb::arg("mixture"),
               nb::arg("table").noconvert(), nb::arg("missing"), nb::arg("n_threads") = 1,
               "Log-density of the rows of a table under a mixture under margins.");
    module.def("fit_table_forest", &fit_table_forest, nb::arg("margins"), nb::arg("table").noconvert(),
               nb::arg("rows"), nb::arg("options"), nb::arg("missing"), nb::arg("progress").none(),
               nb::arg("score") = true,
               "Fit a density forest to the rows of a table: the mixture, the sum of the gains of each "
               "column's splits, the smallest split, the log-density of each row, and on the cube that by "
               "the trees that did not see it: their number, by all of them, the mean by halves and by "
               "quarters of them, one after another. Both are empty where rows are not to be scored.");
    module.def("score_table_forest", &score_table_forest, nb::arg("margins"), nb::arg("table").noconvert(),
               nb::arg("rows"), nb::arg("options"), nb::arg("mixture"), nb::arg("missing"),
               nb::arg("first") = 0,
               "Log-densities of rows that a forest was fitted to, from a first one on, by all trees and by "
               "those that did not see a row, as fit_table_forest gives them.");
    module.def("join_mixtures", &join_mixtures, nb::arg("parts"),
               "The mean of all trees of several mixtures over the same bin edges.");
    module.def("sample_table", &sample_table, nb::arg("margins"), nb::arg("mixture"), nb::arg("n_rows"),
               nb::arg("seed"), nb::arg("n_threads") = 1,
               "Random rows: the values of each column, and how many of them are missing.");
}

}  // namespace

void register_mixture(nb::module_& module) {
    nb::class_<Mixture>(module, "Mixture", "A mixture of products of 1-D pieces on the unit cube.")
        .def("log_density", &log_density, nb::arg("points").noconvert(), nb::arg("n_threads") = 1,
             "Log-density of row-major points; NaN columns are summed out.")
        .def("score_training", &score_training, nb::arg("points").noconvert(), nb::arg("table"),
             nb::arg("options"),
             "The same of the rows that a forest was fitted to, and by the trees that did not see a row; NaN "
             "where all did.")
        .def("flat", &flat, nb::arg("tree") = nb::none(),
             "Nodes and leaves of one tree, or of all, as flat arrays: copies.")
        .def(
            "bin_edges", [](const Mixture& m) { return from_bin_edges(m.columns()); },
            "Bin edges of each column, and whether its bins are categories.")
        .def(
            "weights", [](const Mixture& m) { return to_numpy(std::vector<double>(m.weights())); },
            "Of each tree.")
        .def_prop_ro("leaf_kind",
                     [](const Mixture& m) { return std::string(name_of(m.trees().front().leaves.kind)); })
        .def("n_leaves", &n_leaves, "Of each tree.")
        .def("memory", &memory, "Bytes of the nodes, of sets of categories, leaves and bin edges.")
        .def("leaf_scales", &leaf_scales, nb::arg("tree"),
             "Of each leaf, the log-density less that of its histograms or Gaussians before normalising.")
        .def("apply", &apply, nb::arg("points").noconvert(), "Number of the leaf of each row in each tree.")
        .def("sample", &sample, nb::arg("n_rows"), nb::arg("seed"), nb::arg("evenly") = false,
             "Random points; evenly: in the order of the leaves, one for every n-th part of their mass.")
        .def("probability", &probability, nb::arg("events"),
             "Probability that all events happen: None, (low, high) of u, or flags of bins for each column.")
        .def("marginal", &marginal, nb::arg("column"), "Probability of each bin of a column.");
    module.def("make_mixture", &make, nb::arg("columns"), nb::arg("flat"), nb::arg("weights").noconvert(),
               "A mixture from flat arrays; ValueError where they are none.");
    register_tables(module);
}

}  // namespace boxwood::bindings
