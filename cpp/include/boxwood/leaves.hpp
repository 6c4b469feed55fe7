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
    std::uint32_t n_bins;
    std::uint32_t first_cell;
    std::uint32_t n_cells;

    // 32-bit division takes half the time of 64-bit; knots are limited so that nothing overflows.
    std::uint32_t bin_of(std::uint32_t cell) const { return (cell - first_cell) * n_bins / n_cells; }
    // First cell of bin b.
    std::uint32_t begin(std::uint32_t b) const { return first_cell + (b * n_cells + n_bins - 1) / n_bins; }
};

// bin_of by a multiplication, for many cells of one range: exact for up to 2²⁰ cells.
class FastBins {
  public:
    explicit FastBins(const BinRange& bins)
        : first_cell_(bins.first_cell),
          factor_(((std::uint64_t{bins.n_bins} << 40) + bins.n_cells - 1) / bins.n_cells) {}
    std::uint32_t bin_of(std::uint32_t cell) const {
        return static_cast<std::uint32_t>(((cell - first_cell_) * factor_) >> 40);
    }

  private:
    std::uint32_t first_cell_;
    std::uint64_t factor_;
};

inline BinRange bins_between(std::uint32_t low, std::uint32_t high, std::size_t most_bins) {
    const std::uint32_t n = high - low;
    return {n < most_bins ? n : static_cast<std::uint32_t>(most_bins), low, n};
}

BinRange bins_of_column(const Box& box, std::size_t j, std::size_t most_bins);

// Width of each bin inside the box (of a categorical column: of the cells in the box's set).
void bin_widths(const Box& box, std::size_t j, const BinRange& bins, double* widths);

}  // namespace boxwood
