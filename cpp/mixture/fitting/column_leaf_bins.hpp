// The bins of a leaf's histogram along one column, with what smoothing them needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mixture/leaves.hpp"

namespace boxwood {

// The bins of one column inside a box, as the fitter keeps those of all columns.
struct ColumnLeafBins {
    LeafBinRange range{1, 0, 1};
    FastLeafBins fast{range};
    std::vector<std::uint32_t> begin;  // first bin of each bin, and the end of the last
    std::vector<double> width;
    std::vector<double> inverse;  // 1/width; 0 where a bin has none
    // Neighbouring bins exchange a quarter of their difference in density times the width of the narrower
    // one: of equal widths these are the weights ¼, ½, ¼. The total is kept, a constant density stays what it
    // is, and a wide bin (an atom, missing values) gives little to narrow neighbours. A bin gets `gets` of
    // what its right neighbour has, and gives `gives` of what it has itself.
    std::vector<double> gets;
    std::vector<double> gives;

    void set(const Box& box, std::size_t j, std::size_t most_leaf_bins) {
        range = leaf_bins_of_column(box, j, most_leaf_bins);
        fast = FastLeafBins(range);
        begin.resize(most_leaf_bins + 1);
        range.for_each_begin([&](std::uint32_t b, std::uint32_t bin) { begin[b] = bin; });
        width.assign(most_leaf_bins, 0.0);
        leaf_bin_widths(box, j, range, width.data());
        inverse.resize(most_leaf_bins);
        for (std::size_t b = 0; b < most_leaf_bins; ++b) inverse[b] = width[b] > 0.0 ? 1.0 / width[b] : 0.0;
        gets.assign(most_leaf_bins, 0.0);
        gives.assign(most_leaf_bins, 0.0);
        if (box.categorical(j)) return;
        for (std::size_t b = 0; b + 1 < range.n_leaf_bins; ++b) {
            const double ratio = width[b + 1] * inverse[b];
            gets[b] = ratio > 1.0 ? 0.25 * width[b] * inverse[b + 1] : 0.25;
            gives[b] = ratio > 1.0 ? 0.25 : 0.25 * ratio;
        }
    }
};

}  // namespace boxwood
