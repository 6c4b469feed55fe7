// The best split of a node, and the two boxes that it makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tree/density/candidate_splits.hpp"
#include "tree/density/grow_box.hpp"

namespace boxwood {

struct Split {
    double gain = -std::numeric_limits<double>::infinity();
    std::size_t feature = 0;
    double left_fraction = 0.0;  // of the node's volume
    double left_weight = 0.0;
    std::uint32_t threshold_bin = 0;       // binned
    double threshold_point = 0.0;          // exact
    std::vector<std::uint32_t> left_bins;  // categorical

    bool found() const { return gain > -std::numeric_limits<double>::infinity(); }
    bool goes_left(const BinnedRows& data, std::size_t row) const;
};

// Keeps boundary c of the candidates as the best split so far.
void take_candidate(const BinnedRows& data, const CandidateSplits& candidates, std::size_t c, double gain,
                    double left_weight, Split& best);

// The box of one half.
GrowBox box_of_half(const BinnedRows& data, const GrowBox& box, const Split& split, bool left);

}  // namespace boxwood
