#include "binning/binned_table.hpp"

#include <algorithm>
#include <cmath>
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
                         const double* points, const double* weights, const double* observations,
                         const std::uint64_t* groups, const std::uint64_t* keys)
    : columns_(std::move(columns)) {
    const std::size_t d = columns_.size();
    for (const BinEdges& bin_edges : columns_) check_bin_edges(bin_edges);
    check_bins(columns_, n_rows, bins);
    if (points != nullptr) check_points(columns_, n_rows, points);
    if (weights != nullptr) {
        require(std::all_of(weights, weights + n_rows, [](double w) { return w >= 0.0 && std::isfinite(w); }),
                "weights must be finite and not negative");
    }
    if (observations != nullptr) {
        require(std::all_of(observations, observations + n_rows,
                            [](double o) { return o >= 1.0 && std::isfinite(o); }),
                "a row is at least one observation");
    }
    const std::uint64_t* together = groups != nullptr ? groups : keys;
    distinct_ = points != nullptr
                    ? find_distinct_rows(points, d * sizeof(double), n_rows, weights, together)
                    : find_distinct_rows(bins, d * sizeof(std::uint16_t), n_rows, weights, together);
    if (together != nullptr) keys_ = take_rows(distinct_.first, together, 1);
    add_observations(n_rows, weights, observations, groups != nullptr);
    bins_ = take_rows(distinct_.first, bins, d);
    if (points != nullptr) points_ = take_rows(distinct_.first, points, d);
    data_ = {&columns_,
             distinct_.first.size(),
             bins_.data(),
             points != nullptr ? points_.data() : nullptr,
             distinct_.weight.data(),
             together != nullptr ? keys_.data() : distinct_.key.data(),
             observations_.data(),
             leave_out_.empty() ? nullptr : leave_out_.data(),
             nullptr};
}

void BinnedTable::add_observations(std::size_t n_rows, const double* weights, const double* observations,
                                   bool in_groups) {
    observations_.assign(distinct_.first.size(), 0.0);
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double weight = weights == nullptr ? 1.0 : weights[row];
        if (!(weight > 0.0)) continue;
        observations_[distinct_.number[row]] +=
            observations != nullptr ? observations[row] : std::max(1.0, std::floor(weight));
    }
    bool all_one = true;
    leave_out_.reserve(observations_.size());
    for (std::size_t k = 0; k < observations_.size(); ++k) {
        // A group is drawn, or left out, as a whole.
        if (in_groups || observations_[k] == 0.0) observations_[k] = 1.0;
        leave_out_.push_back(distinct_.weight[k] / observations_[k]);
        all_one = all_one && leave_out_.back() == 1.0;
    }
    if (all_one) leave_out_.clear();
}

}  // namespace boxwood
