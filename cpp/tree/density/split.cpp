#include "tree/density/split.hpp"

#include <algorithm>

namespace boxwood {

bool Split::goes_left(const BinnedRows& data, std::size_t row) const {
    if (data.exact(feature)) return data.place(row, feature) < threshold_point;
    const std::uint32_t bin = data.bin(row, feature);
    if ((*data.columns)[feature].categorical)
        return std::binary_search(left_bins.begin(), left_bins.end(), bin);
    return bin < threshold_bin;
}

void take_candidate(const BinnedRows& data, const CandidateSplits& candidates, std::size_t c, double gain,
                    double left_weight, Split& best) {
    best.gain = gain;
    best.feature = candidates.feature;
    best.left_fraction = candidates.fraction[c];
    best.left_weight = left_weight;
    if (data.exact(candidates.feature)) {
        best.threshold_point = candidates.threshold_point[c];
    } else if ((*data.columns)[candidates.feature].categorical) {
        best.left_bins.assign(candidates.bin_order.begin(),
                              candidates.bin_order.begin() + static_cast<std::ptrdiff_t>(c));
        std::sort(best.left_bins.begin(), best.left_bins.end());
    } else {
        best.threshold_bin = candidates.threshold_bin[c];
    }
}

GrowBox box_of_half(const BinnedRows& data, const GrowBox& box, const Split& split, bool left) {
    GrowBox half = box;
    ColumnRange& range = half.ranges[split.feature];
    const double fraction = left ? split.left_fraction : 1.0 - split.left_fraction;
    if (data.exact(split.feature)) {
        (left ? range.high_point : range.low_point) = split.threshold_point;
    } else if ((*data.columns)[split.feature].categorical) {
        std::erase_if(range.members, [&](std::uint32_t bin) {
            return std::binary_search(split.left_bins.begin(), split.left_bins.end(), bin) != left;
        });
    } else {
        (left ? range.high : range.low) = split.threshold_bin;
    }
    range.width *= fraction;
    half.volume *= fraction;
    return half;
}

}  // namespace boxwood
