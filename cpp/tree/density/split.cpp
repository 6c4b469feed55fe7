#include "tree/density/split.hpp"

#include <algorithm>

namespace boxwood {

bool Split::goes_left(const GrowData& data, std::size_t row) const {
    if (data.exact(feature)) return data.place(row, feature) < cut_point;
    const std::uint32_t cell = data.cell(row, feature);
    if ((*data.columns)[feature].categorical)
        return std::binary_search(left_cells.begin(), left_cells.end(), cell);
    return cell < cut_cell;
}

void take_cut(const GrowData& data, const Cuts& cuts, std::size_t c, double gain, double left_weight,
              Split& best) {
    best.gain = gain;
    best.feature = cuts.feature;
    best.left_share = cuts.share[c];
    best.left_weight = left_weight;
    if (data.exact(cuts.feature)) {
        best.cut_point = cuts.cut_point[c];
    } else if ((*data.columns)[cuts.feature].categorical) {
        best.left_cells.assign(cuts.cell_order.begin(),
                               cuts.cell_order.begin() + static_cast<std::ptrdiff_t>(c));
        std::sort(best.left_cells.begin(), best.left_cells.end());
    } else {
        best.cut_cell = cuts.cut_cell[c];
    }
}

GrowBox box_of_half(const GrowData& data, const GrowBox& box, const Split& split, bool left) {
    GrowBox half = box;
    ColumnRange& range = half.ranges[split.feature];
    const double share = left ? split.left_share : 1.0 - split.left_share;
    if (data.exact(split.feature)) {
        (left ? range.high_point : range.low_point) = split.cut_point;
    } else if ((*data.columns)[split.feature].categorical) {
        std::erase_if(range.members, [&](std::uint32_t cell) {
            return std::binary_search(split.left_cells.begin(), split.left_cells.end(), cell) != left;
        });
    } else {
        (left ? range.high : range.low) = split.cut_cell;
    }
    range.width *= share;
    half.volume *= share;
    return half;
}

}  // namespace boxwood
