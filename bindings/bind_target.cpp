#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "boxwood/distinct_rows.hpp"
#include "boxwood/prune.hpp"
#include "boxwood/target_forest.hpp"
#include "boxwood/target_predictor.hpp"
#include "flat_trees.hpp"
#include "interrupt.hpp"
#include "register.hpp"
#include "table_of_cells.hpp"

namespace boxwood::bindings {

namespace {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;

template <class T>
std::vector<T> copy_of(const Input<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

// Rows with their targets; equal rows with equal targets are one.
class TargetTable {
  public:
    TargetTable(const std::vector<std::size_t>& n_cells, const std::vector<bool>& categorical,
                const CellMatrix& cells, const std::optional<Input<std::uint32_t>>& classes,
                std::size_t n_classes, const std::optional<Vector>& values,
                const std::optional<Vector>& weights) {
        const std::size_t n = cells.shape(0);
        const std::size_t d = cells.shape(1);
        if (n_cells.size() != d || categorical.size() != d)
            throw std::invalid_argument("one entry a column is needed");
        if (classes.has_value() == values.has_value())
            throw std::invalid_argument("classes or values are needed");
        if ((classes ? classes->shape(0) : values->shape(0)) != n)
            throw std::invalid_argument("one target a row is needed");
        if (weights && weights->shape(0) != n) throw std::invalid_argument("one weight a row is needed");
        for (std::size_t j = 0; j < d; ++j) columns_.push_back(even_knots(n_cells[j], categorical[j]));
        for (std::size_t i = 0; i < n * d; ++i) {
            if (cells.data()[i] >= n_cells[i % d]) throw std::invalid_argument("a cell is not there");
        }
        for (std::size_t i = 0; classes && i < n; ++i) {
            if (classes->data()[i] >= n_classes) throw std::invalid_argument("a class is not there");
        }
        const double* w = weights ? weights->data() : nullptr;
        nb::gil_scoped_release nogil;
        find_distinct(cells, classes, values, w);
        for (std::size_t j = 0; j < d; ++j) {
            for (std::uint32_t row : distinct_.first) cells_.push_back(cells.data()[row * d + j]);
        }
        for (std::uint32_t row : distinct_.first) {
            if (classes) classes_.push_back(classes->data()[row]);
            if (values) values_.push_back(values->data()[row]);
        }
        data_.columns = &columns_;
        data_.n_rows = distinct_.first.size();
        data_.cells_by_column = cells_.data();
        data_.weights = distinct_.weight.data();
        data_.keys = distinct_.key.data();
        targets_ = {classes ? classes_.data() : nullptr, n_classes, values ? values_.data() : nullptr};
    }
    TargetTable(const TargetTable&) = delete;
    TargetTable& operator=(const TargetTable&) = delete;

    const GrowData& data() const { return data_; }
    const Targets& targets() const { return targets_; }
    std::uint64_t key(std::size_t row) const { return distinct_.key[distinct_.number[row]]; }
    double weight(std::size_t row) const { return distinct_.weight[distinct_.number[row]]; }
    std::size_t n_rows() const { return distinct_.number.size(); }

  private:
    static Knots even_knots(std::size_t n_cells, bool categorical) {
        Knots knots{{}, categorical};
        for (std::size_t k = 0; k <= n_cells; ++k)
            knots.u.push_back(static_cast<double>(k) / static_cast<double>(n_cells));
        check_knots(knots);
        return knots;
    }

    void find_distinct(const CellMatrix& cells, const std::optional<Input<std::uint32_t>>& classes,
                       const std::optional<Vector>& values, const double* weights) {
        const std::size_t n = cells.shape(0);
        const std::size_t cell_bytes = cells.shape(1) * sizeof(std::uint16_t);
        const std::size_t target_bytes = classes ? sizeof(std::uint32_t) : sizeof(double);
        std::vector<unsigned char> rows(n * (cell_bytes + target_bytes));
        for (std::size_t i = 0; i < n; ++i) {
            unsigned char* row = rows.data() + i * (cell_bytes + target_bytes);
            std::memcpy(row, cells.data() + i * cells.shape(1), cell_bytes);
            const void* target = classes ? static_cast<const void*>(classes->data() + i) : values->data() + i;
            std::memcpy(row + cell_bytes, target, target_bytes);
        }
        distinct_ = find_distinct_rows(rows.data(), cell_bytes + target_bytes, n, weights);
    }

    std::vector<Knots> columns_;
    DistinctRows distinct_;
    std::vector<std::uint16_t> cells_;
    std::vector<std::uint32_t> classes_;
    std::vector<double> values_;
    GrowData data_;
    Targets targets_;
};

FlatTrees fit(const TargetTable& table, const TargetForestOptions& options, const nb::object& progress) {
    std::vector<TargetTree> trees;
    {
        const Watch watch = watch_signals(progress);
        nb::gil_scoped_release nogil;
        trees = fit_target_forest(table.data(), table.targets(), options, watch);
    }
    std::vector<std::int64_t> node_start = {0};
    std::vector<std::int32_t> feature;
    std::vector<std::uint32_t> left, cut;
    std::vector<double> count, gain, impurity, response;
    std::vector<std::uint64_t> sets;
    const std::size_t words = trees.front().tree.words_per_set;
    for (const TargetTree& tree : trees) {
        const std::size_t first_set = words == 0 ? 0 : sets.size() / words;
        for (const TreeNode& node : tree.tree.nodes) {
            const bool in_set = !node.is_leaf() &&
                                (*table.data().columns)[static_cast<std::size_t>(node.feature)].categorical;
            feature.push_back(node.feature);
            left.push_back(node.is_leaf() ? 0 : node.left);
            cut.push_back(node.is_leaf() ? 0 : node.cut + static_cast<std::uint32_t>(in_set ? first_set : 0));
            count.push_back(node.count);
        }
        gain.insert(gain.end(), tree.gain.begin(), tree.gain.end());
        impurity.insert(impurity.end(), tree.impurity.begin(), tree.impurity.end());
        response.insert(response.end(), tree.response.begin(), tree.response.end());
        sets.insert(sets.end(), tree.tree.sets.begin(), tree.tree.sets.end());
        node_start.push_back(static_cast<std::int64_t>(feature.size()));
    }
    FlatTrees flat;
    flat["node_start"] = to_numpy(std::move(node_start));
    flat["feature"] = to_numpy(std::move(feature));
    flat["left"] = to_numpy(std::move(left));
    flat["cut"] = to_numpy(std::move(cut));
    flat["count"] = to_numpy(std::move(count));
    flat["gain"] = to_numpy(std::move(gain));
    flat["impurity"] = to_numpy(std::move(impurity));
    flat["response"] = to_numpy(std::move(response));
    flat["sets"] = to_numpy(std::move(sets));
    flat["words_per_set"] = words;
    return flat;
}

// Nodes by arrays: `left` as an index into the whole (of a leaf: the number of its response), `threshold` a
// number or, for a categorical column, the number of a set.
TargetPredictor make_predictor(const Input<std::int32_t>& feature, const Input<std::uint32_t>& left,
                               const Vector& threshold, const Input<std::uint32_t>& roots,
                               const Vector& responses, std::size_t n_outputs,
                               const Input<std::uint64_t>& sets, std::size_t words_per_set,
                               const std::vector<bool>& categorical) {
    const std::size_t n = feature.shape(0);
    if (left.shape(0) != n || threshold.shape(0) != n)
        throw std::invalid_argument("the arrays of nodes differ in length");
    std::vector<PredictNode> nodes(n);
    for (std::size_t i = 0; i < n; ++i) {
        nodes[i].feature = feature.data()[i];
        nodes[i].left = left.data()[i];
        nodes[i].threshold = threshold.data()[i];
        const bool in_set = nodes[i].feature >= 0 &&
                            static_cast<std::size_t>(nodes[i].feature) < categorical.size() &&
                            categorical[static_cast<std::size_t>(nodes[i].feature)];
        if (!in_set) continue;
        if (!(threshold.data()[i] >= 0.0 && threshold.data()[i] < 4294967296.0))
            throw std::invalid_argument("a set is not there");
        nodes[i].set = static_cast<std::uint64_t>(threshold.data()[i]);
    }
    return TargetPredictor(std::move(nodes), copy_of(roots), to_vector(responses), n_outputs, copy_of(sets),
                           words_per_set, {categorical.begin(), categorical.end()});
}

Matrix to_matrix(std::vector<double>&& values, std::size_t n_columns) {
    auto* owned = new std::vector<double>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return Matrix(owned->data(), {owned->size() / n_columns, n_columns}, owner);
}

void check_rows(const TargetPredictor& predictor, const PointMatrix& rows) {
    if (rows.shape(1) != predictor.n_columns())
        throw std::invalid_argument("rows have too few or too many columns");
}

Matrix predict(const TargetPredictor& predictor, const PointMatrix& rows, std::size_t n_threads) {
    check_rows(predictor, rows);
    std::vector<double> out(rows.shape(0) * predictor.n_outputs());
    {
        const nb::object no_progress = nb::none();
        const Watch watch = watch_signals(no_progress);
        nb::gil_scoped_release nogil;
        predictor.predict(rows.data(), rows.shape(0), out.data(), n_threads, watch);
    }
    return to_matrix(std::move(out), predictor.n_outputs());
}

Matrix predict_out_of_bag(const TargetPredictor& predictor, const PointMatrix& rows, const TargetTable& table,
                          const TargetForestOptions& options) {
    check_rows(predictor, rows);
    if (rows.shape(0) != table.n_rows()) throw std::invalid_argument("rows must be those of the table");
    std::vector<double> out(rows.shape(0) * predictor.n_outputs());
    {
        const nb::object no_progress = nb::none();
        const Watch watch = watch_signals(no_progress);
        nb::gil_scoped_release nogil;
        const auto in_bag = [&](std::size_t tree, std::size_t row) {
            return bootstrap_weight(options, tree, table.key(row), table.weight(row)) > 0.0;
        };
        predictor.predict_out_of_bag(rows.data(), rows.shape(0), in_bag, out.data(), options.n_threads,
                                     watch);
    }
    return to_matrix(std::move(out), predictor.n_outputs());
}

nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<2>, nb::c_contig> apply(const TargetPredictor& predictor,
                                                                       const PointMatrix& rows) {
    check_rows(predictor, rows);
    auto* out = new std::vector<std::uint32_t>(rows.shape(0) * predictor.n_trees());
    nb::capsule owner(out, [](void* p) noexcept { delete static_cast<std::vector<std::uint32_t>*>(p); });
    {
        nb::gil_scoped_release nogil;
        predictor.apply(rows.data(), rows.shape(0), out->data());
    }
    return {out->data(), {rows.shape(0), predictor.n_trees()}, owner};
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

// The cell of each value between ascending cuts: how many of them are at most the value. NaN gets the last
// cell.
Array<std::uint16_t> cells_between(const Vector& cuts, const Column& values, std::uint16_t missing) {
    if (cuts.shape(0) >= 0xffff) throw std::invalid_argument("a column has too many cuts");
    Knots knots{{-INFINITY}, false};
    knots.u.insert(knots.u.end(), cuts.data(), cuts.data() + cuts.shape(0));
    knots.u.push_back(INFINITY);
    std::vector<std::uint16_t> out(values.shape(0));
    {
        nb::gil_scoped_release nogil;
        const Strided column = strided(values);
        for (std::size_t i = 0; i < column.size; ++i) {
            out[i] = std::isnan(column[i]) ? missing : static_cast<std::uint16_t>(knots.cell_of(column[i]));
        }
    }
    return to_numpy(std::move(out));
}

}  // namespace

void register_target(nb::module_& module) {
    nb::enum_<Impurity>(module, "Impurity")
        .value("gini", Impurity::gini)
        .value("entropy", Impurity::entropy)
        .value("variance", Impurity::variance);
    nb::class_<TargetForestOptions>(module, "TargetForestOptions")
        .def(nb::init<>())
        .def_rw("n_trees", &TargetForestOptions::n_trees)
        .def_rw("bootstrap", &TargetForestOptions::bootstrap)
        .def_rw("max_samples", &TargetForestOptions::max_samples)
        .def_rw("n_threads", &TargetForestOptions::n_threads)
        .def_rw("seed", &TargetForestOptions::seed)
        .def_rw("impurity", &TargetForestOptions::impurity)
        .def_rw("grow", &TargetForestOptions::grow);
    nb::class_<TargetTable>(module, "TargetTable", "Rows in cells with a class or a value each.")
        .def(nb::init<const std::vector<std::size_t>&, const std::vector<bool>&, const CellMatrix&,
                      const std::optional<Input<std::uint32_t>>&, std::size_t, const std::optional<Vector>&,
                      const std::optional<Vector>&>(),
             nb::arg("n_cells"), nb::arg("categorical"), nb::arg("cells").noconvert(),
             nb::arg("classes").noconvert().none(), nb::arg("n_classes"),
             nb::arg("values").noconvert().none(), nb::arg("weights").noconvert().none());
    nb::class_<TargetPredictor>(module, "TargetPredictor", "Fitted decision or regression trees.")
        .def("predict", &predict, nb::arg("rows").noconvert(), nb::arg("n_threads") = 1,
             "Mean response of the trees for each row.")
        .def("predict_out_of_bag", &predict_out_of_bag, nb::arg("rows").noconvert(), nb::arg("table"),
             nb::arg("options"), "The same by the trees that did not see a row; NaN where all did.")
        .def("apply", &apply, nb::arg("rows").noconvert(), "Node of each row's leaf in each tree.");
    module.def("fit_target_forest", &fit, nb::arg("table"), nb::arg("options"), nb::arg("progress").none(),
               "Grow decision or regression trees; flat arrays.");
    module.def("make_target_predictor", &make_predictor, nb::arg("feature").noconvert(),
               nb::arg("left").noconvert(), nb::arg("threshold").noconvert(), nb::arg("roots").noconvert(),
               nb::arg("responses").noconvert(), nb::arg("n_outputs"), nb::arg("sets").noconvert(),
               nb::arg("words_per_set"), nb::arg("categorical"),
               "A predictor from flat arrays; ValueError where they are no trees.");
    module.def("prune_path", &path, nb::arg("feature").noconvert(), nb::arg("left").noconvert(),
               nb::arg("losses").noconvert(), "Alpha, number of leaves and loss along the pruning path.");
    module.def("best_subtree", &subtree, nb::arg("feature").noconvert(), nb::arg("left").noconvert(),
               nb::arg("losses").noconvert(), nb::arg("alpha"),
               "Which nodes are leaves of the best subtree.");
    module.def("cells_between", &cells_between, nb::arg("cuts").noconvert(), nb::arg("values").noconvert(),
               nb::arg("missing"), "Cell of each value between ascending cuts.");
}

}  // namespace boxwood::bindings
