// The cuts of one column that a node considers: bins of its rows, and the share of the box below each
// boundary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

// Boundary c lies between bins c − 1 and c; rows with a bin below c go left. `bin` has an entry for each row
// of the node, in the node's order. A row that no bin order could part from another shares its bin.
struct Cuts {
    std::size_t feature = 0;
    std::size_t n_bins = 0;
    std::vector<std::uint32_t> bin;
    std::vector<double> share;  // share[c]: the left part's share of the box for boundary c; [0] is not used
    bool has_gaps = false;      // bins without rows are gaps (gap_cuts.hpp)

    // Boundary c as a cell (binned), as a point (exact), or, for a categorical column, by the order of its
    // cells.
    std::vector<std::uint32_t> cut_cell;
    std::vector<double> cut_point;
    std::vector<std::uint32_t> cell_order;
};

}  // namespace boxwood
