// The inner loops of fitting histograms, over the bins of all columns of a leaf at once; one version for
// every instruction set, the best one chosen at load. All give the same bits.
#pragma once

#include <cstddef>

namespace boxwood {

// Histograms side by side, n bins in all. `gets` and `gives` are 0 at the last bin of each.
struct ShrunkHistograms {
    const double* counts;
    const double* gets;   // the fraction of its right neighbour's count that a bin gets at a pass,
    const double* gives;  // and the fraction of its own that it gives to it
    std::size_t n;
    double prior;       // rows that the prior counts for
    double scale;       // 1 / (rows + prior)
    double* smooth;     // room for n + 1 numbers
    double* flow;       // room for n + 1 numbers
    double* fractions;  // the prior's; becomes the posterior's
};

// Smooths the counts over neighbouring bins, twice, and averages them with the prior.
using ShrinkHistograms = void (*)(const ShrunkHistograms&);

// The one for this machine.
ShrinkHistograms shrink_histograms();

// All that this machine can run, the most portable first: for tests.
const ShrinkHistograms* all_shrink_histograms(std::size_t& count);

}  // namespace boxwood
