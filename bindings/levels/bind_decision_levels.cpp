#include "binning/supervised_table.hpp"
#include "flat_trees.hpp"
#include "level_arrays.hpp"
#include "register.hpp"
#include "tree/supervised/levels/decision_level_growth.hpp"

namespace boxwood::bindings {

namespace {

nb::bytes tree_state(const DecisionLevelTree& t) {
    ByteWriter out;
    write(out, t);
    out << t.missing_left << t.bounds << t.sets << t.tried;
    return bytes_of(out);
}

void set_tree_state(DecisionLevelTree* to, const nb::bytes& state) {
    DecisionLevelTree t;
    ByteReader in({state.c_str(), state.size()});
    read(in, t);
    in >> t.missing_left >> t.bounds >> t.sets >> t.tried;
    new (to) DecisionLevelTree(std::move(t));
}

// Thresholds of numbers and directions are those of criteria that are not grown by levels.
nb::bytes subtree_state(const DecisionSubtree& s) {
    ByteWriter out;
    out << s.node;
    out << s.tree;
    out << s.leaves.missing_left << s.leaves.impurity << s.leaves.response << s.leaves.sets;
    return bytes_of(out);
}

void set_subtree_state(DecisionSubtree* to, const nb::bytes& state) {
    DecisionSubtree s;
    ByteReader in({state.c_str(), state.size()});
    in >> s.node;
    in >> s.tree;
    in >> s.leaves.missing_left >> s.leaves.impurity >> s.leaves.response >> s.leaves.sets;
    new (to) DecisionSubtree(std::move(s));
}

class DecisionLevelPart {
  public:
    DecisionLevelPart(const SupervisedTable& table, const SupervisedForestOptions& options)
        : options_(options), data_(table.data()) {}
    DecisionLevelPart(const DecisionLevelPart&) = delete;
    DecisionLevelPart& operator=(const DecisionLevelPart&) = delete;

    OpenArrays sample(std::size_t tree) const {
        return open_arrays([&] { return sample_part(rows_to_sample(data_), options_, tree); });
    }

    OpenArrays route(const DecisionLevelTree& tree, const Rows& rows, const Vector& weights,
                     const Places& begin) const {
        return open_arrays([&] { return route_rows(data_, tree, view_of(rows, weights, begin)); });
    }

    CountArrays count(const DecisionLevelTree& tree, const Rows& rows, const Vector& weights,
                      const Places& begin, std::size_t n_bins, const Vector&) const {
        if (n_bins != data_.targets.n_classes) throw std::invalid_argument("a part has other classes");
        return count_arrays([&] { return count_rows(data_, tree, view_of(rows, weights, begin)); });
    }

    GivenArrays take(const DecisionLevelTree&, const Rows& rows, const Vector& weights, const Places& begin,
                     const Places& step, const Places& first, const Input<std::uint8_t>& tried) const {
        return given_arrays(words_of_row(data_.stride), [&] {
            return take_rows(data_, view_of(rows, weights, begin), span_of(step), span_of(first),
                             span_of(tried));
        });
    }

  private:
    SupervisedForestOptions options_;
    SupervisedData data_;
};

// Bytes of a code, bins, whether they are categories, and the direction in which targets must go.
using ColumnLayout = std::tuple<std::uint32_t, std::uint32_t, bool, int>;

void make_growth(DecisionLevelGrowth* out, const std::vector<ColumnLayout>& columns, std::size_t n_classes,
                 const SupervisedForestOptions& options, std::size_t most_rows) {
    std::vector<ColumnCodes> codes;
    for (const auto& [width, n_bins, categorical, monotone] : columns)
        codes.push_back({nullptr, width, n_bins, categorical, monotone});
    new (out) DecisionLevelGrowth(lay_out_records(codes), n_classes, options, most_rows);
}

FlatTrees join_trees(const DecisionLevelGrowth& growth, const std::vector<const DecisionLevelTree*>& trees,
                     const std::vector<std::vector<const DecisionSubtree*>>& subtrees) {
    if (trees.size() != subtrees.size()) throw std::invalid_argument("each tree needs its subtrees");
    std::vector<SupervisedTree> joined;
    for (std::size_t t = 0; t < trees.size(); ++t) joined.push_back(growth.join(*trees[t], subtrees[t]));
    return to_dict(join(std::move(joined), growth.columns()), {});
}

}  // namespace

void register_decision_levels(nb::module_& module) {
    bind_level_part<DecisionLevelPart>(module, "DecisionLevelPart")
        .def(nb::init<const SupervisedTable&, const SupervisedForestOptions&>(), nb::arg("table"),
             nb::arg("options"), nb::keep_alive<1, 2>());
    bind_level_tree<DecisionLevelTree>(module, "DecisionLevelTree",
                                       "The upper part of a decision tree that is grown level by level.")
        .def("__getstate__", &tree_state)
        .def("__setstate__", &set_tree_state);
    nb::class_<DecisionSubtree>(module, "DecisionSubtree",
                                "What is below a node whose rows were brought together.")
        .def("__getstate__", &subtree_state)
        .def("__setstate__", &set_subtree_state);
    bind_level_growth<DecisionSubtree, DecisionLevelTree, DecisionLevelGrowth>(module, "DecisionLevelGrowth")
        .def("__init__", &make_growth, nb::arg("columns"), nb::arg("n_classes"), nb::arg("options"),
             nb::arg("most_rows"))
        .def("join", &join_trees, nb::arg("trees"), nb::arg("subtrees"), "Whole trees as flat arrays.");
    module.def(
        "check_decision_levels",
        [](const SupervisedForestOptions& options, std::size_t n_classes) {
            check_levels(options, n_classes);
        },
        nb::arg("options"), nb::arg("n_classes"),
        "Raise a ValueError where trees cannot be grown level by level: a node's rows are needed at once.");
    module.def(
        "distinct_numbers",
        [](const SupervisedTable& table) { return to_numpy(std::vector<std::uint32_t>(table.distinct())); },
        nb::arg("table"), "Which of a table's distinct rows each row is.");
}

}  // namespace boxwood::bindings
