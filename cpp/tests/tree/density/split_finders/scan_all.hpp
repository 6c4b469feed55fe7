// What a split finder reports of a column: the gain and the left weight of every boundary.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "tree/density/candidate_splits.hpp"
#include "tree/density/split_finders/split_finder.hpp"

struct Reported {
    std::vector<double> gain;  // NaN where a boundary was passed over
    std::vector<double> left;
};

template <boxwood::SplitFinder Finder>
Reported scan_all(Finder& finder, const boxwood::CandidateSplits& candidates) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Reported reported{std::vector<double>(candidates.n_groups, nan),
                      std::vector<double>(candidates.n_groups, nan)};
    const auto keep = [&](std::size_t c, double left, double gain) {
        reported.gain[c] = gain;
        reported.left[c] = left;
        return false;
    };
    finder.scan(candidates, -std::numeric_limits<double>::infinity(), keep);
    return reported;
}

inline bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }
