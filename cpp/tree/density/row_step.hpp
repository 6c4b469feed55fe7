// Every how many rows of a node choose its split.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tree/density/grow_box.hpp"
#include "tree/grow_options.hpp"

namespace boxwood {

// Many categories need many rows to be distinguished.
inline constexpr std::size_t rows_a_category = 24;

// Of a node of so many rows, by a split finder that may skip some.
inline std::size_t row_step(const GrowOptions& options, std::size_t n_rows, const GrowBox& box) {
    if (options.scan_rows == 0) return 1;
    std::size_t wanted = options.scan_rows;
    for (const ColumnRange& range : box.ranges)
        wanted = std::max(wanted, rows_a_category * range.members.size());
    return std::max<std::size_t>(1, n_rows / wanted);
}

}  // namespace boxwood
