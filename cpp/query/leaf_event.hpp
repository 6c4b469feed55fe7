// One leaf and one event: probabilities, densities and draws along one column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/random.hpp"
#include "query/cube_event.hpp"
#include "query/leaf_table.hpp"

namespace boxwood {

double gaussian_probability(const ColumnLeaves& column, std::size_t leaf, const CubeEvent& event);

// The same of one interval under a histogram along an ordered column: of the bins inside it or of those
// outside it, whichever are fewer.
inline double probability_of_range(const ColumnLeaves& column, std::size_t leaf, const CubeEvent& event) {
    const std::uint32_t low = column.low[leaf];
    const std::uint32_t high = column.high[leaf];
    if (event.last_bin() < low || event.first_bin() >= high) return 0.0;
    const double* below = event.below().data();
    const double* u = column.bin_edges->u.data();
    const std::uint32_t from = std::max(event.first_bin(), low);
    const std::uint32_t to = std::min(event.last_bin(), high - 1);
    const bool from_start = from == low && event.low()[0] <= u[low];
    const bool to_end = to == high - 1 && event.high()[0] >= u[high];
    if (from_start && to_end) return 1.0;
    const double* weights = column.weights;
    const std::uint8_t* bytes = column.quantised.data() + leaf * column.n_leaf_bins;
    const std::uint32_t n_bins = high - low;
    const bool single = n_bins <= column.n_leaf_bins;  // every bin is one of the histogram's
    const std::uint32_t n = single ? n_bins : column.n_leaf_bins;
    const auto leaf_bin_of = [&](std::uint32_t bin) { return single ? bin - low : (bin - low) * n / n_bins; };
    const auto begin = [&](std::uint32_t b) {
        if (single) return low + b;
        const std::uint32_t numerator = b * n_bins + n - 1;
        return low + (column.shift >= 0 ? numerator >> column.shift : numerator / n);
    };
    const std::uint32_t first = leaf_bin_of(from);
    const std::uint32_t last = leaf_bin_of(to);
    double sum = 0.0;
    if (2 * (last - first) <= n) {
        std::uint32_t at = begin(first);
        for (std::uint32_t b = first; b <= last; ++b) {
            const std::uint32_t end = begin(b + 1);
            sum += weights[bytes[b]] * (below[end] - below[at]);
            at = end;
        }
        return sum * column.scale[leaf];
    }
    const auto add_outside = [&](std::uint32_t b) {
        const std::uint32_t at = begin(b);
        const std::uint32_t end = begin(b + 1);
        sum += weights[bytes[b]] * std::max(0.0, (u[end] - u[at]) - (below[end] - below[at]));
    };
    if (!from_start) {
        for (std::uint32_t b = 0; b <= first; ++b) add_outside(b);
    }
    if (!to_end) {
        for (std::uint32_t b = last; b < n; ++b) add_outside(b);
    }
    return std::max(0.0, 1.0 - sum * column.scale[leaf]);
}

// Probability of an event under a leaf's piece; at a point its density.
inline double probability_of(const ColumnLeaves& column, std::size_t leaf, const CubeEvent& event) {
    if (column.gaussian()) return gaussian_probability(column, leaf, event);
    double sum = 0.0;
    if (column.categorical()) {
        const double* cover = event.cover().data();
        for (std::size_t w = 0; w < column.n_words; ++w) {
            std::uint64_t word = column.members[leaf * column.n_words + w] & event.covered()[w];
            for (; word != 0; word &= word - 1) {
                const auto bin =
                    static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
                sum += column.weight_of(leaf, bin) * cover[bin];
            }
        }
        return sum * column.scale[leaf];
    }
    if (event.is_range() && column.kind == LeafKind::histogram)
        return probability_of_range(column, leaf, event);
    const double* below = event.below().data();
    if (!(below[column.high[leaf]] > below[column.low[leaf]])) return 0.0;
    if (event.is_point())
        return column.weight_of(leaf, event.point_bin()) * event.factor() * column.scale[leaf];
    column.for_each_stretch(leaf, [&](std::uint32_t first, std::uint32_t end, double weight) {
        sum += weight * (below[end] - below[first]);
    });
    return sum * column.scale[leaf];
}

// Adds mass times the piece's density in u to each bin, as differences to the bin before: `difference` has
// one entry more than there are bins. A Gaussian adds its mean density of each bin.
inline void add_density(const ColumnLeaves& column, std::size_t leaf, double mass, double* difference) {
    const double scale = mass * column.scale[leaf];
    if (column.gaussian()) {
        const std::vector<double>& u = column.bin_edges->u;
        for (std::uint32_t bin = column.low[leaf]; bin < column.high[leaf]; ++bin) {
            const double density =
                scale * gaussian_integral(column, leaf, u[bin], u[bin + 1]) / (u[bin + 1] - u[bin]);
            difference[bin] += density;
            difference[bin + 1] -= density;
        }
        return;
    }
    double before = 0.0;
    std::uint32_t last = 0;
    column.for_each_stretch(leaf, [&](std::uint32_t first, std::uint32_t end, double weight) {
        const double density = scale * weight;
        if (first != last) {
            difference[last] -= before;
            before = 0.0;
        }
        difference[first] += density - before;
        before = density;
        last = end;
    });
    difference[last] -= before;
}

// Densities of bins from their differences: what rounding left below zero is nothing.
inline void sum_differences(double* values, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += values[i];
        values[i] = std::max(sum, 0.0);
    }
}

// A random point of the piece inside the event's intervals; NaN where the piece has none of them, and the
// event happens by its floor alone.
double draw_from(const ColumnLeaves& column, std::size_t leaf, const CubeEvent& event, Draws& draws);

}  // namespace boxwood
