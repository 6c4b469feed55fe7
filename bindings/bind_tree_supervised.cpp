#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "binning/record_table.hpp"
#include "flat_trees.hpp"
#include "interrupt.hpp"
#include "register.hpp"
#include "table_of_cells.hpp"
#include "tree/prune.hpp"
#include "tree/supervised/conditional_entropy.hpp"
#include "tree/supervised/supervised_forest.hpp"
#include "tree/supervised/supervised_predictor.hpp"

namespace boxwood::bindings {

namespace {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = MatrixArray<double>;
// The bytes of a column's codes, how many each has, the number of bins, whether they are categories, and the
// direction in which targets must go.
using CodesSpec = std::tuple<Input<std::uint8_t>, std::uint32_t, std::uint32_t, bool, int>;

template <class T>
std::vector<T> copy_of(const Input<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

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

// One array of all trees after another; each tree lets go of its own, since two copies of a forest are large.
template <class T>
void append(std::vector<SupervisedTree>& trees, std::vector<T> SupervisedTree::* array, SupervisedTree& all) {
    std::size_t size = 0;
    for (const SupervisedTree& tree : trees) size += (tree.*array).size();
    (all.*array).reserve(size);
    for (SupervisedTree& tree : trees) {
        (all.*array).insert((all.*array).end(), (tree.*array).begin(), (tree.*array).end());
        std::vector<T>().swap(tree.*array);
    }
}

SupervisedTree join(std::vector<SupervisedTree>& trees, const SupervisedData& data,
                    std::vector<std::int64_t>& start) {
    SupervisedTree all;
    std::size_t n_sets = 0;
    std::size_t n_directions = 0;
    for (SupervisedTree& tree : trees) {
        for (std::size_t i = 0; i < tree.n_nodes(); ++i) {
            if (tree.feature[i] < 0) continue;
            const auto j = static_cast<std::size_t>(tree.feature[i]);
            if (j >= data.n_columns()) {
                tree.feature[i] += static_cast<std::int32_t>(n_directions);
            } else if (data.columns[j].categorical) {
                tree.cut[i] += static_cast<std::uint32_t>(n_sets);
            }
        }
        start.push_back(start.back() + static_cast<std::int64_t>(tree.n_nodes()));
        n_sets += tree.sets.size();
        n_directions += tree.directions.size();
    }
    append(trees, &SupervisedTree::feature, all);
    append(trees, &SupervisedTree::left, all);
    append(trees, &SupervisedTree::cut, all);
    append(trees, &SupervisedTree::missing_left, all);
    append(trees, &SupervisedTree::count, all);
    append(trees, &SupervisedTree::impurity, all);
    append(trees, &SupervisedTree::response, all);
    append(trees, &SupervisedTree::threshold, all);
    append(trees, &SupervisedTree::sets, all);
    append(trees, &SupervisedTree::directions, all);
    return all;
}

FlatTrees fit(const SupervisedTable& table, const SupervisedForestOptions& options,
              const nb::object& progress) {
    SupervisedTree all;
    std::vector<std::int64_t> start = {0};
    {
        const Watch watch = watch_signals(progress);
        nb::gil_scoped_release nogil;
        std::vector<SupervisedTree> trees = fit_supervised_forest(table.data(), options, watch);
        all = join(trees, table.data(), start);
    }
    FlatTrees flat;
    flat["start"] = to_numpy(std::move(start));
    flat["feature"] = to_numpy(std::move(all.feature));
    flat["left"] = to_numpy(std::move(all.left));
    flat["cut"] = to_numpy(std::move(all.cut));
    flat["missing_left"] = to_numpy(std::move(all.missing_left));
    flat["count"] = to_numpy(std::move(all.count));
    flat["impurity"] = to_numpy(std::move(all.impurity));
    flat["response"] = to_numpy(std::move(all.response));
    flat["sets"] = to_numpy(std::move(all.sets));
    flat["threshold"] = to_numpy(std::move(all.threshold));
    std::vector<std::int64_t> direction_start = {0};
    std::vector<std::uint32_t> direction_column;
    std::vector<float> direction_weight;
    for (const Direction& direction : all.directions) {
        for (const auto& [column, weight] : direction) {
            direction_column.push_back(column);
            direction_weight.push_back(weight);
        }
        direction_start.push_back(static_cast<std::int64_t>(direction_column.size()));
    }
    flat["direction_start"] = to_numpy(std::move(direction_start));
    flat["direction_column"] = to_numpy(std::move(direction_column));
    flat["direction_weight"] = to_numpy(std::move(direction_weight));
    flat["fill"] = to_numpy(std::vector<double>(table.fill()));
    return flat;
}

std::vector<Direction> to_directions(const Integers& start, const Input<std::uint32_t>& column,
                                     const Input<float>& weight) {
    std::vector<Direction> directions;
    if (start.shape(0) == 0 || column.shape(0) != weight.shape(0))
        throw std::invalid_argument("the arrays of directions differ in length");
    for (std::size_t k = 0; k + 1 < start.shape(0); ++k) {
        const std::int64_t begin = start.data()[k];
        const std::int64_t end = start.data()[k + 1];
        if (begin < 0 || end < begin || end > static_cast<std::int64_t>(column.shape(0)))
            throw std::invalid_argument("a direction is not there");
        Direction direction;
        for (std::int64_t i = begin; i < end; ++i) direction.emplace_back(column.data()[i], weight.data()[i]);
        directions.push_back(std::move(direction));
    }
    return directions;
}

// Nodes by arrays: `left` and `roots` as indices into the whole.
SupervisedPredictor make_predictor(const Input<std::int32_t>& feature, const Input<std::uint32_t>& left,
                                   const Vector& threshold, const Input<std::uint8_t>& missing_left,
                                   const Input<std::uint32_t>& roots, const PointMatrix& responses,
                                   const Input<std::uint32_t>& sets,
                                   const std::vector<std::int64_t>& n_categories,
                                   const Integers& direction_start,
                                   const Input<std::uint32_t>& direction_column,
                                   const Input<float>& direction_weight, const Vector& fill) {
    FittedTrees trees{
        copy_of(feature),     copy_of(left),
        to_vector(threshold), copy_of(missing_left),
        copy_of(roots),       copy_of(sets),
        n_categories,         to_directions(direction_start, direction_column, direction_weight),
        to_vector(fill)};
    const std::span<const double> predicted(responses.data(), responses.shape(0) * responses.shape(1));
    nb::gil_scoped_release nogil;
    return SupervisedPredictor(trees, predicted, responses.shape(1));
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
        std::vector<std::vector<bool>> in_bag(predictor.n_trees(), std::vector<bool>(table.n_rows()));
        for (std::size_t t = 0; t < in_bag.size(); ++t) {
            const std::vector<double> sample = draw_sample(table.data(), options, t);
            for (std::size_t i = 0; i < table.n_rows(); ++i) in_bag[t][i] = sample[table.number(i)] > 0.0;
        }
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

Tree tree_of(const Input<std::int32_t>& feature, const Input<std::uint32_t>& left, const Vector& losses) {
    if (left.shape(0) != feature.shape(0) || losses.shape(0) != feature.shape(0)) {
        throw std::invalid_argument("the arrays of nodes differ in length");
    }
    Tree tree;
    for (std::size_t i = 0; i < feature.shape(0); ++i) {
        TreeNode node;
        node.feature = feature.data()[i];
        node.left = left.data()[i];
        if (!node.is_leaf() && (node.left <= i || node.left + std::size_t{1} >= feature.shape(0))) {
            throw std::invalid_argument("children stand after their parent");
        }
        tree.nodes.push_back(node);
    }
    return tree;
}

std::vector<std::tuple<double, std::size_t, double>> path(const Input<std::int32_t>& feature,
                                                          const Input<std::uint32_t>& left,
                                                          const Vector& losses) {
    std::vector<std::tuple<double, std::size_t, double>> steps;
    for (const PruneStep& step :
         prune_path(tree_of(feature, left, losses), {losses.data(), losses.shape(0)})) {
        steps.emplace_back(step.alpha, step.n_leaves, step.loss);
    }
    return steps;
}

Array<std::uint8_t> subtree(const Input<std::int32_t>& feature, const Input<std::uint32_t>& left,
                            const Vector& losses, double alpha) {
    const auto flags = best_subtree(tree_of(feature, left, losses), {losses.data(), losses.shape(0)}, alpha);
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
    nb::class_<SupervisedForestOptions>(module, "SupervisedForestOptions")
        .def(nb::init<>())
        .def_rw("first_tree", &SupervisedForestOptions::first_tree)
        .def_rw("n_trees", &SupervisedForestOptions::n_trees)
        .def_rw("bootstrap", &SupervisedForestOptions::bootstrap)
        .def_rw("max_samples", &SupervisedForestOptions::max_samples)
        .def_rw("balanced", &SupervisedForestOptions::balanced)
        .def_rw("n_threads", &SupervisedForestOptions::n_threads)
        .def_rw("seed", &SupervisedForestOptions::seed)
        .def_rw("impurity", &SupervisedForestOptions::impurity)
        .def_rw("grow", &SupervisedForestOptions::grow);
    nb::class_<SupervisedTable>(module, "SupervisedTable", "Rows as codes with a class or a value each.")
        .def("__init__", &make_table, nb::arg("columns"), nb::arg("classes").noconvert().none(),
             nb::arg("n_classes"), nb::arg("values").noconvert().none(),
             nb::arg("weights").noconvert().none(), nb::arg("numbers").noconvert().none() = nb::none());
    nb::class_<SupervisedPredictor>(module, "SupervisedPredictor", "Fitted decision or regression trees.")
        .def("predict", &predict, nb::arg("rows").noconvert(), nb::arg("n_threads") = 1,
             "Mean response of the trees for each row.")
        .def("predict_out_of_bag", &predict_out_of_bag, nb::arg("rows").noconvert(), nb::arg("table"),
             nb::arg("options"), "The same by the trees that did not see a row; NaN where all did.")
        .def("apply", &apply, nb::arg("rows").noconvert(), nb::arg("n_threads") = 1,
             "Node of each row's leaf in each tree.");
    module.def("fit_supervised_forest", &fit, nb::arg("table"), nb::arg("options"),
               nb::arg("progress").none(), "Grow decision or regression trees; flat arrays.");
    module.def("make_supervised_predictor", &make_predictor, nb::arg("feature").noconvert(),
               nb::arg("left").noconvert(), nb::arg("threshold").noconvert(),
               nb::arg("missing_left").noconvert(), nb::arg("roots").noconvert(),
               nb::arg("responses").noconvert(), nb::arg("sets").noconvert(), nb::arg("n_categories"),
               nb::arg("direction_start").noconvert(), nb::arg("direction_column").noconvert(),
               nb::arg("direction_weight").noconvert(), nb::arg("fill").noconvert(),
               "A predictor from flat arrays; ValueError where they are no trees.");
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
