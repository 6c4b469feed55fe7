#include "histogram/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace boxwood {

namespace {

// Measured on 10⁶ values: cells of 8 values make the index small and the search short.
constexpr std::size_t values_a_cell = 8;

}  // namespace

Ranks::Ranks(const double* sorted, std::size_t n) : sorted_(sorted), size_(n) {
    if (n == 0 || n > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("ranks need between 1 and 2**32 - 1 values");
    if (!std::isfinite(sorted[0]) || !std::isfinite(sorted[n - 1]))
        throw std::invalid_argument("ranks need finite values");
    for (std::size_t i = 1; i < n; ++i) {
        if (!(sorted[i - 1] <= sorted[i])) throw std::invalid_argument("ranks need sorted values");
    }
    const std::size_t n_cells = n / values_a_cell + 1;
    scale_ = static_cast<double>(n_cells - 1) / (sorted[n - 1] - sorted[0]);
    if (!std::isfinite(scale_)) scale_ = 0.0;  // one value, or a range too narrow: one cell
    first_.assign(n_cells + 1, static_cast<std::uint32_t>(n));
    std::size_t cell = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto its_cell =
            std::min(n_cells - 1, static_cast<std::size_t>((sorted[i] - sorted[0]) * scale_));
        for (; cell <= its_cell; ++cell) first_[cell] = static_cast<std::uint32_t>(i);
    }
}

std::size_t Ranks::below(double x) const {
    if (!(x > sorted_[0])) return 0;
    if (x > sorted_[size_ - 1]) return size_;
    const std::size_t last = first_.size() - 2;
    const auto cell = std::min(last, static_cast<std::size_t>((x - sorted_[0]) * scale_));
    // The map onto cells is monotone: what lies in lower cells is below x, in higher ones above.
    const double* begin = sorted_ + first_[cell];
    const double* end = sorted_ + first_[cell + 1];
    return static_cast<std::size_t>(std::lower_bound(begin, end, x) - sorted_);
}

template <class Weight>
std::vector<double> Ranks::uniform(double low, double high, std::size_t n_bins, Weight weight) const {
    if (n_bins == 0 || !(low < high)) throw std::invalid_argument("bins need a range and a number");
    const double step = (high - low) / static_cast<double>(n_bins);
    std::vector<double> counts(n_bins);
    double before = weight(below(low));
    for (std::size_t m = 1; m < n_bins; ++m) {
        const double upto = weight(below(static_cast<double>(m) * step + low));
        counts[m - 1] = upto - before;
        before = upto;
    }
    const std::size_t top = below(std::nextafter(high, std::numeric_limits<double>::infinity()));
    counts[n_bins - 1] = weight(top) - before;
    return counts;
}

std::vector<double> Ranks::uniform_counts(double low, double high, std::size_t n_bins) const {
    return uniform(low, high, n_bins, [](std::size_t rank) { return static_cast<double>(rank); });
}

std::vector<double> Ranks::uniform_weights(double low, double high, std::size_t n_bins,
                                           const double* cumulative) const {
    return uniform(low, high, n_bins, [cumulative](std::size_t rank) { return cumulative[rank]; });
}

}  // namespace boxwood
