#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "base/bytes.hpp"
#include "binning/binned_table.hpp"
#include "column_specs.hpp"
#include "flat_trees.hpp"
#include "mixture/fitting/pilot.hpp"
#include "mixture/levels/level_growth.hpp"
#include "mixture/levels/level_rows.hpp"
#include "register.hpp"
#include "tree/density/split_finders/product_split_finder.hpp"

namespace boxwood::bindings {

namespace {

using Rows = Input<std::uint32_t>;
using Places = Input<std::uint64_t>;
using Bins = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OpenArrays = std::tuple<Array<std::uint32_t>, Array<double>, Array<std::uint64_t>>;
using TakenArrays = std::tuple<Bins, Vector, Places>;

ByteWriter& operator<<(ByteWriter& out, const Tree& tree) {
    return out << tree.nodes << tree.sets << tree.words_per_set << tree.n_leaves;
}

ByteReader& operator>>(ByteReader& in, Tree& tree) {
    return in >> tree.nodes >> tree.sets >> tree.words_per_set >> tree.n_leaves;
}

nb::bytes bytes_of(ByteWriter& out) {
    const std::string bytes = out.take();
    return nb::bytes(bytes.data(), bytes.size());
}

nb::bytes tree_state(const LevelTree& t) {
    ByteWriter out;
    out << t.number << t.unit;
    out << t.tree;
    out << t.gain << t.left_fraction << t.log_volume << t.parent << t.n_rows << t.handed_over << t.counts
        << t.open << t.previous << t.steps;
    return bytes_of(out);
}

void set_tree_state(LevelTree* to, const nb::bytes& state) {
    LevelTree t;
    ByteReader in({state.c_str(), state.size()});
    in >> t.number >> t.unit;
    in >> t.tree;
    in >> t.gain >> t.left_fraction >> t.log_volume >> t.parent >> t.n_rows >> t.handed_over >> t.counts >>
        t.open >> t.previous >> t.steps;
    new (to) LevelTree(std::move(t));
}

nb::bytes subtree_state(const Subtree& s) {
    ByteWriter out;
    out << s.node;
    out << s.tree;
    out << s.gain << s.held << s.density << s.leaves.kind << s.leaves.n_leaf_bins << s.leaves.quantised
        << s.leaves.log_scale;
    return bytes_of(out);
}

void set_subtree_state(Subtree* to, const nb::bytes& state) {
    Subtree s;
    ByteReader in({state.c_str(), state.size()});
    in >> s.node;
    in >> s.tree;
    in >> s.gain >> s.held >> s.density >> s.leaves.kind >> s.leaves.n_leaf_bins >> s.leaves.quantised >>
        s.leaves.log_scale;
    new (to) Subtree(std::move(s));
}

// A part of a table: all its rows, or what a pilot leaves of them.
class LevelPart {
  public:
    LevelPart(const BinnedTable& table, const DensityForestOptions& options,
              const std::optional<double>& n_observations)
        : options_(options), data_(table.data()) {
        if (!n_observations) return;
        pilot_.emplace(table.data(), options_, *n_observations);
        data_ = pilot_->left();
    }
    LevelPart(const LevelPart&) = delete;
    LevelPart& operator=(const LevelPart&) = delete;

    OpenArrays sample(std::size_t tree) const {
        OpenRows found;
        {
            nb::gil_scoped_release nogil;
            found = sample_part(data_, options_, tree);
        }
        return to_arrays(std::move(found));
    }

    OpenArrays route(const LevelTree& tree, const Rows& rows, const Vector& weights,
                     const Places& begin) const {
        OpenRows found;
        {
            nb::gil_scoped_release nogil;
            found = route_rows(data_, tree, span_of(rows), span_of(weights), span_of(begin));
        }
        return to_arrays(std::move(found));
    }

    std::tuple<Array<std::uint64_t>, Array<double>, Array<double>> count(const LevelTree& tree,
                                                                         const Rows& rows,
                                                                         const Vector& weights,
                                                                         const Places& begin,
                                                                         std::size_t n_leaf_bins) const {
        LevelCounts found;
        {
            nb::gil_scoped_release nogil;
            found = count_rows(data_, tree, span_of(rows), span_of(weights), span_of(begin), n_leaf_bins);
        }
        return {to_numpy(std::move(found.n_rows)), to_numpy(std::move(found.weight)),
                to_numpy(std::move(found.counts))};
    }

    std::tuple<MatrixArray<std::uint16_t>, Array<double>, Array<std::uint64_t>, Array<double>> take(
        const LevelTree& tree, const Rows& rows, const Vector& weights, const Places& begin,
        const Places& step, const Places& first) const {
        TakenRows taken;
        {
            nb::gil_scoped_release nogil;
            taken = take_rows(data_, tree, options_.grow_of(tree.number), span_of(rows), span_of(weights),
                              span_of(begin), span_of(step), span_of(first));
        }
        const std::size_t d = data_.n_columns();
        const std::size_t n = d == 0 ? 0 : taken.bins.size() / d;
        return {to_numpy(std::move(taken.bins), n, d), to_numpy(std::move(taken.weights)),
                to_numpy(std::move(taken.n_rows)), to_numpy(std::move(taken.sums))};
    }

    MatrixArray<std::uint16_t> held_out() const {
        if (!pilot_) throw std::invalid_argument("without a pilot no rows are held out");
        const std::size_t d = data_.n_columns();
        std::vector<std::uint16_t> bins;
        for (std::uint32_t row : pilot_->held_rows())
            bins.insert(bins.end(), data_.bins + row * d, data_.bins + (row + std::size_t{1}) * d);
        const std::size_t n = pilot_->held_rows().size();
        return to_numpy(std::move(bins), n, d);
    }

  private:
    static OpenArrays to_arrays(OpenRows&& found) {
        return {to_numpy(std::move(found.rows)), to_numpy(std::move(found.weights)),
                to_numpy(std::move(found.begin))};
    }

    DensityForestOptions options_;
    BinnedRows data_;
    std::optional<Pilot> pilot_;
};

void make_growth(LevelGrowth* out, const std::vector<ColumnSpec>& columns,
                 const DensityForestOptions& options, std::size_t most_rows,
                 const std::optional<Bins>& held_out) {
    std::optional<std::vector<std::uint16_t>> held;
    if (held_out) {
        if (held_out->shape(1) != columns.size())
            throw std::invalid_argument("held-out rows have too few or too many columns");
        held.emplace(held_out->data(), held_out->data() + held_out->size());
    }
    new (out) LevelGrowth(to_bin_edges(columns), options, most_rows, std::move(held));
}

std::tuple<LevelTree, Array<std::uint64_t>> plan(const LevelGrowth& growth, const LevelTree& tree,
                                                 const Places& n_rows, const Vector& weight,
                                                 const Vector& counts) {
    LevelTree next = tree;
    growth.plan(next, {to_vector(n_rows), to_vector(weight), to_vector(counts)});
    std::vector<std::uint64_t> steps = next.steps;
    return {std::move(next), to_numpy(std::move(steps))};
}

std::tuple<LevelTree, std::vector<Subtree>> deepen(const LevelGrowth& growth, const LevelTree& tree,
                                                   const std::vector<TakenArrays>& parts,
                                                   const Vector& sums) {
    std::vector<TakenRows> taken;
    for (const auto& [bins, weights, n_rows] : parts) {
        std::uint64_t n = 0;
        for (std::uint64_t k : span_of(n_rows)) n += k;
        if (bins.shape(0) != n || bins.shape(1) != growth.columns().size() ||
            (weights.shape(0) != 0 && weights.shape(0) != n))
            throw std::invalid_argument("rows, weights and numbers of rows do not fit");
        taken.push_back(
            {{bins.data(), bins.data() + bins.size()}, to_vector(weights), to_vector(n_rows), {}});
    }
    LevelTree next = tree;
    std::vector<Subtree> subtrees;
    {
        nb::gil_scoped_release nogil;
        subtrees = growth.deepen(next, taken, span_of(sums));
    }
    return {std::move(next), std::move(subtrees)};
}

std::tuple<FlatTrees, MatrixArray<double>> join(const LevelGrowth& growth,
                                                const std::vector<const LevelTree*>& trees,
                                                const std::vector<std::vector<const Subtree*>>& subtrees) {
    if (trees.size() != subtrees.size()) throw std::invalid_argument("each tree needs its subtrees");
    std::vector<MixtureTree> joined;
    std::vector<double> gains;
    for (std::size_t t = 0; t < trees.size(); ++t) {
        std::vector<double> own;
        joined.push_back(growth.join(*trees[t], subtrees[t], own));
        gains.insert(gains.end(), own.begin(), own.end());
    }
    return {to_dict(flatten(joined)), to_numpy(std::move(gains), trees.size(), growth.columns().size())};
}

Array<double> densities(const LevelGrowth& growth, const LevelTree& tree,
                        const std::vector<const Subtree*>& subtrees) {
    return to_numpy(growth.densities(tree, subtrees));
}

void register_part(nb::module_& module) {
    nb::class_<LevelPart>(module, "LevelPart", "A part of a table, whose rows go down trees level by level.")
        .def(nb::init<const BinnedTable&, const DensityForestOptions&, std::optional<double>>(),
             nb::arg("table"), nb::arg("options"), nb::arg("n_observations") = nb::none(),
             nb::keep_alive<1, 2>())
        .def("sample", &LevelPart::sample, nb::arg("tree"),
             "The rows of a tree's sample, their weights (none: all 1) and where those of each open node "
             "begin.")
        .def("route", &LevelPart::route, nb::arg("tree"), nb::arg("rows").noconvert(),
             nb::arg("weights").noconvert(), nb::arg("begin").noconvert(), "The same one level further down.")
        .def("count", &LevelPart::count, nb::arg("tree"), nb::arg("rows").noconvert(),
             nb::arg("weights").noconvert(), nb::arg("begin").noconvert(), nb::arg("n_leaf_bins"),
             "Rows and weight of each open node, and its weight in the bins of its histograms.")
        .def("take", &LevelPart::take, nb::arg("tree"), nb::arg("rows").noconvert(),
             nb::arg("weights").noconvert(), nb::arg("begin").noconvert(), nb::arg("step").noconvert(),
             nb::arg("first").noconvert(),
             "Bins and weights of every so many rows of each open node, and how many they are; sums over all "
             "rows of "
             "nodes that are split by these.")
        .def("held_out", &LevelPart::held_out, "Bins of the rows that a pilot holds out.");
}

}  // namespace

void register_levels(nb::module_& module) {
    register_part(module);
    nb::class_<LevelTree>(module, "LevelTree", "The upper part of a tree that is grown level by level.")
        .def_ro("number", &LevelTree::number)
        .def_prop_ro("n_open", [](const LevelTree& tree) { return tree.open.size(); })
        .def("skeleton", &LevelTree::skeleton, "The tree without the counts of its nodes.")
        .def("__getstate__", &tree_state)
        .def("__setstate__", &set_tree_state);
    nb::class_<Subtree>(module, "Subtree", "What is below a node whose rows were brought together.")
        .def("__getstate__", &subtree_state)
        .def("__setstate__", &set_subtree_state);
    nb::class_<LevelGrowth>(module, "LevelGrowth", "Grows trees by sums over rows that are elsewhere.")
        .def("__init__", &make_growth, nb::arg("columns"), nb::arg("options"), nb::arg("most_rows"),
             nb::arg("held_out").noconvert().none() = nb::none())
        .def_prop_ro("n_leaf_bins", &LevelGrowth::n_leaf_bins)
        .def(
            "root",
            [](const LevelGrowth& growth, std::size_t number, double unit) {
                return LevelTree::root(growth.columns(), number, unit);
            },
            nb::arg("number"), nb::arg("unit"), "A tree without splits.")
        .def("plan", &plan, nb::arg("tree"), nb::arg("n_rows").noconvert(), nb::arg("weight").noconvert(),
             nb::arg("counts").noconvert(),
             "The tree with the sums of its open nodes, and every how many of their rows are needed.")
        .def("deepen", &deepen, nb::arg("tree"), nb::arg("parts").noconvert(), nb::arg("sums").noconvert(),
             "The tree one level further, and what is below nodes of few rows.")
        .def("join", &join, nb::arg("trees"), nb::arg("subtrees"),
             "Whole trees as flat arrays, and the gains of each column's splits.")
        .def("densities", &densities, nb::arg("tree"), nb::arg("subtrees"),
             "Densities of a pilot's tree at the held-out rows, for each candidate.");
    module.def(
        "check_levels", &check_levels, nb::arg("options"),
        "Raise a ValueError where trees cannot be grown level by level: a node's rows are needed at once.");
    module.def(
        "n_observations", [](const BinnedTable& table) { return n_observations(table.data()); },
        nb::arg("table"), "Of all rows.");
    module.def(
        "unit_of_counts", [](const Vector& weights) { return unit_of_counts(span_of(weights)); },
        nb::arg("weights").noconvert(), "The weight of which all are small multiples; 0: there is none.");
    module.def(
        "distinct_numbers",
        [](const BinnedTable& table) { return to_numpy(std::vector<std::uint32_t>(table.distinct())); },
        nb::arg("table"), "Which of a table's distinct rows each row is.");
}

}  // namespace boxwood::bindings
