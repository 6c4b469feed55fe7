// Bins of a column: ascending edges, and the way from a value to its bin.
//
// Bin m holds edges[m] ≤ x < edges[m + 1], the last one its upper edge too. Whatever way is taken, the answer
// is that of a search among the edges, to the bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "histogram/bin_kernels.hpp"

namespace boxwood {

// How many values are binned at a time: their indices stay in the nearest cache.
inline constexpr std::size_t bin_block = 1024;

class Bins {
  public:
    // Throws std::invalid_argument unless edges are finite, ascending and at least two.
    explicit Bins(std::vector<double> edges);

    std::size_t size() const { return edges_.size() - 1; }
    bool is_uniform() const { return uniform_; }
    const std::vector<double>& edges() const { return edges_; }

    // The bins of n ≤ bin_block values; size() for what lies outside and for NaN.
    void find(const double* values, std::size_t n, std::int32_t* bins) const;

  private:
    void repair(const double* values, std::size_t n, std::int32_t* bins) const;
    void make_cells();
    bool fits_cells(std::size_t n_cells);

    std::vector<double> edges_;
    std::vector<double> upper_;  // the edge above each bin; +inf for the last, NaN for outside
    LinearMap map_;              // onto bins where these are uniform, else onto cells
    bool uniform_ = false;
    double doubt_ = 0.0;               // uniform: how far a value this close to an edge may be off
    std::vector<std::int32_t> first_;  // otherwise: the first bin of each cell,
    int steps_ = 0;                    // and the most edges in one cell,
    std::vector<double> halves_;       // or, where edges crowd, all of them for a search
};

}  // namespace boxwood
