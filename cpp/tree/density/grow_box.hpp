// The box of a node while its tree grows: bins where growth is binned, points where it is exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/binned_rows.hpp"

namespace boxwood {

struct ColumnRange {
    std::uint32_t low = 0;  // bins of an ordered column: low … high − 1
    std::uint32_t high = 0;
    double low_point = 0.0;
    double high_point = 1.0;
    std::vector<std::uint32_t> members;  // bins of a categorical column, ascending
    double width = 1.0;                  // fraction of the cube's
    // Whether the end was made by cutting off an empty margin, and no cut has parted the box's rows since.
    bool low_is_cut = false;
    bool high_is_cut = false;
};

// The empty margins of an exactly split column that may be cut off. A margin lies between an end of the box
// and the outermost point of its rows.
//
// A cut leaves half of the margin. A second cut would gain as much as the first, and so would a third and a
// fourth. The cuts would never end if all rows have the same point or if the empty side needs no expected
// rows. In these two cases each margin is cut off only once until a cut parts the rows. In all other cases
// EnoughRows ends the cuts: each cut removes a fraction of the box in which several rows were expected, but
// the box never gets narrower than its rows.
struct OpenMargins {
    bool low;
    bool high;

    OpenMargins(const ColumnRange& range, double min_samples_leaf, double first, double last) {
        const bool once = min_samples_leaf <= 0.0 || !(first < last);
        low = !(once && range.low_is_cut);
        high = !(once && range.high_is_cut);
    }
};

struct GrowBox {
    std::vector<ColumnRange> ranges;
    double volume = 1.0;

    static GrowBox whole(const BinnedRows& data);
    // Records that the box was made by cutting an empty margin of column j off its parent.
    void cut_margin(std::size_t j, bool low);
    // Forgets all margins that were cut off, because the box does not have the same rows as its parent.
    void open_margins();
    // Bins (or, exactly split, points) that a split could part.
    bool can_split(const BinnedRows& data, std::size_t j) const;
    // Largest ratio of widths after the column j shrinks to `width`.
    double aspect_with(std::size_t j, double width) const;
};

}  // namespace boxwood
