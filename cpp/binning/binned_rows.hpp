// Rows of a table as density trees are grown on: bins of all columns, or points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/bin_edges.hpp"

namespace boxwood {

// Rows in [0, 1]^D. With bins (row-major) growth is binned; with points (row-major) the ordered columns are
// split exactly, between any two neighbouring points, and only categorical columns have bins.
struct BinnedRows {
    const std::vector<BinEdges>* columns = nullptr;
    std::size_t n_rows = 0;
    const std::uint16_t* bins = nullptr;
    const double* points = nullptr;        // null: binned
    const double* weights = nullptr;       // of each row; null: all 1. Rows of weight 0 are not in the sample
    const std::uint64_t* keys = nullptr;   // of the rows' random draws; null where none are drawn
    const double* observations = nullptr;  // that each row is; null: ⌊weight⌋, at least one
    const double* leave_out = nullptr;     // weight that leaves with an observation of a row; null: 1
    // Where only these rows are to be distinguished, nodes without any of them are not split.
    const std::vector<std::uint32_t>* held_out = nullptr;

    std::size_t n_columns() const { return columns->size(); }
    std::uint16_t bin(std::size_t row, std::size_t j) const { return bins[row * n_columns() + j]; }
    double weight(std::size_t row) const { return weights == nullptr ? 1.0 : weights[row]; }
    bool exact(std::size_t j) const { return points != nullptr && !(*columns)[j].categorical; }
    // The row's place along a column: its point, or the middle of its bin.
    double place(std::size_t row, std::size_t j) const {
        if (points != nullptr) return points[row * n_columns() + j];
        const std::vector<double>& u = (*columns)[j].u;
        const std::uint16_t c = bin(row, j);
        return 0.5 * (u[c] + u[c + 1]);
    }
};

}  // namespace boxwood
