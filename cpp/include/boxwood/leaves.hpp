// What a leaf says of the density inside its box: uniform, a product of histograms, or a product of
// Gaussians.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "boxwood/box.hpp"

namespace boxwood {

enum class LeafKind { uniform, histogram, gaussian };

// Payload of all leaves of one tree.
//
// Histograms: `n_bins` bytes a leaf and column. A byte is a density relative to the other bins of its
// histogram on a scale of sixteenths of an octave; the histogram is normalised by what its bytes sum to, so
// that rounding to bytes moves mass (measured: less than 0.001 nats) but never loses any. A byte takes an
// eighth of the memory of a double, and the payload is most of a forest.
//
// Gaussians: mean and deviation of each column, cut off at the box.
struct Leaves {
    LeafKind kind = LeafKind::uniform;
    std::size_t n_bins = 0;
    std::vector<std::uint8_t> levels;
    std::vector<float> mean;
    std::vector<float> deviation;

    const std::uint8_t* levels_of(std::size_t leaf, std::size_t j, std::size_t n_columns) const {
        return levels.data() + (leaf * n_columns + j) * n_bins;
    }
};

inline constexpr double levels_per_octave = 16.0;

// 2^((level − 255)/16) for all levels.
const std::array<double, 256>& level_weights();

// Bins of a histogram along a column of a box. An ordered column is divided into bins of equally many cells
// of the box; a categorical one into bins of equally many of all its cells, which do not depend on the box.
struct BinRange {
    std::size_t n_bins;
    std::size_t first_cell;
    std::size_t n_cells;

    std::size_t bin_of(std::size_t cell) const { return (cell - first_cell) * n_bins / n_cells; }
    // First cell of bin b.
    std::size_t begin(std::size_t b) const { return first_cell + (b * n_cells + n_bins - 1) / n_bins; }
};

inline BinRange bins_between(std::size_t low, std::size_t high, std::size_t most_bins) {
    return {high - low < most_bins ? high - low : most_bins, low, high - low};
}

BinRange bins_of_column(const Box& box, std::size_t j, std::size_t most_bins);

// Width of each bin inside the box (of a categorical column: of the cells in the box's set).
void bin_widths(const Box& box, std::size_t j, const BinRange& bins, double* widths);

}  // namespace boxwood
