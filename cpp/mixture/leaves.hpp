// What a leaf says of the density inside its box: uniform, a product of histograms or of Gaussians, or a
// Gaussian of full covariance.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/box.hpp"

namespace boxwood {

enum class LeafKind { uniform, histogram, gaussian, gaussian_full };

// Payload of all leaves of one tree.
//
// Histograms: `n_leaf_bins` bytes a leaf and column. A byte is a density relative to the other bins of its
// histogram on a scale of sixteenths of an octave; the histogram is normalised by what its bytes sum to, so
// that rounding to bytes moves mass (measured: less than 0.001 nats) but never loses any. A byte takes an
// eighth of the memory of a double, and the payload is most of a forest.
//
// Gaussians: mean and deviation of each column, truncated at the box. Those of full covariance have the
// factor of it in place of deviations: full_gaussian.hpp.
//
// `log_scale` is what scoring adds up of a leaf: log(mass) less the logarithm of what its pieces integrate
// to.
struct Leaves {
    LeafKind kind = LeafKind::uniform;
    std::size_t n_leaf_bins = 0;
    std::vector<std::uint8_t> quantised;
    std::vector<float> mean;
    std::vector<float> deviation;
    std::vector<double> log_scale;
    // Of the lattice by which the masses of Gaussians of full covariance in their boxes are found: fewer
    // where leaves are only compared.
    std::size_t n_lattice_points = 2048;

    const std::uint8_t* quantised_of(std::size_t leaf, std::size_t j, std::size_t n_columns) const {
        return quantised.data() + (leaf * n_columns + j) * n_leaf_bins;
    }
};

inline constexpr double steps_per_octave = 16.0;

// 2^((q − 255)/16) for all quantised values q.
const std::array<double, 256>& quantised_weights();

// The logarithm of one of them.
inline double quantised_log_weight(std::int64_t q) {
    return static_cast<double>(q - 255) * (0.69314718055994530942 / steps_per_octave);
}

namespace detail {

// For each quantised value the lowest ratio that is rounded to it, and for each stretch of ratios with the
// same exponent and first bits of the mantissa the quantised value of its lowest. A stretch is shorter than a
// step.
struct QuantisationTable {
    static constexpr int mantissa_bits = 5;
    static constexpr int octaves = 16;
    std::array<double, 257> lowest{};
    std::array<std::uint8_t, octaves << mantissa_bits> first{};
    QuantisationTable();
};

inline const QuantisationTable quantisation_table;

}  // namespace detail

// 255 + 16·log₂(ratio) of a ratio up to 1, rounded; 0 where that is negative.
inline std::uint8_t quantise(double ratio) {
    if (!(ratio >= 0x1p-16)) return 0;
    if (ratio >= 1.0) return 255;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(ratio) - std::bit_cast<std::uint64_t>(0x1p-16);
    const std::uint8_t first =
        detail::quantisation_table.first[bits >> (52 - detail::QuantisationTable::mantissa_bits)];
    return static_cast<std::uint8_t>(
        first + (ratio >= detail::quantisation_table.lowest[first + std::size_t{1}] ? 1 : 0));
}

// Bins of a histogram along a column of a box. An ordered column is divided into bins of equally many bins
// of the box; a categorical one into bins of equally many of all its bins, which do not depend on the box.
struct LeafBinRange {
    std::uint32_t n_leaf_bins;
    std::uint32_t first_bin;
    std::uint32_t n_bins;

    // 32-bit division takes half the time of 64-bit; bin edges are limited so that nothing overflows.
    std::uint32_t leaf_bin_of(std::uint32_t bin) const { return (bin - first_bin) * n_leaf_bins / n_bins; }
    // First bin of bin b.
    std::uint32_t begin(std::uint32_t b) const {
        return first_bin + (b * n_bins + n_leaf_bins - 1) / n_leaf_bins;
    }
    // Calls visit(b, first bin of bin b) for all bins and for the end of the last: by one division.
    template <class Visit>
    void for_each_begin(Visit&& visit) const {
        const std::uint32_t step = n_bins / n_leaf_bins;
        const std::uint32_t rest = n_bins % n_leaf_bins;
        std::uint32_t bin = first_bin;
        std::uint32_t carry = 0;  // b·n_cells = (bin − first_cell)·n_bins + carry, carry in [0, n_bins)
        for (std::uint32_t b = 0; b <= n_leaf_bins; ++b) {
            visit(b, bin + (carry > 0 ? 1 : 0));
            bin += step;
            carry += rest;
            if (carry >= n_leaf_bins) {
                carry -= n_leaf_bins;
                ++bin;
            }
        }
    }
};

// bin_of by a multiplication, for many bins of one range: exact for up to 2²⁰ bins.
class FastLeafBins {
  public:
    explicit FastLeafBins(const LeafBinRange& leaf_bins)
        : first_bin_(leaf_bins.first_bin), factor_(factor(leaf_bins.n_leaf_bins, leaf_bins.n_bins)) {}
    std::uint32_t leaf_bin_of(std::uint32_t bin) const { return leaf_bin_of(bin - first_bin_, factor_); }

    static std::uint64_t factor(std::uint32_t n_leaf_bins, std::uint32_t n_bins) {
        return ((std::uint64_t{n_leaf_bins} << 40) + n_bins - 1) / n_bins;
    }
    // Of the bin that stands so far from the first.
    static std::uint32_t leaf_bin_of(std::uint32_t distance, std::uint64_t factor) {
        return static_cast<std::uint32_t>((distance * factor) >> 40);
    }

  private:
    std::uint32_t first_bin_;
    std::uint64_t factor_;
};

inline LeafBinRange leaf_bins_between(std::uint32_t low, std::uint32_t high, std::size_t most_leaf_bins) {
    const std::uint32_t n = high - low;
    return {n < most_leaf_bins ? n : static_cast<std::uint32_t>(most_leaf_bins), low, n};
}

LeafBinRange leaf_bins_of_column(const Box& box, std::size_t j, std::size_t most_leaf_bins);

// What a histogram's bytes integrate to over bins of these widths.
inline double histogram_integral(const std::uint8_t* quantised, const double* widths,
                                 std::size_t n_leaf_bins) {
    const std::array<double, 256>& weights = quantised_weights();
    double sum = 0.0;
    for (std::size_t b = 0; b < n_leaf_bins; ++b) sum += weights[quantised[b]] * widths[b];
    return sum;
}

// Width of each bin inside the box (of a categorical column: of the bins in the box's set).
void leaf_bin_widths(const Box& box, std::size_t j, const LeafBinRange& leaf_bins, double* widths);

}  // namespace boxwood
