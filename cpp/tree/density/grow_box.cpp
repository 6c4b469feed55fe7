#include "tree/density/grow_box.hpp"

#include <algorithm>

namespace boxwood {

GrowBox GrowBox::whole(const BinnedRows& data) {
    GrowBox box;
    for (const BinEdges& bin_edges : *data.columns) {
        ColumnRange range;
        range.high = static_cast<std::uint32_t>(bin_edges.n_bins());
        if (bin_edges.categorical) {
            for (std::uint32_t bin = 0; bin < range.high; ++bin) range.members.push_back(bin);
        }
        box.ranges.push_back(std::move(range));
    }
    return box;
}

void GrowBox::cut_margin(std::size_t j, bool low) {
    (low ? ranges[j].low_is_cut : ranges[j].high_is_cut) = true;
}

void GrowBox::open_margins() {
    for (ColumnRange& range : ranges) range.low_is_cut = range.high_is_cut = false;
}

bool GrowBox::can_split(const BinnedRows& data, std::size_t j) const {
    const ColumnRange& range = ranges[j];
    if ((*data.columns)[j].categorical) return range.members.size() > 1;
    return data.exact(j) ? range.low_point < range.high_point : range.high - range.low > 1;
}

double GrowBox::aspect_with(std::size_t j, double width) const {
    double widest = width;
    double thinnest = width;
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        if (k == j) continue;
        widest = std::max(widest, ranges[k].width);
        thinnest = std::min(thinnest, ranges[k].width);
    }
    return widest / thinnest;
}

}  // namespace boxwood
