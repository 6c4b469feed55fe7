#include "binning/binned_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace boxwood {

namespace {

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

void check_bins(const std::vector<BinEdges>& columns, std::size_t n_rows, const std::uint16_t* bins) {
    const std::size_t d = columns.size();
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < d; ++j)
            require(bins[i * d + j] < columns[j].n_bins(), "a bin is not there");
    }
}

void check_points(const std::vector<BinEdges>& columns, std::size_t n_rows, const double* points) {
    // Growth does not look at the bins of columns that are split at points; leaves would.
    for (const BinEdges& bin_edges : columns) {
        require(bin_edges.categorical || bin_edges.n_bins() == 1,
                "a column that is split at points has one bin");
    }
    // Sorting would read beyond its array where a point is NaN.
    require(
        std::all_of(points, points + n_rows * columns.size(), [](double p) { return p >= 0.0 && p <= 1.0; }),
        "points must lie in [0, 1]");
}

template <class T>
std::vector<T> take_rows(const std::vector<std::uint32_t>& rows, const T* all, std::size_t n_columns) {
    std::vector<T> taken;
    taken.reserve(rows.size() * n_columns);
    for (std::uint32_t row : rows)
        taken.insert(taken.end(), all + row * n_columns, all + (row + std::size_t{1}) * n_columns);
    return taken;
}

}  // namespace

BinnedTable::BinnedTable(std::vector<BinEdges> columns, std::size_t n_rows, const std::uint16_t* bins,
                         const double* points, const double* weights)
    : columns_(std::move(columns)) {
    const std::size_t d = columns_.size();
    for (const BinEdges& bin_edges : columns_) check_bin_edges(bin_edges);
    check_bins(columns_, n_rows, bins);
    if (points != nullptr) check_points(columns_, n_rows, points);
    if (weights != nullptr) {
        require(std::all_of(weights, weights + n_rows, [](double w) { return w >= 0.0 && std::isfinite(w); }),
                "weights must be finite and not negative");
    }
    distinct_ = points != nullptr ? find_distinct_rows(points, d * sizeof(double), n_rows, weights)
                                  : find_distinct_rows(bins, d * sizeof(std::uint16_t), n_rows, weights);
    bins_ = take_rows(distinct_.first, bins, d);
    if (points != nullptr) points_ = take_rows(distinct_.first, points, d);
    data_ = {&columns_,
             distinct_.first.size(),
             bins_.data(),
             points != nullptr ? points_.data() : nullptr,
             distinct_.weight.data(),
             distinct_.key.data(),
             nullptr};
}

double BinnedTable::total_weight() const {
    return std::accumulate(distinct_.weight.begin(), distinct_.weight.end(), 0.0);
}

}  // namespace boxwood
