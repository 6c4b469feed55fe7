#include "tree/density/uniformity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace boxwood {

namespace {

// Largest distance between the rows' distribution and the box's, over all edges between bins. Categories are
// taken in their own order: the test is one of their fractions then.
double distance_of_bins(const BinnedRows& data, const GrowBox& box, std::size_t j,
                        std::span<const std::uint32_t> rows, double total) {
    const std::vector<double>& u = (*data.columns)[j].u;
    const ColumnRange& range = box.ranges[j];
    std::vector<double> count(u.size() - 1, 0.0);
    for (std::uint32_t row : rows) count[data.bin(row, j)] += data.weight(row);
    const bool categorical = (*data.columns)[j].categorical;
    const std::size_t n = categorical ? range.members.size() : range.high - range.low;
    double width = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t bin = categorical ? range.members[k] : range.low + k;
        width += u[bin + 1] - u[bin];
    }
    double below = 0.0;
    double volume = 0.0;
    double distance = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t bin = categorical ? range.members[k] : range.low + k;
        below += count[bin] / total;
        volume += (u[bin + 1] - u[bin]) / width;
        distance = std::max(distance, std::abs(below - volume));
    }
    return distance;
}

double distance_of_points(const BinnedRows& data, const GrowBox& box, std::size_t j,
                          std::span<const std::uint32_t> rows, double total) {
    const ColumnRange& range = box.ranges[j];
    std::vector<std::pair<double, double>> points;
    for (std::uint32_t row : rows) points.emplace_back(data.place(row, j), data.weight(row));
    std::sort(points.begin(), points.end());
    double below = 0.0;
    double distance = 0.0;
    for (const auto& [point, weight] : points) {
        const double expected = (point - range.low_point) / (range.high_point - range.low_point);
        distance = std::max(distance, std::abs(expected - below));
        below += weight / total;
        distance = std::max(distance, std::abs(below - expected));
    }
    return distance;
}

}  // namespace

double kolmogorov_p_value(double d, double n) {
    const double root = std::sqrt(n);
    const double t = (root + 0.12 + 0.11 / root) * d;  // Stephens' correction for finite n
    if (t < 0.2) return 1.0;
    double sum = 0.0;
    for (int k = 1; k <= 100; ++k) {
        const double term = std::exp(-2.0 * k * k * t * t);
        sum += k % 2 == 1 ? term : -term;
        if (term < 1e-16) break;
    }
    return std::clamp(2.0 * sum, 0.0, 1.0);
}

double uniformity_p_value(const BinnedRows& data, const GrowBox& box, std::span<const std::uint32_t> rows) {
    double total = 0.0;
    for (std::uint32_t row : rows) total += data.weight(row);
    double smallest = 1.0;
    double n_tests = 0.0;
    for (std::size_t j = 0; j < data.n_columns() && total > 0.0; ++j) {
        if (!box.can_split(data, j)) continue;
        n_tests += 1.0;
        const double distance = data.exact(j) ? distance_of_points(data, box, j, rows, total)
                                              : distance_of_bins(data, box, j, rows, total);
        smallest = std::min(smallest, kolmogorov_p_value(distance, total));
    }
    return std::min(1.0, smallest * std::max(n_tests, 1.0));
}

}  // namespace boxwood
