// Nearest rows of tables with missing values and categories: every row is looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "neighbors/neighbor_list.hpp"
#include "neighbors/point_kernels.hpp"

namespace boxwood {

// The partial distance: dimensions that are missing (NaN) in the row or the query are left out, and the sum
// of the others counts for all, times n_dims / n_present (the largest difference of Chebyshev's stays as it
// is). A categorical dimension differs by 1 or not at all. Rows without a dimension in common are at
// infinity.
class PartialScan {
  public:
    PartialScan(const double* rows, std::size_t n_rows, std::size_t n_dims,
                std::vector<std::uint8_t> categorical, Norm norm, double p);

    // The k nearest rows of each query, nearest first, ties by row number; k is at most the number of rows.
    void query(const double* queries, std::size_t n_queries, std::size_t k, std::size_t n_threads,
               double* distances, std::int64_t* rows, const Watch& watch = {}) const;
    // Takes a row out; its number is not given again.
    void remove(std::size_t row) { is_there_[row] = 0; }

    std::size_t n_rows() const { return is_there_.size(); }
    std::size_t n_dims() const { return categorical_.size(); }

  private:
    void find(const double* query, NeighborList& list) const;

    std::vector<std::uint8_t> categorical_;
    Norm norm_;
    double p_;
    std::vector<double> points_;  // [block][dim][lane]
    std::vector<std::uint8_t> is_there_;
};

}  // namespace boxwood
