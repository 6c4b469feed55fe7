// A table as growth reads it: knots of its columns, cells or points of its rows, weights.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "boxwood/grow_data.hpp"

namespace boxwood::bindings {

using CellMatrix = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using PointMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
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

// Keeps the arrays alive as long as growth reads them.
class TableOfCells {
  public:
    TableOfCells(const std::vector<ColumnSpec>& columns, CellMatrix cells, std::optional<PointMatrix> points,
                 std::optional<Vector> weights)
        : columns_(to_knots(columns)),
          cells_(std::move(cells)),
          points_(std::move(points)),
          weights_(std::move(weights)) {
        const std::size_t n = cells_.shape(0);
        const std::size_t d = columns_.size();
        if (cells_.shape(1) != d) throw std::invalid_argument("cells must have one column a list of knots");
        if (points_ && (points_->shape(0) != n || points_->shape(1) != d)) {
            throw std::invalid_argument("points must have the shape of cells");
        }
        if (weights_ && weights_->shape(0) != n) throw std::invalid_argument("one weight a row is needed");
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < d; ++j) {
                if (cells_.data()[i * d + j] >= columns_[j].n_cells())
                    throw std::invalid_argument("a cell is not there");
            }
        }
        data_ = {&columns_,
                 n,
                 cells_.data(),
                 points_ ? points_->data() : nullptr,
                 weights_ ? weights_->data() : nullptr,
                 nullptr};
    }
    TableOfCells(const TableOfCells&) = delete;
    TableOfCells& operator=(const TableOfCells&) = delete;

    const GrowData& data() const { return data_; }

  private:
    std::vector<Knots> columns_;
    CellMatrix cells_;
    std::optional<PointMatrix> points_;
    std::optional<Vector> weights_;
    GrowData data_;
};

}  // namespace boxwood::bindings
