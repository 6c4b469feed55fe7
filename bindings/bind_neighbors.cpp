#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "neighbors/condense.hpp"
#include "neighbors/gabriel.hpp"
#include "neighbors/kd_tree.hpp"
#include "neighbors/partial_scan.hpp"
#include "neighbors/product_search.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>;

void check(bool right, const char* what) {
    if (!right) throw std::invalid_argument(what);
}

void check_finite(const Matrix& rows) {
    const bool finite =
        std::all_of(rows.data(), rows.data() + rows.size(), [](double x) { return std::isfinite(x); });
    check(finite, "rows must be finite");
}

// An index and how many of its rows are still there.
template <class Search>
struct Index {
    template <class... Rest>
    explicit Index(const Matrix& rows, Rest&&... rest) : n_left(rows.shape(0)) {
        check(rows.shape(0) < 0xffffffffu, "an index holds fewer than 2**32 rows");
        nb::gil_scoped_release nogil;
        search =
            std::make_unique<Search>(rows.data(), rows.shape(0), rows.shape(1), std::forward<Rest>(rest)...);
        there.assign(rows.shape(0), 1);
    }

    std::unique_ptr<Search> search;
    std::size_t n_left;
    std::vector<std::uint8_t> there;
};

template <class T>
Table<T> table_of(std::unique_ptr<T[]> values, std::size_t n_rows, std::size_t n_columns) {
    T* data = values.get();
    nb::capsule owner(values.release(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Table<T>(data, {n_rows, n_columns}, owner);
}

template <class Search>
std::pair<Table<double>, Table<std::int64_t>> query(const Index<Search>& index, const Matrix& queries,
                                                    std::size_t k, std::size_t n_threads) {
    check(queries.shape(1) == index.search->n_dims(), "queries need as many columns as the rows");
    check(k >= 1 && k <= index.n_left, "k must be from 1 to the number of rows");
    const std::size_t n = queries.shape(0);
    // Not initialised: every entry is written.
    std::unique_ptr<double[]> distances(new double[n * k]);
    std::unique_ptr<std::int64_t[]> rows(new std::int64_t[n * k]);
    {
        const nb::object none = nb::none();
        const Watch watch = watch_signals(none);
        nb::gil_scoped_release nogil;
        index.search->query(queries.data(), n, k, n_threads, distances.get(), rows.get(), watch);
    }
    return {table_of(std::move(distances), n, k), table_of(std::move(rows), n, k)};
}

template <class Search>
void remove(Index<Search>& index, std::size_t row) {
    check(row < index.there.size() && index.there[row], "there is no such row");
    index.search->remove(row);
    index.there[row] = 0;
    --index.n_left;
}

Norm norm_of(const std::string& name) {
    if (name == "euclidean") return Norm::euclidean;
    if (name == "manhattan") return Norm::manhattan;
    if (name == "chebyshev") return Norm::chebyshev;
    if (name == "minkowski") return Norm::minkowski;
    throw std::invalid_argument("unknown norm");
}

template <class Search>
nb::class_<Index<Search>> index_class(nb::module_& module, const char* name, const char* doc) {
    return nb::class_<Index<Search>>(module, name, doc)
        .def("__len__", [](const Index<Search>& index) { return index.n_left; })
        .def("query", &query<Search>, nb::arg("queries").noconvert(), nb::arg("k"), nb::arg("n_threads") = 1,
             "Distances and row numbers of the k nearest rows of each query.")
        .def("remove", &remove<Search>, nb::arg("row"), "Take a row out.");
}

Array<std::int64_t> condense_rows(const Matrix& rows, const Integers& classes, const Integers& order,
                                  bool one_pass) {
    const std::size_t n = rows.shape(0);
    check(classes.shape(0) == n && order.shape(0) == n, "one class and one place a row are needed");
    std::vector<std::uint8_t> seen(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t row = order.data()[i];
        check(row >= 0 && static_cast<std::size_t>(row) < n && !seen[static_cast<std::size_t>(row)],
              "order must hold every row once");
        seen[static_cast<std::size_t>(row)] = 1;
    }
    std::vector<std::int64_t> kept;
    {
        const nb::object none = nb::none();
        const Watch watch = watch_signals(none);
        nb::gil_scoped_release nogil;
        StopSignal stop;
        const auto stopping = stop.watching(watch);
        const auto check_stop = stop.check();
        run_tasks(
            1, 1,
            [&](std::size_t) {
                kept = condense(rows.data(), n, rows.shape(1), classes.data(), order.data(), one_pass,
                                check_stop);
            },
            stopping);
    }
    return to_numpy(std::move(kept));
}

Array<std::uint8_t> gabriel_enemies(const Matrix& rows, const Integers& classes, std::size_t n_threads) {
    check(classes.shape(0) == rows.shape(0), "one class a row is needed");
    check(rows.shape(0) < 0xffffffffu, "at most 2**32 rows");
    check_finite(rows);
    std::vector<std::uint8_t> out;
    {
        const nb::object none = nb::none();
        const Watch watch = watch_signals(none);
        nb::gil_scoped_release nogil;
        const KdTree tree(rows.data(), rows.shape(0), rows.shape(1), Norm::euclidean, 2.0);
        out = has_gabriel_enemy(tree, rows.data(), classes.data(), n_threads, watch);
    }
    return to_numpy(std::move(out));
}

}  // namespace

void register_neighbors(nb::module_& module) {
    using Tree = Index<KdTree>;
    index_class<KdTree>(module, "KdTree", "Exact nearest rows by a tree of boxes.")
        .def(
            "__init__",
            [](Tree* self, const Matrix& rows, const std::string& norm, double p) {
                check_finite(rows);
                new (self) Tree(rows, norm_of(norm), p);
            },
            nb::arg("rows").noconvert(), nb::arg("norm"), nb::arg("p") = 2.0)
        .def(
            "visited_fraction",
            [](const Tree& tree, std::size_t n_probes, std::size_t k) {
                check(n_probes >= 1 && k >= 1, "n_probes and k must be positive");
                nb::gil_scoped_release nogil;
                return tree.search->visited_fraction(n_probes, k);
            },
            nb::arg("n_probes"), nb::arg("k"), "Mean fraction of leaves that a search looks at.");
    index_class<ProductSearch>(module, "ProductSearch", "Exact nearest rows by products, Euclidean.")
        .def(
            "__init__",
            [](Index<ProductSearch>* self, const Matrix& rows) {
                check_finite(rows);
                new (self) Index<ProductSearch>(rows);
            },
            nb::arg("rows").noconvert());
    index_class<PartialScan>(module, "PartialScan",
                             "Nearest rows by partial distance, categories by overlap.")
        .def(
            "__init__",
            [](Index<PartialScan>* self, const Matrix& rows, const Flags& categorical,
               const std::string& norm, double p) {
                check(categorical.shape(0) == rows.shape(1), "one flag a column is needed");
                std::vector<std::uint8_t> flags(categorical.data(),
                                                categorical.data() + categorical.shape(0));
                new (self) Index<PartialScan>(rows, std::move(flags), norm_of(norm), p);
            },
            nb::arg("rows").noconvert(), nb::arg("categorical").noconvert(), nb::arg("norm"),
            nb::arg("p") = 2.0);
    module.def("condense", &condense_rows, nb::arg("rows").noconvert(), nb::arg("classes").noconvert(),
               nb::arg("order").noconvert(), nb::arg("one_pass"), "Rows of Hart's condensed subset.");
    module.def("gabriel_enemies", &gabriel_enemies, nb::arg("rows").noconvert(),
               nb::arg("classes").noconvert(), nb::arg("n_threads") = 1,
               "1 for rows with a Gabriel neighbour of another class.");
}

}  // namespace boxwood::bindings
