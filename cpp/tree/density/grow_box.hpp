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
};

struct GrowBox {
    std::vector<ColumnRange> ranges;
    double volume = 1.0;

    static GrowBox whole(const BinnedRows& data);
    // Bins (or, exactly split, points) that a split could part.
    bool can_split(const BinnedRows& data, std::size_t j) const;
    // Largest ratio of widths after the column j shrinks to `width`.
    double aspect_with(std::size_t j, double width) const;
};

}  // namespace boxwood
