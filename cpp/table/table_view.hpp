// A table as the core reads it: columns of numbers or of category codes, which it does not own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "base/strided.hpp"

namespace boxwood {

// Codes of categories, `stride` of them apart: −1 is missing, the number of categories one that is not known.
struct StridedCodes {
    const std::int32_t* data = nullptr;
    std::size_t size = 0;
    std::ptrdiff_t stride = 1;

    std::int32_t operator[](std::size_t i) const { return data[static_cast<std::ptrdiff_t>(i) * stride]; }
};

inline constexpr std::int32_t missing_code = -1;

// Numbers are NaN where they are missing.
using ColumnView = std::variant<Strided, StridedCodes>;

struct TableView {
    std::vector<ColumnView> columns;
    std::size_t n_rows = 0;

    std::size_t n_columns() const { return columns.size(); }
};

// Some rows of a column.
template <class View>
View rows_of(const View& column, std::size_t first, std::size_t n) {
    return {column.data + static_cast<std::ptrdiff_t>(first) * column.stride, n, column.stride};
}

}  // namespace boxwood
