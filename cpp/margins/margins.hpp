// The margins of a whole table: one monotone map onto [0, 1] per column, with its inverse and log-derivative.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "margins/category_margin.hpp"
#include "margins/number_margin.hpp"
#include "table/table_view.hpp"

namespace boxwood {

using Margin = std::variant<NumberMargin, CategoryMargin>;

// What a fit must know of a column beside its values.
struct ColumnField {
    enum class Kind { number, integer, category, boolean };

    std::string name;
    Kind kind = Kind::number;
    std::size_t n_categories = 0;

    bool is_number() const { return kind == Kind::number || kind == Kind::integer; }
};

// What a missing value adds to the log-derivative: nothing (it is summed out), or the logarithm of its
// probability in a column that had some when fitted.
enum class MissingValues { marginal, event };

// A column of drawn or decoded values: numbers, or codes of categories.
struct DecodedColumn {
    std::vector<double> numbers;
    std::vector<std::int32_t> codes;
    std::size_t n_missing = 0;
};

// The rows of all columns are worked on in blocks, which threads share; a row's result depends on that row
// alone.
class Margins {
  public:
    explicit Margins(std::vector<Margin> columns) : columns_(std::move(columns)) {}

    const std::vector<Margin>& columns() const { return columns_; }
    std::size_t n_columns() const { return columns_.size(); }
    // Of each column whether it may be cut anywhere.
    std::vector<bool> continuous() const;
    // Whether a cut inside the interval of an atom, of an integer or of missing values cannot happen, which
    // would part a value from itself: every column of numbers is continuous.
    bool can_cut_anywhere() const;

    // Points of [0, 1]^D, row-major: atoms, categories and missing values as middles of their intervals.
    // Missing values of a column that had none when fitted are NaN.
    void encode(const TableView& table, double* out, std::size_t n_threads, const Watch& watch = {}) const;
    // The sum over columns of the log-density of each row's values.
    void log_derivative(const TableView& table, MissingValues missing, double* out, std::size_t n_threads,
                        const Watch& watch = {}) const;
    // The rows at row-major points, column by column.
    std::vector<DecodedColumn> decode(const double* u, std::size_t n_rows, std::size_t n_threads,
                                      const Watch& watch = {}) const;

    // Whether a column keeps an interval for categories that were never seen, and whether a point lies in
    // one.
    bool has_unseen() const;
    bool is_unseen(const double* point) const;

    // Points of some rows, n × D, and their log-derivatives. A missing value is NaN; as an event it is the
    // middle of its interval, and NaN in a column that had none when fitted.
    void score(const TableView& table, std::size_t first, std::size_t n, MissingValues missing,
               double* points, double* sum) const;

    // Throws std::invalid_argument unless the table has columns of these kinds.
    void check(const TableView& table) const;

  private:
    std::vector<Margin> columns_;
};

// Integer weights of the rows (null: every row counts 1), each unit of which stands for `unit`.
struct RowCounts {
    const std::int64_t* weights = nullptr;
    double unit = 1.0;
};

// For each column where it has counting measure; empty where that is found: integers are those of step 1.
using NumberMeasures = std::vector<NumberMeasure>;

// Fits the margins of a table, threads over columns.
Margins fit_margins(const TableView& table, const std::vector<ColumnField>& fields, RowCounts counts,
                    MarginKind kind, const NumberMeasures& measures, std::size_t n_threads,
                    const Watch& watch = {});

// The summary of a column: cells and the count of missing values, or counts of categories and, last, missing.
using ColumnSummary = std::variant<SortedCells, std::vector<std::int64_t>>;

// The same from counts of the columns, which parts of the rows may have added to.
Margins margins_of_summaries(const std::vector<ColumnSummary>& summaries,
                             const std::vector<ColumnField>& fields, double unit, MarginKind kind,
                             const NumberMeasures& measures, std::size_t n_threads, const Watch& watch = {});

}  // namespace boxwood
