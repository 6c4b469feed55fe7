// A table as growth reads it: knots of its columns, cells or points of its rows, weights.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "table/distinct_rows.hpp"
#include "tree/density/grow_data.hpp"

namespace boxwood::bindings {

using CellMatrix = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// Knots and whether the column is categorical.
using ColumnSpec = std::pair<Vector, bool>;

inline std::vector<Knots> to_knots(const std::vector<ColumnSpec>& specs) {
    std::vector<Knots> columns;
    for (const auto& [u, categorical] : specs) {
        columns.push_back({to_vector(u), categorical});
        check_knots(columns.back());
    }
    return columns;
}

inline std::vector<std::pair<Array<double>, bool>> knots_of(const std::vector<Knots>& columns) {
    std::vector<std::pair<Array<double>, bool>> specs;
    for (const Knots& knots : columns)
        specs.emplace_back(to_numpy(std::vector<double>(knots.u)), knots.categorical);
    return specs;
}

// The distinct rows of a table, which growth reads, and which of them each row is.
class TableOfCells {
  public:
    TableOfCells(const std::vector<ColumnSpec>& columns, const CellMatrix& cells,
                 const std::optional<PointMatrix>& points, const std::optional<Vector>& weights)
        : columns_(to_knots(columns)) {
        const std::size_t n = cells.shape(0);
        const std::size_t d = columns_.size();
        if (cells.shape(1) != d) throw std::invalid_argument("cells must have one column a list of knots");
        if (points && (points->shape(0) != n || points->shape(1) != d)) {
            throw std::invalid_argument("points must have the shape of cells");
        }
        if (weights && weights->shape(0) != n) throw std::invalid_argument("one weight a row is needed");
        check_cells(cells);
        if (points) check_one_cell();
        if (points) check_points(points->data(), n * d);
        const double* w = weights ? weights->data() : nullptr;
        if (weights) check_weights(w, n);
        nb::gil_scoped_release nogil;
        distinct_ = points ? find_distinct_rows(points->data(), d * sizeof(double), n, w)
                           : find_distinct_rows(cells.data(), d * sizeof(std::uint16_t), n, w);
        cells_ = rows_of(cells.data(), d);
        if (points) points_ = rows_of(points->data(), d);
        data_ = {&columns_,
                 distinct_.first.size(),
                 cells_.data(),
                 points ? points_.data() : nullptr,
                 distinct_.weight.data(),
                 distinct_.key.data(),
                 nullptr};
    }
    TableOfCells(const TableOfCells&) = delete;
    TableOfCells& operator=(const TableOfCells&) = delete;

    const GrowData& data() const { return data_; }
    // Key and weight of the distinct row that a row of the table is.
    std::uint64_t key(std::size_t row) const { return distinct_.key[distinct_.number[row]]; }
    double weight(std::size_t row) const { return distinct_.weight[distinct_.number[row]]; }
    std::size_t distinct(std::size_t row) const { return distinct_.number[row]; }
    std::size_t n_rows() const { return distinct_.number.size(); }

  private:
    void check_cells(const CellMatrix& cells) const {
        const std::size_t d = columns_.size();
        for (std::size_t i = 0; i < cells.shape(0); ++i) {
            for (std::size_t j = 0; j < d; ++j) {
                if (cells.data()[i * d + j] >= columns_[j].n_cells())
                    throw std::invalid_argument("a cell is not there");
            }
        }
    }

    // Growth does not look at the cells of columns that are split at points; leaves would.
    void check_one_cell() const {
        for (const Knots& knots : columns_) {
            if (!knots.categorical && knots.n_cells() != 1)
                throw std::invalid_argument("a column that is split at points has one cell");
        }
    }

    // Sorting would read beyond its array where a point is NaN.
    static void check_points(const double* points, std::size_t n) {
        if (!std::all_of(points, points + n, [](double p) { return p >= 0.0 && p <= 1.0; }))
            throw std::invalid_argument("points must lie in [0, 1]");
    }

    static void check_weights(const double* weights, std::size_t n) {
        if (!std::all_of(weights, weights + n, [](double w) { return w >= 0.0 && std::isfinite(w); }))
            throw std::invalid_argument("weights must be finite and not negative");
    }

    template <class T>
    std::vector<T> rows_of(const T* all, std::size_t d) const {
        std::vector<T> rows;
        rows.reserve(distinct_.first.size() * d);
        for (std::uint32_t row : distinct_.first) rows.insert(rows.end(), all + row * d, all + (row + 1) * d);
        return rows;
    }

    std::vector<Knots> columns_;
    DistinctRows distinct_;
    std::vector<std::uint16_t> cells_;
    std::vector<double> points_;
    GrowData data_;
};

}  // namespace boxwood::bindings
