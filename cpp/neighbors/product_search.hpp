// Exact nearest rows in many dimensions: products in single precision rule out nearly all rows, and the
// distances of what is left are computed in double precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "neighbors/neighbor_list.hpp"

namespace boxwood {

// Euclidean. ½|x − q|² = ½|q|² + (½|x|² − q·x), with x and q measured from the rows' mean, so that a table
// far from the origin loses nothing. The bracket is computed in single precision; its error is bounded, and a
// row is left out only where the bound shows that it is too far. Distances that are given are sums of squared
// differences in double precision, one dimension after the other, as `KdTree` adds them.
class ProductSearch {
  public:
    // Rows are n_rows × n_dims numbers, row-major and finite.
    ProductSearch(const double* rows, std::size_t n_rows, std::size_t n_dims);

    // The k nearest rows of each query, nearest first, ties by row number; k is at most the number of rows.
    void query(const double* queries, std::size_t n_queries, std::size_t k, std::size_t n_threads,
               double* distances, std::int64_t* rows, const Watch& watch = {}) const;
    // Takes a row out; its number is not given again.
    void remove(std::size_t row);

    std::size_t n_rows() const { return place_.size(); }
    std::size_t n_dims() const { return n_dims_; }

  private:
    class Block;

    std::size_t panel_of(std::size_t place) const { return place / panel_points_; }

    std::size_t n_dims_;
    std::size_t panel_points_;
    double scale_ = 1.0;  // a power of two: centred rows times it have norms of at most 1
    std::vector<double> centre_;
    std::vector<double> rows_;          // by place: rows in the order of their norms
    std::vector<std::int64_t> row_;     // of each place
    std::vector<std::uint32_t> place_;  // of each row
    std::vector<float> panels_;         // [panel][dim][point], centred and scaled
    std::vector<float> offsets_;        // ½|x|² of each place; infinite where there is none
    std::vector<double> norms_;         // the largest norm of each panel
};

}  // namespace boxwood
