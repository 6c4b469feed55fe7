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

// Probability of an event under a leaf's piece; at a point its density.
inline double probability_of(const ColumnLeaves& column, std::size_t leaf, const CubeEvent& event) {
    if (column.gaussian()) return gaussian_probability(column, leaf, event);
    double sum = 0.0;
    if (column.categorical()) {
        const double* cover = event.cover().data();
        for (std::size_t w = 0; w < column.n_words; ++w) {
            std::uint64_t word = column.members[leaf * column.n_words + w] & event.covered()[w];
            for (; word != 0; word &= word - 1) {
                const auto bin = static_cast<std::uint32_t>(
                    64 * w + static_cast<std::size_t>(std::countr_zero(word)));
                sum += column.weight_of(leaf, bin) * cover[bin];
            }
        }
        return sum * column.scale[leaf];
    }
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
