#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "binning/supervised_table.hpp"
#include "flat_trees.hpp"
#include "interrupt.hpp"
#include "register.hpp"
#include "tree/leaf_members.hpp"
#include "tree/prune.hpp"
#include "tree/supervised/conditional_entropy.hpp"
#include "tree/supervised/supervised_forest.hpp"
#include "tree/supervised/supervised_predictor.hpp"

namespace boxwood::bindings {

namespace {

using Matrix = MatrixArray<double>;
template <class T>
using MatrixInput = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// The bytes of a column's codes, how many each has, the number of bins, whether they are categories, and the
// direction in which targets must go.
using CodesSpec = std::tuple<Input<std::uint8_t>, std::uint32_t, std::uint32_t, bool, int>;

ColumnCodes to_codes(const CodesSpec& spec, std::size_t n_rows) {
    const auto& [bytes, width, n_bins, categorical, monotone] = spec;
    if (bytes.shape(0) != n_rows * width) throw std::invalid_argument("one code a row is needed");
    return {bytes.data(), width, n_bins, categorical, monotone};
}

void make_table(SupervisedTable* out, const std::vector<CodesSpec>& columns,
                const std::optional<Input<std::uint32_t>>& classes, std::size_t n_classes,
                const std::optional<PointMatrix>& values, const std::optional<Vector>& weights,
                const std::optional<PointMatrix>& numbers) {
    if (classes.has_value() == values.has_value())
        throw std::invalid_argument("classes or values are needed");
    const std::size_t n = classes ? classes->shape(0) : values->shape(0);
    if (weights && weights->shape(0) != n) throw std::invalid_argument("one weight a row is needed");
    if (numbers && (numbers->shape(0) != n || numbers->shape(1) != columns.size()))
        throw std::invalid_argument("numbers must have the shape of the table");
    std::vector<ColumnCodes> codes;
    for (const CodesSpec& column : columns) codes.push_back(to_codes(column, n));
    if (values && values->shape(1) == 0) throw std::invalid_argument("a row needs a value");
    const Targets targets{classes ? classes->data() : nullptr, n_classes, values ? values->data() : nullptr,
                          values ? values->shape(1) : 1};
    nb::gil_scoped_release nogil;
    new (out) SupervisedTable(codes, n, targets, weights ? weights->data() : nullptr,
                              numbers ? numbers->data() : nullptr);
}

FlatTrees fit(const SupervisedTable& table, const SupervisedForestOptions& options,
              const nb::object& progress) {
    FlatForest forest;
    {
        const Watch watch = watch_signals(progress);
        nb::gil_scoped_release nogil;
        forest = join(fit_supervised_forest(table.data(), options, watch), table.data());
    }
    return to_dict(std::move(forest), table.fill());
}

// Nodes by arrays: `left` and `roots` as indices into the whole.
void make_trees(FittedTrees* out, const Input<std::int32_t>& feature, const Input<std::uint32_t>& left,
                const Vector& threshold, const Input<std::uint8_t>& missing_left,
                const Input<std::uint32_t>& roots, const Input<std::uint32_t>& sets,
                const std::vector<std::int64_t>& n_categories, const Integers& direction_start,
                const Input<std::uint32_t>& direction_column, const Input<float>& direction_weight,
                const Vector& fill) {
    new (out) FittedTrees{
        to_vector(feature),
        to_vector(left),
        to_vector(threshold),
        to_vector(missing_left),
        to_vector(roots),
        to_vector(sets),
        n_categories,
        unflatten_directions(span_of(direction_start), span_of(direction_column), span_of(direction_weight)),
        to_vector(fill)};
}

void make_predictor(SupervisedPredictor* out, const FittedTrees& trees, const PointMatrix& responses) {
    const std::span<const double> predicted(responses.data(), responses.shape(0) * responses.shape(1));
    nb::gil_scoped_release nogil;
    new (out) SupervisedPredictor(trees, predicted, responses.shape(1));
}

void check_rows(const SupervisedPredictor& predictor, const PointMatrix& rows) {
    if (rows.shape(1) != predictor.n_columns())
        throw std::invalid_argument("rows have too few or too many columns");
}

Matrix predict(const SupervisedPredictor& predictor, const PointMatrix& rows, std::size_t n_threads) {
    check_rows(predictor, rows);
    std::vector<double> out(rows.shape(0) * predictor.n_outputs());
    {
        const nb::object no_progress = nb::none();
        const Watch watch = watch_signals(no_progress);
        nb::gil_scoped_release nogil;
        predictor.predict(rows.data(), rows.shape(0), out.data(), n_threads, watch);
    }
    return to_numpy(std::move(out), rows.shape(0), predictor.n_outputs());
}

Matrix predict_out_of_bag(const SupervisedPredictor& predictor, const PointMatrix& rows,
                          const SupervisedTable& table, const SupervisedForestOptions& options) {
    check_rows(predictor, rows);
    if (rows.shape(0) != table.n_rows()) throw std::invalid_argument("rows must be those of the table");
    std::vector<double> out(rows.shape(0) * predictor.n_outputs());
    {
        const nb::object no_progress = nb::none();
        const Watch watch = watch_signals(no_progress);
        nb::gil_scoped_release nogil;
        const InBag in_bag(options, 0, predictor.n_trees(), rows_to_sample(table.data()), table.distinct(),
                           options.n_threads);
        predictor.predict_out_of_bag(rows.data(), rows.shape(0), in_bag, out.data(), options.n_threads,
                                     watch);
    }
    return to_numpy(std::move(out), rows.shape(0), predictor.n_outputs());
}

MatrixArray<std::uint32_t> apply(const SupervisedPredictor& predictor, const PointMatrix& rows,
                                 std::size_t n_threads) {
    check_rows(predictor, rows);
    std::vector<std::uint32_t> out(rows.shape(0) * predictor.n_trees());
    {
        const nb::object no_progress = nb::none();
        const Watch watch = watch_signals(no_progress);
        nb::gil_scoped_release nogil;
        predictor.apply(rows.data(), rows.shape(0), out.data(), n_threads, watch);
    }
    return to_numpy(std::move(out), rows.shape(0), predictor.n_trees());
}

// What each row weighs in the sample of each tree: a row of the result is a tree. Equal rows share evenly
// what is drawn of them.
MatrixArray<float> sample_weights(const SupervisedTable& table, const SupervisedForestOptions& options) {
    const std::span<const std::uint32_t> distinct = table.distinct();
    const std::size_t n = distinct.size();
    std::vector<float> out(options.n_trees * n);
    {
        nb::gil_scoped_release nogil;
        std::vector<float> n_equal(table.data().n_rows, 0.0F);
        for (const std::uint32_t row : distinct) n_equal[row] += 1.0F;
        run_tasks(options.n_trees, options.n_threads, [&](std::size_t t) {
            const std::vector<double> drawn =
                draw_sample(options, options.first_tree + t, rows_to_sample(table.data()));
            for (std::size_t i = 0; i < n; ++i)
                out[t * n + i] = static_cast<float>(drawn[distinct[i]]) / n_equal[distinct[i]];
        });
    }
    return to_numpy(std::move(out), options.n_trees, n);
}

Matrix histograms(const Integers& start, const Input<std::uint32_t>& row, const Input<float>& weight,
                  const MatrixInput<std::uint32_t>& leaves,
                  const std::optional<MatrixInput<std::uint8_t>>& skip, const Input<std::uint32_t>& codes,
                  std::size_t n_codes, std::size_t n_threads) {
    const LeafMembers members{span_of(start), span_of(row), span_of(weight)};
    AskedLeaves asked{{leaves.data(), leaves.size()}, {}, leaves.shape(1)};
    if (skip) asked.skip = {skip->data(), skip->size()};
    std::vector<double> out;
    {
        const nb::object no_progress = nb::none();
        const Watch watch = watch_signals(no_progress);
        nb::gil_scoped_release nogil;
        out = leaf_histograms(members, asked, span_of(codes), n_codes, n_threads, watch);
    }
    return to_numpy(std::move(out), leaves.shape(0), n_codes + 1);
}

void check_losses(const Vector& losses, std::size_t n_nodes) {
    if (losses.shape(0) != n_nodes) throw std::invalid_argument("the arrays of nodes differ in length");
}

std::vector<std::tuple<double, std::size_t, double>> path(const Input<std::int32_t>& feature,
                                                          const Input<std::uint32_t>& left,
                                                          const Vector& losses) {
    check_losses(losses, feature.shape(0));
    std::vector<std::tuple<double, std::size_t, double>> steps;
    for (const PruneStep& step :
         prune_path(unflatten_nodes(span_of(feature), span_of(left)), span_of(losses))) {
        steps.emplace_back(step.alpha, step.n_leaves, step.loss);
    }
    return steps;
}

Array<std::uint8_t> subtree(const Input<std::int32_t>& feature, const Input<std::uint32_t>& left,
                            const Vector& losses, double alpha) {
    check_losses(losses, feature.shape(0));
    const auto flags = best_subtree(unflatten_nodes(span_of(feature), span_of(left)), span_of(losses), alpha);
    return to_numpy(std::vector<std::uint8_t>(flags.begin(), flags.end()));
}

double conditional_entropy(const Vector& fractions, const Vector& means, const Vector& deviations) {
    std::vector<ClassGaussian> classes;
    if (means.shape(0) != fractions.shape(0) || deviations.shape(0) != fractions.shape(0))
        throw std::invalid_argument("the arrays of classes differ in length");
    for (std::size_t k = 0; k < fractions.shape(0); ++k)
        classes.push_back({fractions.data()[k], means.data()[k], deviations.data()[k]});
    return gaussian_conditional_entropy(classes);
}

}  // namespace

void register_tree_supervised(nb::module_& module) {
    nb::enum_<Impurity>(module, "Impurity")
        .value("gini", Impurity::gini)
        .value("entropy", Impurity::entropy)
        .value("variance", Impurity::variance)
        .value("gaussian_conditional_entropy", Impurity::gaussian_conditional_entropy);
    nb::class_<SupervisedForestOptions, ForestOptions>(module, "SupervisedForestOptions")
        .def(nb::init<>())
        .def_rw("balanced", &SupervisedForestOptions::balanced)
        .def_rw("impurity", &SupervisedForestOptions::impurity);
    nb::class_<SupervisedTable>(module, "SupervisedTable", "Rows as codes with a class or a value each.")
        .def("__init__", &make_table, nb::arg("columns"), nb::arg("classes").noconvert().none(),
             nb::arg("n_classes"), nb::arg("values").noconvert().none(),
             nb::arg("weights").noconvert().none(), nb::arg("numbers").noconvert().none() = nb::none());
    nb::class_<FittedTrees>(module, "FittedTrees", "Nodes of decision or regression trees, by flat arrays.")
        .def("__init__", &make_trees, nb::arg("feature").noconvert(), nb::arg("left").noconvert(),
             nb::arg("threshold").noconvert(), nb::arg("missing_left").noconvert(),
             nb::arg("roots").noconvert(), nb::arg("sets").noconvert(), nb::arg("n_categories"),
             nb::arg("direction_start").noconvert(), nb::arg("direction_column").noconvert(),
             nb::arg("direction_weight").noconvert(), nb::arg("fill").noconvert());
    nb::class_<SupervisedPredictor>(module, "SupervisedPredictor",
                                    "What trees predict; ValueError where they are none.")
        .def("__init__", &make_predictor, nb::arg("trees"), nb::arg("responses").noconvert())
        .def("predict", &predict, nb::arg("rows").noconvert(), nb::arg("n_threads") = 1,
             "Mean response of the trees for each row.")
        .def("predict_out_of_bag", &predict_out_of_bag, nb::arg("rows").noconvert(), nb::arg("table"),
             nb::arg("options"), "The same by the trees that did not see a row; NaN where all did.")
        .def("apply", &apply, nb::arg("rows").noconvert(), nb::arg("n_threads") = 1,
             "Node of each row's leaf in each tree.");
    module.def("fit_supervised_forest", &fit, nb::arg("table"), nb::arg("options"),
               nb::arg("progress").none(), "Grow decision or regression trees; flat arrays.");
    module.def("sample_weights", &sample_weights, nb::arg("table"), nb::arg("options"),
               "What each row weighs in the sample of each tree.");
    module.def(
        "leaf_histograms", &histograms, nb::arg("start").noconvert(), nb::arg("row").noconvert(),
        nb::arg("weight").noconvert(), nb::arg("leaves").noconvert(), nb::arg("skip").noconvert().none(),
        nb::arg("codes").noconvert(), nb::arg("n_codes"), nb::arg("n_threads") = 1,
        "Mean over the trees of the distributions of codes in each row's leaves, and behind it the sum of "
        "the squares of the members' weights.");
    module.def("gaussian_conditional_entropy", &conditional_entropy, nb::arg("fractions").noconvert(),
               nb::arg("means").noconvert(), nb::arg("deviations").noconvert(),
               "Entropy of the class, in bits, given a feature that is Gaussian in each class.");
    module.def("prune_path", &path, nb::arg("feature").noconvert(), nb::arg("left").noconvert(),
               nb::arg("losses").noconvert(), "Alpha, number of leaves and loss along the pruning path.");
    module.def("best_subtree", &subtree, nb::arg("feature").noconvert(), nb::arg("left").noconvert(),
               nb::arg("losses").noconvert(), nb::arg("alpha"),
               "Which nodes are leaves of the best subtree.");
}

}  // namespace boxwood::bindings
