#include "mixture/leaves.hpp"

#include <algorithm>

namespace boxwood {

namespace detail {

QuantisationTable::QuantisationTable() {
    for (int q = 0; q <= 256; ++q)
        lowest[static_cast<std::size_t>(q)] = std::exp2((q - 255.5) / steps_per_octave);
    for (std::size_t i = 0; i < first.size(); ++i) {
        const double octave = static_cast<double>(i >> mantissa_bits) - octaves;
        const double part = static_cast<double>(i & ((1u << mantissa_bits) - 1)) / (1 << mantissa_bits);
        const double ratio = std::exp2(octave) * (1.0 + part);
        while (lowest[first[i] + std::size_t{1}] <= ratio) ++first[i];
    }
}

}  // namespace detail

const std::array<double, 256>& quantised_weights() {
    static const std::array<double, 256> weights = [] {
        std::array<double, 256> table{};
        for (int q = 0; q < 256; ++q) {
            table[static_cast<std::size_t>(q)] = std::exp2((q - 255) / steps_per_octave);
        }
        return table;
    }();
    return weights;
}

LeafBinRange leaf_bins_of_column(const Box& box, std::size_t j, std::size_t most_leaf_bins) {
    if (box.categorical(j))
        return leaf_bins_between(0, static_cast<std::uint32_t>(box.bin_edges(j).n_bins()), most_leaf_bins);
    return leaf_bins_between(box.low(j), box.high(j), most_leaf_bins);
}

void leaf_bin_widths(const Box& box, std::size_t j, const LeafBinRange& leaf_bins, double* widths) {
    const std::vector<double>& u = box.bin_edges(j).u;
    if (box.categorical(j)) {
        std::fill(widths, widths + leaf_bins.n_leaf_bins, 0.0);
        for (std::uint32_t bin : box.members(j)) widths[leaf_bins.leaf_bin_of(bin)] += u[bin + 1] - u[bin];
        return;
    }
    double before = 0.0;
    leaf_bins.for_each_begin([&](std::uint32_t b, std::uint32_t bin) {
        if (b > 0) widths[b - 1] = u[bin] - before;
        before = u[bin];
    });
}

}  // namespace boxwood
