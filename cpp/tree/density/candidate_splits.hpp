// The splits of one column that a node considers: bins of its rows, and the fraction of the box below each
// boundary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

// Boundary c lies between bins c − 1 and c; rows with a bin below c go left. `group` has an entry for each
// row of the node, in the node's order. A row that no bin order could part from another shares its bin.
struct CandidateSplits {
    std::size_t feature = 0;
    std::size_t n_groups = 0;
    std::vector<std::uint32_t> group;
    std::vector<double>
        fraction;  // fraction[c]: the left part's fraction of the box for boundary c; [0] is not used
    bool has_gaps = false;  // bins without rows are gaps (gap_thresholds.hpp)

    // Boundary c as a bin (binned), as a point (exact), or, for a categorical column, by the order of its
    // bins.
    std::vector<std::uint32_t> threshold_bin;
    std::vector<double> threshold_point;
    std::vector<std::uint32_t> bin_order;
};

}  // namespace boxwood
