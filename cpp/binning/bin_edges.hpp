// Where a column of [0, 1] may be split: the shared bin edges, and the bins between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/strided.hpp"

namespace boxwood {

// A column's bins: bin k lies between u[k] and u[k + 1], from 0 to 1. The bins of a categorical column are
// its categories, which may be parted into any two sets; the bins of others stay in order.
struct BinEdges {
    std::vector<double> u;
    bool categorical = false;

    std::size_t n_bins() const { return u.size() - 1; }
    // The bin that holds a point; both ends belong to the outermost bins.
    std::uint32_t bin_of(double point) const;
};

// Columns may have so many bins; binned growth needs them to fit 16 bits.
inline constexpr std::size_t most_bins = std::size_t{1} << 20;

// Throws std::invalid_argument unless the bin edges ascend from 0 to 1.
void check_bin_edges(const BinEdges& bin_edges);

// Bins of whole columns, written row by row; NaN becomes `missing_bin`.
inline constexpr std::uint16_t missing_bin = 0xffff;
void find_bins(const BinEdges& bin_edges, Strided points, std::uint16_t* out, std::size_t out_stride);

}  // namespace boxwood
