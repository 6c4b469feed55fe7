// A leaf with a normal of full covariance, cut off at its box.
//
// `Leaves::deviation` holds the packed Cholesky factor of the covariance, a row a column of the table. A
// column whose diagonal entry is 0 is level: the density is constant along it and independent of the others.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "mixture/gaussian/normal_box_mass.hpp"
#include "mixture/leaves.hpp"
#include "tree/box.hpp"

namespace boxwood {

// − ½ (x − mean)ᵀ Σ⁻¹ (x − mean) of a leaf at a point; `z` is room for one number a column.
double full_gaussian_log_weight(const Leaves& leaves, std::size_t leaf, std::span<const double> point,
                                std::span<double> z);

// The packed Cholesky factor of a covariance with these deviations, and correlations that are shrunk towards
// 0: n rows count for n and independence for `prior` and one more a column, so that few rows leave a
// diagonal. A deviation of 0 makes a column level. `correlation` is row-major.
std::vector<double> shrunk_factor(std::span<const double> deviation, std::span<const double> correlation,
                                  double n, double prior);

class FullGaussian {
  public:
    FullGaussian(const Leaves& leaves, std::size_t leaf, const Box& box);

    // The logarithm of what the weights integrate to over the box; of their squares.
    double log_integral() const { return log_integral_of(1.0); }
    double log_squared_integral() const;
    // Of weights at a point whose NaN coordinates are summed out.
    double log_marginal_weight(const double* point) const;
    // A random point: the coordinates that are not level.
    void draw(Draws& draws, double* point) const;

  private:
    double log_integral_of(double scale) const;

    const Box& box_;
    std::vector<std::size_t> columns_;  // those that are not level
    std::vector<double> mean_;
    std::vector<double> factor_;
    std::vector<double> low_;  // relative to the mean
    std::vector<double> high_;
    std::size_t n_lattice_points_;
    double log_level_ = 0.0;  // logarithm of the widths of the level columns
};

}  // namespace boxwood
