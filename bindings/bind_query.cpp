#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "query/conditioned.hpp"
#include "query/query_tables.hpp"
#include "query/rows/row_conditionals.hpp"
#include "query/rows/shared_leaves.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

using Matrix = MatrixArray<double>;
using Cells = Input<std::uint32_t>;
using Event = std::shared_ptr<CubeEvent>;
using Rule = std::shared_ptr<RuleEvent>;
// Columns, an event each, rules of which something is asked, and a factor.
using BoxParts = std::tuple<std::vector<std::size_t>, std::vector<Event>, std::vector<Rule>, double>;

void make_leaves(LeafTable* self, const Mixture& mixture, std::size_t n_threads) {
    const nb::object nobody = nb::none();
    const Watch watch = watch_signals(nobody);
    nb::gil_scoped_release nogil;
    new (self) LeafTable(mixture, n_threads, watch);
}

const BinEdges& edges_of(const LeafTable& leaves, std::size_t column) {
    if (column >= leaves.n_columns()) throw std::invalid_argument("there is no such column");
    return *leaves.column(column).bin_edges;
}

Event interval_event(const LeafTable& leaves, std::size_t column, const Vector& low, const Vector& high,
                     double floor) {
    return std::make_shared<CubeEvent>(edges_of(leaves, column), to_vector(low), to_vector(high), floor);
}

Event point_event(const LeafTable& leaves, std::size_t column, double point, double factor) {
    return std::make_shared<CubeEvent>(CubeEvent::at_point(edges_of(leaves, column), point, factor));
}

using ColumnParts = std::tuple<std::size_t, Vector, Vector>;
using ComponentParts = std::tuple<std::size_t, Vector, Vector, std::vector<ColumnParts>>;
// Events of what is there and of gaps, the rate of exceptions, and by entry how much rarer gaps are.
using RuledParts = std::tuple<Event, Event, double, Vector>;

Rule rule_event(const LeafTable& leaves, const ComponentParts& parts, const Vector& factor,
                const Event& others, const std::vector<RuledParts>& ruled) {
    const auto& [root, point, width, columns] = parts;
    RuleComponent component{root, to_vector(point), to_vector(width), {}};
    for (const auto& [column, low, high] : columns)
        component.columns.push_back({column, to_vector(low), to_vector(high)});
    std::vector<RuledPart> of_columns;
    for (const auto& [present, gaps, rate, ratio] : ruled)
        of_columns.push_back({present, gaps, rate, to_vector(ratio)});
    return std::make_shared<RuleEvent>(leaves.mixture().columns(), std::move(component), to_vector(factor),
                                       others, std::move(of_columns));
}

std::vector<RulePointer> pointers(const std::vector<Rule>& rules) { return {rules.begin(), rules.end()}; }

QueryBox to_box(const QueryTables& tables, const BoxParts& parts) {
    const auto& [columns, events, rules, factor] = parts;
    return tables.box(columns, {events.begin(), events.end()}, pointers(rules), factor);
}

std::vector<QueryBox> to_boxes(const QueryTables& tables, const std::vector<BoxParts>& parts) {
    std::vector<QueryBox> boxes;
    for (const BoxParts& part : parts) boxes.push_back(to_box(tables, part));
    return boxes;
}

void make_tables(QueryTables* self, const LeafTable& leaves, const std::vector<Rule>& rules) {
    nb::gil_scoped_release nogil;
    new (self) QueryTables(leaves, pointers(rules));
}

double probability(const QueryTables& tables, const BoxParts& parts) {
    const QueryBox box = to_box(tables, parts);
    nb::gil_scoped_release nogil;
    return tables.probability(box);
}

double look_up(const QueryTables& tables, const BoxParts& parts) {
    const QueryBox box = to_box(tables, parts);
    nb::gil_scoped_release nogil;
    return tables.look_up(box);
}

Array<double> probabilities(const QueryTables& tables, const std::vector<BoxParts>& parts,
                            std::size_t n_threads) {
    const std::vector<QueryBox> boxes = to_boxes(tables, parts);
    std::vector<double> found;
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        found = tables.probabilities(boxes, n_threads, watch);
    }
    return to_numpy(std::move(found));
}

void make_conditioned(Conditioned* self, const QueryTables& tables, const std::vector<BoxParts>& parts,
                      std::size_t n_threads) {
    std::vector<QueryBox> boxes = to_boxes(tables, parts);
    const nb::object nobody = nb::none();
    const Watch watch = watch_signals(nobody);
    nb::gil_scoped_release nogil;
    new (self) Conditioned(tables.leaves(), std::move(boxes), n_threads, watch);
}

double probability_of_more(const Conditioned& conditioned, std::size_t box, const QueryTables& tables,
                           const BoxParts& parts) {
    const QueryBox more = to_box(tables, parts);
    nb::gil_scoped_release nogil;
    return conditioned.probability(box, more);
}

void check_column(const Conditioned& conditioned, std::size_t column) {
    if (column >= conditioned.n_columns()) throw std::invalid_argument("there is no such column");
}

Matrix densities(const Conditioned& conditioned, std::size_t column, const std::vector<std::size_t>& groups,
                 std::size_t n_groups) {
    check_column(conditioned, column);
    std::vector<double> found;
    {
        nb::gil_scoped_release nogil;
        found = conditioned.densities(column, groups, n_groups);
    }
    return to_numpy(std::move(found), n_groups, conditioned.n_bins(column));
}

std::tuple<Matrix, Matrix, Matrix> rule_law(const Conditioned& conditioned, std::size_t column,
                                            const std::vector<std::size_t>& groups, std::size_t n_groups) {
    check_column(conditioned, column);
    RuleLaw law;
    {
        nb::gil_scoped_release nogil;
        law = conditioned.rule_law(column, groups, n_groups);
    }
    const std::size_t n_entries = law.entries.size() / n_groups;
    const std::size_t n_bins = conditioned.n_bins(column);
    return {to_numpy(std::move(law.entries), n_groups, n_entries),
            to_numpy(std::move(law.present), n_groups, n_bins),
            to_numpy(std::move(law.gaps), n_groups, n_bins)};
}

double cross_moment(const Conditioned& conditioned, std::size_t a, const PointMatrix& below_a,
                    const std::vector<std::size_t>& group_a, std::size_t b, const PointMatrix& below_b,
                    const std::vector<std::size_t>& group_b) {
    check_column(conditioned, a);
    check_column(conditioned, b);
    const auto fits = [&](const PointMatrix& below, const std::vector<std::size_t>& groups, std::size_t j) {
        bool inside = groups.size() == conditioned.n_boxes() && below.shape(1) == conditioned.n_bins(j) + 1;
        for (std::size_t group : groups) inside = inside && group < below.shape(0);
        return inside;
    };
    if (!fits(below_a, group_a, a) || !fits(below_b, group_b, b))
        throw std::invalid_argument("sums do not fit the columns and boxes");
    nb::gil_scoped_release nogil;
    return conditioned.cross_moment({a, below_a.data()}, group_a, {b, below_b.data()}, group_b);
}

Matrix pair_masses(const Conditioned& conditioned, std::size_t a, const Cells& cells_a, std::size_t b,
                   const Cells& cells_b) {
    check_column(conditioned, a);
    check_column(conditioned, b);
    const std::vector<std::uint32_t> of_a = to_vector(cells_a);
    const std::vector<std::uint32_t> of_b = to_vector(cells_b);
    std::vector<double> found;
    {
        nb::gil_scoped_release nogil;
        found = conditioned.pair_masses(a, of_a, b, of_b);
    }
    return to_numpy(std::move(found), of_a.size() - 1, of_b.size() - 1);
}

Matrix cell_masses(const Conditioned& conditioned, const std::vector<std::size_t>& columns,
                   const std::vector<Cells>& cells, std::size_t first, std::size_t n) {
    if (first > conditioned.n_weights() || n > conditioned.n_weights() - first)
        throw std::invalid_argument("there are not so many leaves");
    std::vector<std::vector<std::uint32_t>> of_columns;
    std::size_t n_cells = 0;
    for (const std::size_t column : columns) check_column(conditioned, column);
    for (const Cells& of_column : cells) {
        of_columns.push_back(to_vector(of_column));
        n_cells += of_column.size() - std::min<std::size_t>(1, of_column.size());
    }
    std::vector<double> found;
    {
        nb::gil_scoped_release nogil;
        found = conditioned.cell_masses(columns, of_columns, first, n);
    }
    return to_numpy(std::move(found), n, n_cells);
}

using Pair = std::shared_ptr<PairEvent>;

Pair pair_event(const LeafTable& leaves, std::size_t a, std::size_t b, const PointMatrix& areas,
                const Event& event_a, const Event& event_b) {
    if (areas.shape(0) != edges_of(leaves, a).n_bins() || areas.shape(1) != edges_of(leaves, b).n_bins())
        throw std::invalid_argument("an area of each pair of bins is needed");
    nb::gil_scoped_release nogil;
    return std::make_shared<PairEvent>(leaves, a, b, areas.data(), event_a, event_b);
}

void tie(Conditioned& conditioned, const std::vector<std::vector<Pair>>& pairs) {
    std::vector<std::vector<std::shared_ptr<const PairEvent>>> of_boxes;
    for (const std::vector<Pair>& some : pairs) of_boxes.emplace_back(some.begin(), some.end());
    nb::gil_scoped_release nogil;
    conditioned.tie(std::move(of_boxes));
}

void check_box_number(const Conditioned& conditioned, std::size_t box) {
    if (box >= conditioned.n_boxes()) throw std::invalid_argument("there is no such box");
}

Matrix pair_density(const Conditioned& conditioned, std::size_t box, std::size_t a, std::size_t b) {
    check_box_number(conditioned, box);
    check_column(conditioned, a);
    check_column(conditioned, b);
    std::vector<double> found;
    {
        nb::gil_scoped_release nogil;
        found = conditioned.pair_density(box, a, b);
    }
    return to_numpy(std::move(found), conditioned.n_bins(a), conditioned.n_bins(b));
}

std::pair<Array<std::uint32_t>, Array<double>> leaf_weights(const Conditioned& conditioned, std::size_t box) {
    check_box_number(conditioned, box);
    const LeafWeights& weights = conditioned.weights(box);
    return {to_numpy(std::vector<std::uint32_t>(weights.leaf)),
            to_numpy(std::vector<double>(weights.weight))};
}

Matrix sample(const Conditioned& conditioned, std::size_t n_rows, std::uint64_t seed, std::size_t n_threads) {
    std::vector<double> out(n_rows * conditioned.n_columns());
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        conditioned.sample(n_rows, seed, out.data(), n_threads, watch);
    }
    return to_numpy(std::move(out), n_rows, conditioned.n_columns());
}

RowPoints to_rows(const RowConditionals& rows, const PointMatrix& points, std::size_t n_threads) {
    if (points.shape(1) != rows.leaves().n_columns())
        throw std::invalid_argument("points have too few or too many columns");
    return {points.data(), points.shape(0), n_threads};
}

// Makes room, lets the core fill it without the GIL, and gives it to Python.
template <class Fill>
Matrix filled(std::size_t n_rows, std::size_t n_columns, const Fill& fill) {
    std::vector<double> out(n_rows * n_columns);
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        fill(out.data(), watch);
    }
    return to_numpy(std::move(out), n_rows, n_columns);
}

// Log-densities, and of each component of rules the masses of its entries.
std::pair<Matrix, std::vector<Matrix>> row_log_density(const RowConditionals& self, const PointMatrix& points,
                                                       const PointMatrix& known,
                                                       const std::vector<Rule>& rules,
                                                       std::size_t n_threads) {
    const RowPoints rows = to_rows(self, points, n_threads);
    if (known.shape(0) != rows.n_rows || known.shape(1) != points.shape(1))
        throw std::invalid_argument("every row needs its points");
    RuleMasses ruled{known.data(), pointers(rules), {}};
    std::vector<std::vector<double>> masses;
    for (const Rule& rule : rules) masses.emplace_back(rows.n_rows * rule->component().n_entries());
    for (std::vector<double>& one : masses) ruled.out.push_back(one.data());
    Matrix logs = filled(rows.n_rows, points.shape(1),
                         [&](double* out, const Watch& watch) { self.log_density(rows, ruled, out, watch); });
    std::vector<Matrix> found;
    for (std::size_t c = 0; c < rules.size(); ++c)
        found.push_back(to_numpy(std::move(masses[c]), rows.n_rows, rules[c]->component().n_entries()));
    return {std::move(logs), std::move(found)};
}

Matrix row_expectations(const RowConditionals& self, const PointMatrix& points, std::size_t column,
                        const PointMatrix& integrals, std::size_t n_threads) {
    const RowPoints rows = to_rows(self, points, n_threads);
    if (column >= points.shape(1) || integrals.shape(1) != self.leaves().column(column).n_bins())
        throw std::invalid_argument("an integral of each bin is needed");
    const std::size_t k = integrals.shape(0);
    return filled(rows.n_rows, k, [&](double* out, const Watch& watch) {
        self.expectations(rows, column, integrals.data(), k, out, watch);
    });
}

Matrix row_quantiles(const RowConditionals& self, const PointMatrix& points, std::size_t column,
                     const PointMatrix& fractions, double end, std::size_t n_threads) {
    const RowPoints rows = to_rows(self, points, n_threads);
    if (fractions.shape(0) != rows.n_rows) throw std::invalid_argument("every row needs its fractions");
    const std::size_t k = fractions.shape(1);
    return filled(rows.n_rows, k, [&](double* out, const Watch& watch) {
        self.quantiles(rows, column, fractions.data(), k, end, out, watch);
    });
}

using LeafMatrix = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Matrix shared(const LeafMatrix& a, const LeafMatrix& b, const Vector& weight,
              const std::vector<std::size_t>& first, std::size_t n_threads) {
    const LeafValues values{to_vector(weight), first};
    if (first.size() < 2 || first.front() != 0 || first.back() != values.weight.size() ||
        !std::is_sorted(first.begin(), first.end()) || a.shape(1) != values.n_trees() ||
        b.shape(1) != values.n_trees())
        throw std::invalid_argument("every leaf needs its weight and every row a leaf in each tree");
    const LeavesOfRows of_a{a.data(), a.shape(0)};
    const LeavesOfRows of_b{b.data(), b.shape(0)};
    check_leaves(of_a, values);
    check_leaves(of_b, values);
    return filled(of_a.n_rows, of_b.n_rows, [&](double* out, const Watch& watch) {
        shared_leaves(of_a, of_b, values, out, n_threads, watch);
    });
}

void register_events(nb::module_& module) {
    nb::class_<CubeEvent>(module, "CubeEvent", "What is asked of one column: intervals of u, or a point.")
        .def(
            "cover", [](const CubeEvent& self) { return to_numpy(std::vector<double>(self.cover())); },
            "What each bin counts, in place of its width.");
    nb::class_<RuleEvent>(module, "RuleEvent", "What is asked of columns of which one follows from another.");
    nb::class_<PairEvent>(module, "PairEvent", "What is asked of two columns together.");
    nb::class_<LeafTable>(module, "LeafTable", "All leaves of a mixture, column by column.")
        .def("__init__", &make_leaves, nb::arg("mixture"), nb::arg("n_threads") = 1, nb::keep_alive<1, 2>())
        .def("event", &interval_event, nb::arg("column"), nb::arg("low").noconvert(),
             nb::arg("high").noconvert(), nb::arg("floor") = 0.0,
             "Disjoint ascending intervals of u; the event happens beside them with probability floor.")
        .def("point", &point_event, nb::arg("column"), nb::arg("point"), nb::arg("factor") = 1.0,
             "One point, of which densities, times a factor, are asked.")
        .def("rule", &rule_event, nb::arg("component"), nb::arg("factor").noconvert(), nb::arg("others"),
             nb::arg("parts"), "Columns of a component of rules together.")
        .def("pair", &pair_event, nb::arg("a"), nb::arg("b"), nb::arg("areas").noconvert(),
             nb::arg("event_a"), nb::arg("event_b"),
             "A region of two columns, by its area in each pair of bins.")
        .def(
            "first_leaf",
            [](const LeafTable& self) {
                return to_numpy(
                    std::vector<std::int64_t>(self.first_leaf().begin(), self.first_leaf().end()));
            },
            "Number of the first leaf of each tree, and of all leaves at the end.")
        .def_prop_ro("n_leaves", &LeafTable::n_leaves)
        .def("bytes", &LeafTable::bytes, "Memory that it takes.");
}

void register_conditioned(nb::module_& module) {
    nb::class_<Conditioned>(module, "Conditioned", "A mixture under evidence, a union of disjoint boxes.")
        .def("__init__", &make_conditioned, nb::arg("tables"), nb::arg("boxes"), nb::arg("n_threads") = 1,
             nb::keep_alive<1, 2>())
        .def(
            "totals", [](const Conditioned& self) { return to_numpy(std::vector<double>(self.totals())); },
            "Probability of each box.")
        .def("probability", &probability_of_more, nb::arg("box"), nb::arg("tables"), nb::arg("more"),
             "Probability of a box and of what else is asked, of other columns and rules.")
        .def("densities", &densities, nb::arg("column"), nb::arg("groups"), nb::arg("n_groups"),
             "Density in u of each bin without the column's own event, of each group of boxes.")
        .def("rule_law", &rule_law, nb::arg("column"), nb::arg("groups"), nb::arg("n_groups"),
             "Of a column under rules: mass of each entry, and densities of bins where no value follows, "
             "present and as a gap.")
        .def("cross_moment", &cross_moment, nb::arg("a"), nb::arg("below_a").noconvert(), nb::arg("group_a"),
             nb::arg("b"), nb::arg("below_b").noconvert(), nb::arg("group_b"),
             "Integral of a function of one column times one of another.")
        .def("pair_masses", &pair_masses, nb::arg("a"), nb::arg("cells_a").noconvert(), nb::arg("b"),
             nb::arg("cells_b").noconvert(), "Probability of pairs of cells.")
        .def_prop_ro("n_weights", &Conditioned::n_weights, "How many leaves all boxes have.")
        .def("cell_masses", &cell_masses, nb::arg("columns"), nb::arg("cells").noconvert(), nb::arg("first"),
             nb::arg("n"), "Probability of columns' cells in some leaves, times the root of their weights.")
        .def("tie", &tie, nb::arg("pairs"), "Add events across two columns, those of each box.")
        .def("pair_density", &pair_density, nb::arg("box"), nb::arg("a"), nb::arg("b"),
             "Joint density in u of two ordered columns under one box.")
        .def("leaf_weights", &leaf_weights, nb::arg("box"), "Leaves of a box and their weights.")
        .def(
            "drawn_boxes",
            [](const Conditioned& self, std::size_t n_rows, std::uint64_t seed) {
                return to_numpy(self.drawn_boxes(n_rows, seed));
            },
            nb::arg("n_rows"), nb::arg("seed"), "The box that each row of a sample is drawn from.")
        .def("sample", &sample, nb::arg("n_rows"), nb::arg("seed"), nb::arg("n_threads") = 1,
             "Random points inside the evidence.");
}

}  // namespace

void register_query(nb::module_& module) {
    register_events(module);
    nb::class_<QueryTables>(module, "QueryTables", "Probabilities of boxes, with tables that are kept.")
        .def("__init__", &make_tables, nb::arg("leaves"), nb::arg("rules"), nb::keep_alive<1, 2>())
        .def("probability", &probability, nb::arg("box"), "Probability of one box.")
        .def("look_up", &look_up, nb::arg("box"), "The same where a table has it, else NaN.")
        .def("probabilities", &probabilities, nb::arg("boxes"), nb::arg("n_threads") = 1,
             "Probability of each box.")
        .def("bytes", &QueryTables::bytes, "Memory of the tables that are kept now.");
    register_conditioned(module);
    module.def("shared_leaves", &shared, nb::arg("a").noconvert(), nb::arg("b").noconvert(),
               nb::arg("weight").noconvert(), nb::arg("first"), nb::arg("n_threads") = 1,
               "Sum over trees of the weight of the leaf that rows of a and b share.");
    nb::class_<RowConditionals>(module, "RowConditionals", "Each column of rows given the rest of the row.")
        .def(nb::init<const LeafTable&>(), nb::arg("leaves"), nb::keep_alive<1, 2>())
        .def("log_density", &row_log_density, nb::arg("points").noconvert(), nb::arg("known").noconvert(),
             nb::arg("rules"), nb::arg("n_threads") = 1,
             "Log-density on the cube of each value given the others of its row, and of each component of "
             "rules the mass of its entries, on a scale of each row's own.")
        .def("expectations", &row_expectations, nb::arg("points").noconvert(), nb::arg("column"),
             nb::arg("integrals").noconvert(), nb::arg("n_threads") = 1,
             "Expectations of functions of a column, given by their integrals over its bins.")
        .def("quantiles", &row_quantiles, nb::arg("points").noconvert(), nb::arg("column"),
             nb::arg("fractions").noconvert(), nb::arg("end") = 1.0, nb::arg("n_threads") = 1,
             "Quantiles in u of a column, of its part below end.");
}

}  // namespace boxwood::bindings
