#include "histogram/bins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace boxwood {

namespace {

constexpr std::size_t most_bins = std::size_t{1} << 30;

// A cell may hold this many edges, and there may be this many cells, before a search among all edges is
// quicker.
constexpr int most_steps = 4;
constexpr std::size_t most_cells = std::size_t{1} << 16;

// Edges count as uniform up to this part of a bin: closer values are looked at one by one.
constexpr double most_doubt = 1e-3;

void check_edges(const std::vector<double>& edges) {
    if (edges.size() < 2 || edges.size() > most_bins)
        throw std::invalid_argument("bins need two edges or more");
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (!std::isfinite(edges[i])) throw std::invalid_argument("edges must be finite");
        if (i > 0 && !(edges[i - 1] < edges[i])) throw std::invalid_argument("edges must ascend");
    }
    if (!std::isfinite(edges.back() - edges.front())) throw std::invalid_argument("edges lie too far apart");
}

LinearMap linear_map(double low, double high, std::size_t size) {
    return {low, high, static_cast<double>(size) / (high - low), static_cast<std::int32_t>(size)};
}

// How far the map sends an edge from its number at most. Since the map is monotone, a value whose image is
// further than that from an integer lies in the bin of its whole part.
double largest_error(const LinearMap& map, const std::vector<double>& edges) {
    double error = 0.0;
    for (std::size_t m = 0; m < edges.size(); ++m) {
        error = std::max(error, std::abs(map(edges[m]) - static_cast<double>(m)));
    }
    return error;
}

}  // namespace

Bins::Bins(std::vector<double> edges) : edges_(std::move(edges)) {
    check_edges(edges_);
    upper_.assign(edges_.begin() + 1, edges_.end());
    upper_.back() = std::numeric_limits<double>::infinity();
    upper_.push_back(std::numeric_limits<double>::quiet_NaN());
    map_ = linear_map(edges_.front(), edges_.back(), size());
    const double error = std::isfinite(map_.scale) ? largest_error(map_, edges_) : 1.0;
    uniform_ = error < most_doubt;
    doubt_ = error + 0x1p-50;  // and the rounding of the test itself
    if (!uniform_) make_cells();
}

void Bins::find(const double* values, std::size_t n, std::int32_t* bins) const {
    const auto outside = static_cast<std::int32_t>(size());
    if (uniform_) {
        if (bin_kernels().uniform(values, n, map_, doubt_, bins)) repair(values, n, bins);
    } else if (steps_ > 0) {
        bin_kernels().cells(values, n, map_, first_.data(), upper_.data(), steps_, outside, bins);
    } else {
        bin_kernels().search(values, n, halves_.data(), static_cast<std::int32_t>(halves_.size() / 2), bins);
        for (std::size_t i = 0; i < n; ++i) {
            const bool inside = values[i] >= edges_.front() && values[i] <= edges_.back();
            bins[i] = inside ? bins[i] : outside;
        }
    }
}

void Bins::repair(const double* values, std::size_t n, std::int32_t* bins) const {
    const auto last = static_cast<std::int32_t>(size()) - 1;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = values[i];
        if (!(x >= map_.low && x <= map_.high)) continue;
        std::int32_t bin = std::min(bins[i], last);
        bin -= bin > 0 && x < edges_[static_cast<std::size_t>(bin)];
        bin += x >= upper_[static_cast<std::size_t>(bin)];
        bins[i] = bin;
    }
}

// Cells of equal width, so many that few hold more than one edge. A value's cell tells the edges below it but
// for those in the same cell. Where edges crowd (in equal ratios, say), a search among all of them is left.
void Bins::make_cells() {
    for (std::size_t n_cells = 64; n_cells <= most_cells; n_cells *= 2) {
        if (n_cells >= 8 * size() && fits_cells(n_cells)) return;
    }
    steps_ = 0;
    std::size_t padded = 2;
    while (padded < size() + 1) padded *= 2;  // one +inf at least, so that the last step has an edge to ask
    halves_.assign(upper_.begin(), upper_.begin() + static_cast<std::ptrdiff_t>(size()));
    halves_.resize(padded, std::numeric_limits<double>::infinity());
}

bool Bins::fits_cells(std::size_t n_cells) {
    map_ = linear_map(edges_.front(), edges_.back(), n_cells);
    if (!std::isfinite(map_.scale)) return false;
    first_.assign(n_cells + 2, 0);
    std::vector<int> edges_in(n_cells + 1, 0);
    for (std::size_t m = 1; m + 1 < edges_.size(); ++m) ++edges_in[static_cast<std::size_t>(map_(edges_[m]))];
    for (std::size_t cell = 0; cell <= n_cells; ++cell) first_[cell + 1] = first_[cell] + edges_in[cell];
    steps_ = std::max(1, *std::max_element(edges_in.begin(), edges_in.end()));
    return steps_ <= most_steps;
}

}  // namespace boxwood
