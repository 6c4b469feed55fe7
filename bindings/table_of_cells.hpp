// A table as growth reads it: bin edges of its columns, bins or points of its rows, weights.
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

using BinMatrix = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// Bin edges and whether the column is categorical.
using ColumnSpec = std::pair<Vector, bool>;

inline std::vector<BinEdges> to_bin_edges(const std::vector<ColumnSpec>& specs) {
    std::vector<BinEdges> columns;
    for (const auto& [u, categorical] : specs) {
        columns.push_back({to_vector(u), categorical});
        check_bin_edges(columns.back());
    }
    return columns;
}

inline std::vector<std::pair<Array<double>, bool>> bin_edges_of(const std::vector<BinEdges>& columns) {
    std::vector<std::pair<Array<double>, bool>> specs;
    for (const BinEdges& bin_edges : columns)
        specs.emplace_back(to_numpy(std::vector<double>(bin_edges.u)), bin_edges.categorical);
    return specs;
}

// The distinct rows of a table, which growth reads, and which of them each row is.
class BinnedTable {
  public:
    BinnedTable(const std::vector<ColumnSpec>& columns, const BinMatrix& bins,
                const std::optional<PointMatrix>& points, const std::optional<Vector>& weights)
        : columns_(to_bin_edges(columns)) {
        const std::size_t n = bins.shape(0);
        const std::size_t d = columns_.size();
        if (bins.shape(1) != d) throw std::invalid_argument("bins must have one column a list of bin edges");
        if (points && (points->shape(0) != n || points->shape(1) != d)) {
            throw std::invalid_argument("points must have the shape of bins");
        }
        if (weights && weights->shape(0) != n) throw std::invalid_argument("one weight a row is needed");
        check_bins(bins);
        if (points) check_one_bin();
        if (points) check_points(points->data(), n * d);
        const double* w = weights ? weights->data() : nullptr;
        if (weights) check_weights(w, n);
        nb::gil_scoped_release nogil;
        distinct_ = points ? find_distinct_rows(points->data(), d * sizeof(double), n, w)
                           : find_distinct_rows(bins.data(), d * sizeof(std::uint16_t), n, w);
        bins_ = rows_of(bins.data(), d);
        if (points) points_ = rows_of(points->data(), d);
        data_ = {&columns_,
                 distinct_.first.size(),
                 bins_.data(),
                 points ? points_.data() : nullptr,
                 distinct_.weight.data(),
                 distinct_.key.data(),
                 nullptr};
    }
    BinnedTable(const BinnedTable&) = delete;
    BinnedTable& operator=(const BinnedTable&) = delete;

    const GrowData& data() const { return data_; }
    // Key and weight of the distinct row that a row of the table is.
    std::uint64_t key(std::size_t row) const { return distinct_.key[distinct_.number[row]]; }
    double weight(std::size_t row) const { return distinct_.weight[distinct_.number[row]]; }
    std::size_t distinct(std::size_t row) const { return distinct_.number[row]; }
    std::size_t n_rows() const { return distinct_.number.size(); }

  private:
    void check_bins(const BinMatrix& bins) const {
        const std::size_t d = columns_.size();
        for (std::size_t i = 0; i < bins.shape(0); ++i) {
            for (std::size_t j = 0; j < d; ++j) {
                if (bins.data()[i * d + j] >= columns_[j].n_bins())
                    throw std::invalid_argument("a bin is not there");
            }
        }
    }

    // Growth does not look at the bins of columns that are split at points; leaves would.
    void check_one_bin() const {
        for (const BinEdges& bin_edges : columns_) {
            if (!bin_edges.categorical && bin_edges.n_bins() != 1)
                throw std::invalid_argument("a column that is split at points has one bin");
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

    std::vector<BinEdges> columns_;
    DistinctRows distinct_;
    std::vector<std::uint16_t> bins_;
    std::vector<double> points_;
    GrowData data_;
};

}  // namespace boxwood::bindings
