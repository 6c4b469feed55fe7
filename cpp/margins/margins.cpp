#include "margins/margins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/row_blocks.hpp"

namespace boxwood {

namespace {

// The values of a column must be of its margin's kind, which `Margins::check` has seen to.
template <class M>
auto values_of(const M&, const ColumnView& column, std::size_t first, std::size_t n) {
    if constexpr (std::is_same_v<M, NumberMargin>) {
        return rows_of(std::get<Strided>(column), first, n);
    } else {
        return rows_of(std::get<StridedCodes>(column), first, n);
    }
}

double missing_mass(const NumberMargin& margin) { return margin.missing_mass; }
double missing_mass(const CategoryMargin& margin) { return margin.missing_mass(); }

// Puts missing values, which are NaN, into the middle of the interval at the top of [0, 1].
void put_into_interval(double mass, double* points, std::size_t stride, std::size_t n, double* sum) {
    const double log_mass = std::log(mass);
    for (std::size_t i = 0; i < n; ++i) {
        double& point = points[i * stride];
        if (!std::isnan(point)) continue;
        point = 1.0 - 0.5 * mass;
        sum[i] += log_mass;
    }
}

std::size_t decode_column(const NumberMargin& margin, Strided u, DecodedColumn& out, std::size_t first) {
    return margin.decode(u, out.numbers.data() + first);
}

std::size_t decode_column(const CategoryMargin& margin, Strided u, DecodedColumn& out, std::size_t first) {
    return margin.decode(u, out.codes.data() + first);
}

}  // namespace

std::vector<bool> Margins::continuous() const {
    std::vector<bool> found;
    for (const Margin& margin : columns_) {
        const auto* number = std::get_if<NumberMargin>(&margin);
        found.push_back(number != nullptr && number->is_continuous());
    }
    return found;
}

bool Margins::can_cut_anywhere() const {
    return std::all_of(columns_.begin(), columns_.end(), [](const Margin& margin) {
        const auto* number = std::get_if<NumberMargin>(&margin);
        return number == nullptr || number->is_continuous();
    });
}

bool Margins::has_unseen() const {
    return std::any_of(columns_.begin(), columns_.end(), [](const Margin& margin) {
        const auto* category = std::get_if<CategoryMargin>(&margin);
        return category != nullptr && category->unseen_mass() > 0.0;
    });
}

bool Margins::is_unseen(const double* point) const {
    for (std::size_t j = 0; j < n_columns(); ++j) {
        const auto* category = std::get_if<CategoryMargin>(&columns_[j]);
        if (category != nullptr && category->is_unseen(point[j])) return true;
    }
    return false;
}

void Margins::check(const TableView& table) const {
    if (table.n_columns() != n_columns())
        throw std::invalid_argument("the table has too few or too many columns");
    for (std::size_t j = 0; j < n_columns(); ++j) {
        if (table.columns[j].index() != columns_[j].index())
            throw std::invalid_argument("a column is of another kind than its margin");
        const std::size_t size = std::visit([](const auto& column) { return column.size; }, table.columns[j]);
        if (size != table.n_rows) throw std::invalid_argument("columns must have the same number of rows");
    }
}

void Margins::encode(const TableView& table, double* out, std::size_t n_threads, const Watch& watch) const {
    check(table);
    const std::size_t d = n_columns();
    in_row_blocks(table.n_rows, n_columns(), n_threads, watch, [&](std::size_t first, std::size_t n) {
        for (std::size_t j = 0; j < d; ++j) {
            std::visit(
                [&](const auto& margin) {
                    margin.encode(values_of(margin, table.columns[j], first, n), out + first * d + j,
                                  static_cast<std::ptrdiff_t>(d));
                },
                columns_[j]);
        }
    });
}

void Margins::log_derivative(const TableView& table, MissingValues missing, double* out,
                             std::size_t n_threads, const Watch& watch) const {
    check(table);
    in_row_blocks(table.n_rows, n_columns(), n_threads, watch, [&](std::size_t first, std::size_t n) {
        std::fill(out + first, out + first + n, 0.0);
        for (std::size_t j = 0; j < n_columns(); ++j) {  // added up in the order of the columns
            std::visit(
                [&](const auto& margin) {
                    const bool is_event = missing == MissingValues::event && missing_mass(margin) > 0.0;
                    const double log_missing = is_event ? std::log(missing_mass(margin)) : 0.0;
                    margin.add_log_derivative(values_of(margin, table.columns[j], first, n), log_missing,
                                              out + first);
                },
                columns_[j]);
        }
    });
}

void Margins::score(const TableView& table, std::size_t first, std::size_t n, MissingValues missing,
                    double* points, double* sum) const {
    std::fill(sum, sum + n, 0.0);
    const std::size_t d = n_columns();
    for (std::size_t j = 0; j < d; ++j) {
        std::visit(
            [&](const auto& margin) {
                margin.score(values_of(margin, table.columns[j], first, n), points + j,
                             static_cast<std::ptrdiff_t>(d), sum);
                if (missing == MissingValues::event && missing_mass(margin) > 0.0)
                    put_into_interval(missing_mass(margin), points + j, d, n, sum);
            },
            columns_[j]);
    }
}

std::vector<DecodedColumn> Margins::decode(const double* u, std::size_t n_rows, std::size_t n_threads,
                                           const Watch& watch) const {
    const std::size_t d = n_columns();
    std::vector<DecodedColumn> out(d);
    const auto decode_one = [&](std::size_t j) {
        const Strided points{u + j, n_rows, static_cast<std::ptrdiff_t>(d)};
        if (std::holds_alternative<NumberMargin>(columns_[j])) {
            out[j].numbers.resize(n_rows);
        } else {
            out[j].codes.resize(n_rows);
        }
        out[j].n_missing = std::visit(
            [&](const auto& margin) { return decode_column(margin, points, out[j], 0); }, columns_[j]);
    };
    in_tasks(d, n_threads, n_rows * d, watch, decode_one);
    return out;
}

}  // namespace boxwood
