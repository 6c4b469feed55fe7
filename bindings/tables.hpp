// How a table crosses the seam: one row-major matrix of numbers, or an array a column.
#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "margins/margins.hpp"
#include "table/table_view.hpp"

namespace boxwood::bindings {

using CodeColumn = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::device::cpu>;
using ColumnList = std::vector<std::variant<Column, CodeColumn>>;
using TableArrays = std::variant<PointMatrix, ColumnList>;

inline TableView to_table(const TableArrays& arrays) {
    TableView table;
    if (const auto* matrix = std::get_if<PointMatrix>(&arrays)) {
        const std::size_t d = matrix->shape(1);
        table.n_rows = matrix->shape(0);
        for (std::size_t j = 0; j < d; ++j)
            table.columns.push_back(
                Strided{matrix->data() + j, table.n_rows, static_cast<std::ptrdiff_t>(d)});
        return table;
    }
    for (const auto& column : std::get<ColumnList>(arrays)) {
        if (const auto* numbers = std::get_if<Column>(&column)) {
            table.columns.push_back(strided(*numbers));
        } else {
            const auto& codes = std::get<CodeColumn>(column);
            table.columns.push_back(StridedCodes{codes.data(), codes.shape(0), codes.stride(0)});
        }
        const std::size_t size = std::visit([](const auto& values) { return values.shape(0); }, column);
        if (table.columns.size() > 1 && size != table.n_rows)
            throw std::invalid_argument("columns must have the same number of rows");
        table.n_rows = size;
    }
    return table;
}

// Name, kind and number of categories of a column.
using FieldSpec = std::tuple<std::string, ColumnField::Kind, std::size_t>;

inline std::vector<ColumnField> to_fields(const std::vector<FieldSpec>& specs) {
    std::vector<ColumnField> fields;
    for (const auto& [name, kind, n_categories] : specs) fields.push_back({name, kind, n_categories});
    return fields;
}

// Values of a column and how many of them are missing.
using DecodedArrays = std::pair<std::variant<Array<double>, Array<std::int32_t>>, std::size_t>;

inline std::vector<DecodedArrays> to_arrays(std::vector<DecodedColumn>&& columns, const Margins& margins) {
    std::vector<DecodedArrays> arrays;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (std::holds_alternative<NumberMargin>(margins.columns()[j])) {
            arrays.emplace_back(to_numpy(std::move(columns[j].numbers)), columns[j].n_missing);
        } else {
            arrays.emplace_back(to_numpy(std::move(columns[j].codes)), columns[j].n_missing);
        }
    }
    return arrays;
}

}  // namespace boxwood::bindings
