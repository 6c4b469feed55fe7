#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "binning/binned_table.hpp"
#include "column_specs.hpp"
#include "flat_trees.hpp"
#include "level_arrays.hpp"
#include "mixture/fitting/pilot.hpp"
#include "mixture/fitting/sampled_tree.hpp"
#include "mixture/levels/level_growth.hpp"
#include "mixture/levels/level_rows.hpp"
#include "register.hpp"
#include "tree/density/split_finders/product_split_finder.hpp"

namespace boxwood::bindings {

namespace {

nb::bytes tree_state(const LevelTree& t) {
    ByteWriter out;
    write(out, t);
    out << t.gain << t.left_fraction << t.log_volume;
    return bytes_of(out);
}

void set_tree_state(LevelTree* to, const nb::bytes& state) {
    LevelTree t;
    ByteReader in({state.c_str(), state.size()});
    read(in, t);
    in >> t.gain >> t.left_fraction >> t.log_volume;
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
        return open_arrays([&] { return sample_part(rows_to_sample(data_), options_, tree); });
    }

    OpenArrays route(const LevelTree& tree, const Rows& rows, const Vector& weights,
                     const Places& begin) const {
        return open_arrays([&] { return route_rows(data_, tree, view_of(rows, weights, begin)); });
    }

    CountArrays count(const LevelTree& tree, const Rows& rows, const Vector& weights, const Places& begin,
                      std::size_t n_bins, const Vector& before) const {
        return count_arrays(
            [&] { return count_rows(data_, tree, view_of(rows, weights, begin), n_bins, span_of(before)); });
    }

    // Densities have no columns that are tried: `tried` is empty.
    GivenArrays take(const LevelTree& tree, const Rows& rows, const Vector& weights, const Places& begin,
                     const Places& step, const Places& first, const Input<std::uint8_t>&) const {
        return given_arrays(data_.n_columns(), [&] {
            return take_rows(data_, tree, options_.grow_of(tree.number), view_of(rows, weights, begin),
                             span_of(step), span_of(first));
        });
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
    DensityForestOptions options_;
    BinnedRows data_;
    std::optional<Pilot> pilot_;
};

void make_growth(LevelGrowth* out, const std::vector<ColumnSpec>& columns,
                 const DensityForestOptions& options, std::size_t most_rows,
                 const std::optional<Words>& held_out) {
    std::optional<std::vector<std::uint16_t>> held;
    if (held_out) {
        if (held_out->shape(1) != columns.size())
            throw std::invalid_argument("held-out rows have too few or too many columns");
        held.emplace(held_out->data(), held_out->data() + held_out->size());
    }
    new (out) LevelGrowth(to_bin_edges(columns), options, most_rows, std::move(held));
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

}  // namespace

void register_density_levels(nb::module_& module) {
    bind_level_part<LevelPart>(module, "LevelPart")
        .def(nb::init<const BinnedTable&, const DensityForestOptions&, std::optional<double>>(),
             nb::arg("table"), nb::arg("options"), nb::arg("n_observations") = nb::none(),
             nb::keep_alive<1, 2>())
        .def("held_out", &LevelPart::held_out, "Bins of the rows that a pilot holds out.");
    bind_level_tree<LevelTree>(module, "LevelTree", "The upper part of a tree that is grown level by level.")
        .def("__getstate__", &tree_state)
        .def("__setstate__", &set_tree_state);
    nb::class_<Subtree>(module, "Subtree", "What is below a node whose rows were brought together.")
        .def("__getstate__", &subtree_state)
        .def("__setstate__", &set_subtree_state);
    bind_level_growth<Subtree, LevelTree, LevelGrowth>(module, "LevelGrowth")
        .def("__init__", &make_growth, nb::arg("columns"), nb::arg("options"), nb::arg("most_rows"),
             nb::arg("held_out").noconvert().none() = nb::none())
        .def("join", &join, nb::arg("trees"), nb::arg("subtrees"),
             "Whole trees as flat arrays, and the gains of each column's splits.")
        .def("densities", &densities, nb::arg("tree"), nb::arg("subtrees"),
             "Densities of a pilot's tree at the held-out rows, for each candidate.");
    module.def(
        "check_levels", [](const DensityForestOptions& options) { check_levels(options); },
        nb::arg("options"),
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
