#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <optional>

#include "binning/choose_bin_edges.hpp"
#include "column_specs.hpp"
#include "interrupt.hpp"
#include "register.hpp"
#include "tables.hpp"

namespace boxwood::bindings {

namespace {

// Origin and step of a column's lattice, its atoms, its bounds, the range of the whole table, and whether the
// column has no other values.
using LatticeSpec = std::pair<double, double>;
using MeasureSpec =
    std::tuple<std::optional<LatticeSpec>, std::optional<Vector>, double, double, double, double, bool>;
using MeasureList = std::vector<MeasureSpec>;

std::optional<Lattice> to_lattice(const std::optional<LatticeSpec>& given) {
    return given ? std::optional(Lattice(given->first, given->second)) : std::nullopt;
}

NumberMeasures to_measures(const std::optional<MeasureList>& given) {
    NumberMeasures measures;
    if (!given) return measures;
    for (const auto& [lattice, atoms, low, high, first, last, closed] : *given) {
        NumberMeasure measure{to_lattice(lattice), std::nullopt, {low, high}, {first, last}, closed};
        if (atoms) measure.atoms = to_vector(*atoms);
        measures.push_back(std::move(measure));
    }
    return measures;
}

RowCounts to_counts(const std::optional<Integers>& weights, double unit, std::size_t n_rows) {
    if (weights && weights->shape(0) != n_rows) throw std::invalid_argument("one weight a row is needed");
    return {weights ? weights->data() : nullptr, unit};
}

// Calls the core without the GIL; Ctrl-C is heard between its blocks.
template <class Work>
auto with_watch(const Work& work) {
    const nb::object nobody = nb::none();
    const Watch watch = watch_signals(nobody);
    nb::gil_scoped_release nogil;
    return work(watch);
}

// Margins, and of each column whether it may be cut anywhere.
using FittedMargins = std::pair<Margins, std::vector<bool>>;

FittedMargins with_continuity(Margins&& margins) {
    std::vector<bool> continuous = margins.continuous();
    return {std::move(margins), std::move(continuous)};
}

FittedMargins fit(const TableArrays& arrays, const std::vector<FieldSpec>& specs,
                  const std::optional<Integers>& weights, double unit, MarginKind kind,
                  const std::optional<MeasureList>& measures, std::size_t n_threads) {
    const TableView table = to_table(arrays);
    const auto fields = to_fields(specs);
    const RowCounts counts = to_counts(weights, unit, table.n_rows);
    const NumberMeasures given = to_measures(measures);
    return with_continuity(with_watch([&](const Watch& watch) {
        return fit_margins(table, fields, counts, kind, given, n_threads, watch);
    }));
}

using SummaryList = std::vector<std::variant<const CellCounter*, Integers>>;

FittedMargins of_summaries(const SummaryList& list, const std::vector<FieldSpec>& specs, double unit,
                           MarginKind kind, const std::optional<MeasureList>& measures,
                           std::size_t n_threads) {
    std::vector<ColumnSummary> summaries;
    for (const auto& item : list) {
        if (const auto* counter = std::get_if<const CellCounter*>(&item)) {
            summaries.push_back(SortedCells{(*counter)->cells(), (*counter)->missing()});
        } else {
            const auto& counts = std::get<Integers>(item);
            summaries.push_back(std::vector<std::int64_t>(counts.data(), counts.data() + counts.shape(0)));
        }
    }
    const auto fields = to_fields(specs);
    const NumberMeasures given = to_measures(measures);
    return with_continuity(with_watch([&](const Watch& watch) {
        return margins_of_summaries(summaries, fields, unit, kind, given, n_threads, watch);
    }));
}

Array<bool> to_flags(const std::vector<char>& found) {
    auto* flags = new bool[found.size()];
    std::copy(found.begin(), found.end(), flags);
    nb::capsule owner(flags, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
    return Array<bool>(flags, {found.size()}, owner);
}

Array<bool> atoms_among(const Vector& low, const Vector& high, const Vector& count) {
    if (low.shape(0) != high.shape(0) || low.shape(0) != count.shape(0))
        throw std::invalid_argument("a cell has a smallest and a largest value and a count");
    return to_flags(find_atoms({to_vector(low), to_vector(high), to_vector(count)}));
}

// A column's map as Python keeps it: CDF, mass of missing values, lattice, mass and size of what lies beside
// its points; or masses of categories, of an unseen one and of missing values.
using NumberParts = std::tuple<PiecewiseCdf, double, std::optional<LatticeSpec>, double, double>;
using CategoryParts = std::tuple<Array<double>, double, double>;
using GivenNumber = std::tuple<const PiecewiseCdf*, double, std::optional<LatticeSpec>, double, double>;
using GivenCategory = std::tuple<Vector, double, double>;

Margins make(const std::vector<std::variant<GivenNumber, GivenCategory>>& columns) {
    std::vector<Margin> margins;
    for (const auto& column : columns) {
        if (const auto* number = std::get_if<GivenNumber>(&column)) {
            const auto& [cdf, missing, lattice, off_mass, off_size] = *number;
            margins.push_back(NumberMargin{*cdf, missing, to_lattice(lattice), {off_mass, off_size}});
        } else {
            const auto& [mass, unseen, missing] = std::get<GivenCategory>(column);
            margins.push_back(CategoryMargin(to_vector(mass), unseen, missing));
        }
    }
    return Margins(std::move(margins));
}

std::vector<std::variant<NumberParts, CategoryParts>> columns_of(const Margins& margins) {
    std::vector<std::variant<NumberParts, CategoryParts>> columns;
    for (const Margin& margin : margins.columns()) {
        if (const auto* number = std::get_if<NumberMargin>(&margin)) {
            std::optional<LatticeSpec> lattice;
            if (number->lattice) lattice.emplace(number->lattice->origin(), number->lattice->step());
            columns.push_back(NumberParts{number->cdf, number->missing_mass, lattice,
                                          number->off_lattice.mass, number->off_lattice.size});
        } else {
            const auto& category = std::get<CategoryMargin>(margin);
            columns.push_back(CategoryParts{to_numpy(std::vector<double>(category.mass())),
                                            category.unseen_mass(), category.missing_mass()});
        }
    }
    return columns;
}

MatrixArray<double> encode(const Margins& margins, const TableArrays& arrays, std::size_t n_threads) {
    const TableView table = to_table(arrays);
    std::vector<double> out(table.n_rows * margins.n_columns());
    with_watch([&](const Watch& watch) { margins.encode(table, out.data(), n_threads, watch); });
    return to_numpy(std::move(out), table.n_rows, margins.n_columns());
}

Array<double> log_derivative(const Margins& margins, const TableArrays& arrays, MissingValues missing,
                             std::size_t n_threads) {
    const TableView table = to_table(arrays);
    std::vector<double> out(table.n_rows);
    with_watch(
        [&](const Watch& watch) { margins.log_derivative(table, missing, out.data(), n_threads, watch); });
    return to_numpy(std::move(out));
}

std::vector<DecodedArrays> decode(const Margins& margins, const PointMatrix& points, std::size_t n_threads) {
    if (points.shape(1) != margins.n_columns())
        throw std::invalid_argument("points have too few or too many columns");
    auto columns = with_watch(
        [&](const Watch& watch) { return margins.decode(points.data(), points.shape(0), n_threads, watch); });
    return to_arrays(std::move(columns), margins);
}

Array<bool> is_unseen(const Margins& margins, const PointMatrix& points) {
    if (points.shape(1) != margins.n_columns())
        throw std::invalid_argument("points have too few or too many columns");
    std::vector<char> found(points.shape(0));
    for (std::size_t i = 0; i < found.size(); ++i)
        found[i] = margins.is_unseen(points.data() + i * margins.n_columns());
    return to_flags(found);
}

using BinArray = MatrixArray<std::uint16_t>;
using BinnedRows =
    std::tuple<MatrixArray<double>, std::vector<std::pair<Array<double>, bool>>, BinArray, bool>;

// Points, bin edges and bins of a table's rows, and whether ordered columns are cut between any two points.
BinnedRows bin_rows(const Margins& margins, const TableArrays& arrays, const std::optional<Vector>& weights,
                    MarginKind kind, bool exact, std::size_t n_threads) {
    const TableView table = to_table(arrays);
    const std::size_t n = table.n_rows;
    if (weights && weights->shape(0) != n) throw std::invalid_argument("one weight a row is needed");
    std::vector<double> points(n * margins.n_columns());
    std::vector<BinEdges> columns;
    std::vector<std::uint16_t> bins;
    with_watch([&](const Watch& watch) {
        margins.encode(table, points.data(), n_threads, watch);
        columns = choose_bin_edges(margins, points.data(), n, weights ? weights->data() : nullptr, kind,
                                   n_threads, watch);
        exact = exact && margins.can_cut_anywhere();
        if (exact) join_ordered_bins(columns);
        bins = find_bins(columns, points.data(), n, n_threads, watch);
    });
    return {to_numpy(std::move(points), n, margins.n_columns()), from_bin_edges(columns),
            to_numpy(std::move(bins), n, margins.n_columns()), exact};
}

// The first column whose bin edges do not fit it, −1 where all do.
std::ptrdiff_t first_unfit(const Margins& margins, const std::vector<ColumnSpec>& columns) {
    if (columns.size() != margins.n_columns())
        throw std::invalid_argument("one list of bin edges a column is needed");
    const auto bin_edges = to_bin_edges(columns);
    for (std::size_t j = 0; j < bin_edges.size(); ++j) {
        if (!bin_edges_fit(margins.columns()[j], bin_edges[j])) return static_cast<std::ptrdiff_t>(j);
    }
    return -1;
}

void register_kinds(nb::module_& module) {
    nb::enum_<MarginKind>(module, "MarginKind")
        .value("smooth", MarginKind::smooth)
        .value("linear", MarginKind::linear);
    nb::enum_<MissingValues>(module, "MissingValues")
        .value("marginal", MissingValues::marginal)
        .value("event", MissingValues::event);
    nb::enum_<ColumnField::Kind>(module, "FieldKind")
        .value("number", ColumnField::Kind::number)
        .value("integer", ColumnField::Kind::integer)
        .value("category", ColumnField::Kind::category)
        .value("boolean", ColumnField::Kind::boolean);
}

}  // namespace

void register_margin_set(nb::module_& module) {
    register_kinds(module);
    nb::class_<Margins>(module, "Margins", "The maps of all columns of a table onto [0, 1].")
        .def("encode", &encode, nb::arg("table").noconvert(), nb::arg("n_threads") = 1,
             "Points of the rows, row-major: atoms, categories and missing values as middles.")
        .def("log_derivative", &log_derivative, nb::arg("table").noconvert(), nb::arg("missing"),
             nb::arg("n_threads") = 1, "Sum over columns of the log-density of each row's values.")
        .def("decode", &decode, nb::arg("points").noconvert(), nb::arg("n_threads") = 1,
             "The values of each column at points, and how many of them are missing.")
        .def("is_unseen", &is_unseen, nb::arg("points").noconvert(),
             "Which points lie in the interval of categories that were never seen.")
        .def("columns", &columns_of, "The map of each column: copies.");
    module.def("fit_margins", &fit, nb::arg("table").noconvert(), nb::arg("fields"),
               nb::arg("weights").noconvert().none(), nb::arg("unit"), nb::arg("kind"),
               nb::arg("measures").noconvert().none() = nb::none(), nb::arg("n_threads") = 1,
               "Fit the margins of a table, `weights` being whole multiples of `unit`; and of each column "
               "whether it "
               "may be cut anywhere.");
    module.def("margins_of_summaries", &of_summaries, nb::arg("summaries"), nb::arg("fields"),
               nb::arg("unit"), nb::arg("kind"), nb::arg("measures").noconvert().none() = nb::none(),
               nb::arg("n_threads") = 1, "The same from counts.");
    module.def("make_margins", &make, nb::arg("columns"),
               "Margins from the map of each column, as `Margins.columns` gives them.");
    module.def("find_atoms", &atoms_among, nb::arg("low").noconvert(), nb::arg("high").noconvert(),
               nb::arg("count").noconvert(), "Which cells are atoms.");
    module.def("bin_rows", &bin_rows, nb::arg("margins"), nb::arg("table").noconvert(),
               nb::arg("weights").noconvert().none(), nb::arg("kind"), nb::arg("exact"),
               nb::arg("n_threads") = 1,
               "Points of the rows, bin edges of the columns, bins of the rows, and whether ordered columns "
               "are cut between any two points, as `exact` wishes where no column forbids it.");
    module.def("first_unfit", &first_unfit, nb::arg("margins"), nb::arg("columns"),
               "The first column whose bin edges do not fit its margin, −1 where all do.");
}

}  // namespace boxwood::bindings
