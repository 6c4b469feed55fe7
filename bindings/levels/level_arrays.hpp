// What bindings of trees that grow level by level share: arrays in and out, and trees as bytes.
#pragma once

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "tree/levels/bytes.hpp"
#include "tree/levels/open_rows.hpp"

namespace boxwood::bindings {

using Rows = Input<std::uint32_t>;
using Places = Input<std::uint64_t>;
using Words = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OpenArrays = std::tuple<Array<std::uint32_t>, Array<double>, Array<std::uint64_t>>;
using CountArrays = std::tuple<Array<std::uint64_t>, Array<double>, Array<double>, Array<double>>;
using TakenArrays = std::tuple<Words, Vector, Places>;
using GivenArrays =
    std::tuple<MatrixArray<std::uint16_t>, Array<double>, Array<std::uint64_t>, Array<double>>;

inline ByteWriter& operator<<(ByteWriter& out, const Tree& tree) {
    return out << tree.nodes << tree.sets << tree.words_per_set << tree.n_leaves;
}

inline ByteReader& operator>>(ByteReader& in, Tree& tree) {
    return in >> tree.nodes >> tree.sets >> tree.words_per_set >> tree.n_leaves;
}

inline void write(ByteWriter& out, const UpperPart& t) {
    out << t.number << t.unit;
    out << t.tree;
    out << t.parent << t.n_rows << t.handed_over << t.counts << t.open << t.previous << t.steps;
}

inline void read(ByteReader& in, UpperPart& t) {
    in >> t.number >> t.unit;
    in >> t.tree;
    in >> t.parent >> t.n_rows >> t.handed_over >> t.counts >> t.open >> t.previous >> t.steps;
}

inline nb::bytes bytes_of(ByteWriter& out) {
    const std::string bytes = out.take();
    return nb::bytes(bytes.data(), bytes.size());
}

inline OpenRowsView view_of(const Rows& rows, const Vector& weights, const Places& begin) {
    return {span_of(rows), span_of(weights), span_of(begin)};
}

// Calls make() without the lock.
template <class Make>
OpenArrays open_arrays(Make&& make) {
    OpenRows found;
    {
        nb::gil_scoped_release nogil;
        found = make();
    }
    return {to_numpy(std::move(found.rows)), to_numpy(std::move(found.weights)),
            to_numpy(std::move(found.begin))};
}

template <class Make>
CountArrays count_arrays(Make&& make) {
    LevelCounts found;
    {
        nb::gil_scoped_release nogil;
        found = make();
    }
    return {to_numpy(std::move(found.n_rows)), to_numpy(std::move(found.weight)),
            to_numpy(std::move(found.counts)), to_numpy(std::move(found.most))};
}

// `n_words`: of a row.
template <class Make>
GivenArrays given_arrays(std::size_t n_words, Make&& make) {
    TakenRows taken;
    {
        nb::gil_scoped_release nogil;
        taken = make();
    }
    const std::size_t n = n_words == 0 ? 0 : taken.bins.size() / n_words;
    return {to_numpy(std::move(taken.bins), n, n_words), to_numpy(std::move(taken.weights)),
            to_numpy(std::move(taken.n_rows)), to_numpy(std::move(taken.sums))};
}

inline std::vector<TakenRows> taken_rows(const std::vector<TakenArrays>& parts, std::size_t n_words) {
    std::vector<TakenRows> taken;
    for (const auto& [words, weights, n_rows] : parts) {
        std::uint64_t n = 0;
        for (std::uint64_t k : span_of(n_rows)) n += k;
        if (words.shape(0) != n || words.shape(1) != n_words ||
            (weights.shape(0) != 0 && weights.shape(0) != n))
            throw std::invalid_argument("rows, weights and numbers of rows do not fit");
        taken.push_back(
            {{words.data(), words.data() + words.size()}, to_vector(weights), to_vector(n_rows), {}});
    }
    return taken;
}

// The tree with the sums of its open nodes, every how many of their rows are needed, and which columns.
template <class Growth, class Tree>
std::tuple<Tree, Array<std::uint64_t>, Array<std::uint8_t>> plan_level(const Growth& growth, const Tree& tree,
                                                                       const Places& n_rows,
                                                                       const Vector& weight,
                                                                       const Vector& counts,
                                                                       const Vector& most) {
    Tree next = tree;
    growth.plan(next, {to_vector(n_rows), to_vector(weight), to_vector(counts), to_vector(most)});
    std::vector<std::uint64_t> steps = next.steps;
    std::vector<std::uint8_t> tried;
    if constexpr (requires { next.tried; }) tried = next.tried;
    return {std::move(next), to_numpy(std::move(steps)), to_numpy(std::move(tried))};
}

// The tree one level further, and what is below nodes of few rows.
template <class Subtree, class Growth, class Tree>
std::tuple<Tree, std::vector<Subtree>> deepen_level(const Growth& growth, const Tree& tree,
                                                    const std::vector<TakenArrays>& parts, const Vector& sums,
                                                    std::size_t n_words) {
    const std::vector<TakenRows> taken = taken_rows(parts, n_words);
    Tree next = tree;
    std::vector<Subtree> subtrees;
    {
        nb::gil_scoped_release nogil;
        subtrees = growth.deepen(next, taken, span_of(sums));
    }
    return {std::move(next), std::move(subtrees)};
}

// What both kinds of trees and of growth show to Python.
template <class Tree>
nb::class_<Tree> bind_level_tree(nb::module_& module, const char* name, const char* text) {
    return nb::class_<Tree>(module, name, text)
        .def_ro("number", &Tree::number)
        .def_prop_ro("n_open", [](const Tree& tree) { return tree.open.size(); })
        .def("skeleton", &Tree::skeleton, "The tree without the counts of its nodes.");
}

template <class Part>
nb::class_<Part> bind_level_part(nb::module_& module, const char* name) {
    return nb::class_<Part>(module, name, "A part of a table, whose rows go down trees level by level.")
        .def("sample", &Part::sample, nb::arg("tree"),
             "The rows of a tree's sample, their weights (none: all 1) and where those of each open node "
             "begin.")
        .def("route", &Part::route, nb::arg("tree"), nb::arg("rows").noconvert(),
             nb::arg("weights").noconvert(), nb::arg("begin").noconvert(), "The same one level further down.")
        .def("count", &Part::count, nb::arg("tree"), nb::arg("rows").noconvert(),
             nb::arg("weights").noconvert(), nb::arg("begin").noconvert(), nb::arg("n_bins"),
             nb::arg("before").noconvert(),
             "Rows and weight of each open node, its weight in the bins of its histograms or of its classes, "
             "and maxima. `before` are the part's own counts of the level before, or none.")
        .def("take", &Part::take, nb::arg("tree"), nb::arg("rows").noconvert(),
             nb::arg("weights").noconvert(), nb::arg("begin").noconvert(), nb::arg("step").noconvert(),
             nb::arg("first").noconvert(), nb::arg("tried").noconvert(),
             "Every so many rows of each open node, their weights and how many they are; sums over all rows "
             "of nodes that are split by these.");
}

template <class Subtree, class Tree, class Growth>
nb::class_<Growth> bind_level_growth(nb::module_& module, const char* name) {
    return nb::class_<Growth>(module, name, "Grows trees by sums over rows that are elsewhere.")
        .def_prop_ro("n_bins", &Growth::n_bins)
        .def("root", &Growth::root, nb::arg("number"), nb::arg("unit"), "A tree without splits.")
        .def("plan", &plan_level<Growth, Tree>, nb::arg("tree"), nb::arg("n_rows").noconvert(),
             nb::arg("weight").noconvert(), nb::arg("counts").noconvert(), nb::arg("most").noconvert(),
             "The tree with the sums of its open nodes, every how many of their rows are needed, and which "
             "columns.")
        .def(
            "deepen",
            [](const Growth& growth, const Tree& tree, const std::vector<TakenArrays>& parts,
               const Vector& sums) {
                return deepen_level<Subtree>(growth, tree, parts, sums, growth.n_words());
            },
            nb::arg("tree"), nb::arg("parts").noconvert(), nb::arg("sums").noconvert(),
            "The tree one level further, and what is below nodes of few rows.");
}

}  // namespace boxwood::bindings
