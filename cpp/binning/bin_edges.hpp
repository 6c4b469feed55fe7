// Where a column of [0, 1] may be cut: the shared knots, and the cells between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/strided.hpp"

namespace boxwood {

// A column's cells: cell k lies between u[k] and u[k + 1], from 0 to 1. The cells of a categorical column are
// its categories, which may be parted into any two sets; the cells of others stay in order.
struct Knots {
    std::vector<double> u;
    bool categorical = false;

    std::size_t n_cells() const { return u.size() - 1; }
    // The cell that holds a point; both ends belong to the outermost cells.
    std::uint32_t cell_of(double point) const;
};

// Columns may have so many cells; binned growth needs them to fit 16 bits.
inline constexpr std::size_t most_cells = std::size_t{1} << 20;

// Throws std::invalid_argument unless the knots ascend from 0 to 1.
void check_knots(const Knots& knots);

// Cells of whole columns, written row by row; NaN becomes `missing_cell`.
inline constexpr std::uint16_t missing_cell = 0xffff;
void find_cells(const Knots& knots, Strided points, std::uint16_t* out, std::size_t out_stride);

}  // namespace boxwood
