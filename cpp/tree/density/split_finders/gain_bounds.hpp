// What the log-likelihood of a split cannot gain more than, for many candidates at once; one version for
// every instruction set, the best one chosen at load.
#pragma once

#include <cstddef>

namespace boxwood {

// Candidate splits of an interval: the weight to the left of each, and its place u.
struct GainBounds {
    const double* left;
    const double* u;
    std::size_t n;
    double low;    // where the interval begins
    double scale;  // 1 / its length
    double total;  // weight of all rows in it
    double* fraction;
    double* bound;
};

// Writes the fraction of the interval below each threshold, and χ² of the two counts: the Kullback–Leibler
// divergence of counts and volumes, which is the gain, never exceeds it. Returns the place of the largest. A
// threshold at an end of the interval gets −1.
using BoundCandidates = std::size_t (*)(const GainBounds&);

// The one for this machine.
BoundCandidates bound_candidates();

// All that this machine can run, the most portable first: for tests.
const BoundCandidates* all_bound_candidates(std::size_t& count);

}  // namespace boxwood
