// Fitting the margins of a table, a column a task.
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/row_blocks.hpp"
#include "margins/margins.hpp"

namespace boxwood {

namespace {

std::vector<std::int64_t> count_codes(StridedCodes codes, const ColumnField& field,
                                      const std::int64_t* weights) {
    std::vector<std::int64_t> counts(field.n_categories + 1, 0);
    for (std::size_t i = 0; i < codes.size; ++i) {
        const std::int32_t code = codes[i];
        if (code < missing_code || code >= static_cast<std::int64_t>(field.n_categories))
            throw std::invalid_argument("column '" + field.name +
                                        "' holds a category that is not in the schema");
        const std::size_t at = code == missing_code ? field.n_categories : static_cast<std::size_t>(code);
        counts[at] += weights == nullptr ? 1 : weights[i];
    }
    return counts;
}

ColumnSummary summarize(const ColumnView& column, const ColumnField& field, const std::int64_t* weights) {
    if (field.is_number()) return cells_of_column(std::get<Strided>(column), weights);
    return count_codes(std::get<StridedCodes>(column), field, weights);
}

Margin fit_margin(ColumnSummary summary, const ColumnField& field, double unit, MarginKind kind,
                  const NumberMeasures& measures, std::size_t column) {
    const NumberMeasure measure = measures.empty() ? NumberMeasure{} : measures.at(column);
    if (auto* sorted = std::get_if<SortedCells>(&summary)) {
        const double missing = static_cast<double>(sorted->missing) * unit;
        const bool whole = field.kind == ColumnField::Kind::integer;
        NumberMeasure known = measure;
        if (whole && !known.lattice && !known.is_closed) known.lattice = Lattice{};
        return fit_number_margin(weighted_cells(std::move(sorted->cells), unit), missing, kind, known, whole);
    }
    std::vector<double> counts;
    for (std::int64_t n : std::get<std::vector<std::int64_t>>(summary))
        counts.push_back(static_cast<double>(n) * unit);
    const bool boolean = field.kind == ColumnField::Kind::boolean;
    return fit_category_margin(counts, boolean             ? Labels::boolean
                                       : measure.is_closed ? Labels::closed
                                                           : Labels::open);
}

void check_fields(const TableView& table, const std::vector<ColumnField>& fields) {
    if (table.n_columns() != fields.size()) throw std::invalid_argument("one field a column is needed");
    for (std::size_t j = 0; j < fields.size(); ++j) {
        if (std::holds_alternative<Strided>(table.columns[j]) != fields[j].is_number())
            throw std::invalid_argument("column '" + fields[j].name + "' is of another kind than its field");
    }
}

// A margin of every column, `values` of which a fit looks at.
Margins fit_columns(std::size_t n_columns, std::size_t n_values, std::size_t n_threads, const Watch& watch,
                    const std::function<Margin(std::size_t)>& fit) {
    std::vector<std::optional<Margin>> fitted(n_columns);
    in_tasks(n_columns, n_threads, n_values, watch, [&](std::size_t j) { fitted[j] = fit(j); });
    std::vector<Margin> columns;
    columns.reserve(n_columns);
    for (std::optional<Margin>& margin : fitted) columns.push_back(std::move(*margin));
    return Margins(std::move(columns));
}

}  // namespace

Margins fit_margins(const TableView& table, const std::vector<ColumnField>& fields, RowCounts counts,
                    MarginKind kind, const NumberMeasures& measures, std::size_t n_threads,
                    const Watch& watch) {
    check_fields(table, fields);
    return fit_columns(fields.size(), table.n_rows * fields.size(), n_threads, watch, [&](std::size_t j) {
        return fit_margin(summarize(table.columns[j], fields[j], counts.weights), fields[j], counts.unit,
                          kind, measures, j);
    });
}

Margins margins_of_summaries(const std::vector<ColumnSummary>& summaries,
                             const std::vector<ColumnField>& fields, double unit, MarginKind kind,
                             const NumberMeasures& measures, std::size_t n_threads, const Watch& watch) {
    if (summaries.size() != fields.size()) throw std::invalid_argument("one summary a column is needed");
    for (std::size_t j = 0; j < fields.size(); ++j) {
        const auto* counts = std::get_if<std::vector<std::int64_t>>(&summaries[j]);
        if ((counts == nullptr) != fields[j].is_number() ||
            (counts != nullptr && counts->size() != fields[j].n_categories + 1))
            throw std::invalid_argument("a summary is of another column");
    }
    constexpr std::size_t values_a_summary = 8192;  // at the most about so many cells
    return fit_columns(fields.size(), fields.size() * values_a_summary, n_threads, watch, [&](std::size_t j) {
        return fit_margin(summaries[j], fields[j], unit, kind, measures, j);
    });
}

}  // namespace boxwood
