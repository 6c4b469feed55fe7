// The map of a numeric column onto [0, 1]: cubic pieces, atoms and exponential tails in one ascending row.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/strided.hpp"
#include "margins/cubic_piece.hpp"

namespace boxwood {

// A piece may be without mass (a histogram's empty bin): its values have density 0 and no u decodes to them.
// Piece i lies between knots i and i + 1; where both are equal it is an atom, an interval of u for one value.
// The masses of pieces and tails sum to `total`; what is left of 1 belongs to missing values.
class PiecewiseCdf {
  public:
    // Takes pieces as they are; throws std::invalid_argument where they are no CDF.
    PiecewiseCdf(std::vector<double> x, std::vector<double> mass, std::vector<EndShape> shape,
                 double left_mass, double left_rate, double right_mass, double right_rate);

    // u of a value: an atom's middle. It lies below `total`, and within the ends of a CDF without tails.
    double encode(double value) const;
    // P(X < value).
    double below(double value) const;
    // Logarithm of the density at a value, or of the mass of an atom; −inf where there is none.
    double log_density(double value) const;
    // Both, by one search for the piece.
    std::pair<double, double> encode_with_log_density(double value) const;
    // The value at u, which is cut to [0, total].
    double decode(double u) const;
    // log P(low ≤ X < high) without cancellation; the bounds may be infinite.
    double log_mass_between(double low, double high) const;

    const std::vector<double>& x() const { return x_; }
    const std::vector<double>& u() const { return u_; }
    const std::vector<double>& mass() const { return mass_; }
    const std::vector<EndShape>& shape() const { return shape_; }
    double left_mass() const { return left_mass_; }
    double left_rate() const { return left_rate_; }
    double right_mass() const { return right_mass_; }
    double right_rate() const { return right_rate_; }
    double total() const { return total_; }
    bool is_atom(std::size_t piece) const { return x_[piece] == x_[piece + 1]; }
    bool has_atoms() const;

  private:
    static constexpr std::ptrdiff_t left_tail = -1;

    std::ptrdiff_t find_piece(double value) const;
    double position(std::size_t piece, double value) const;
    double mass_left_of(std::ptrdiff_t piece, double value, double atom_fraction) const;
    double encode_in(std::ptrdiff_t piece, double value) const;
    double log_density_in(std::ptrdiff_t piece, double value) const;
    double mass_of_part(double low, double high, std::ptrdiff_t piece) const;

    std::vector<double> x_;
    std::vector<double> u_;
    std::vector<double> mass_;
    std::vector<EndShape> shape_;
    std::vector<double> log_mean_density_;  // of a piece; of an atom the logarithm of its mass
    double left_mass_;
    double left_rate_;
    double right_mass_;
    double right_rate_;
    double total_;
};

// Whole columns. NaN stays NaN.
void encode_values(const PiecewiseCdf& cdf, Strided values, double* out, std::ptrdiff_t out_stride);
void log_density_of_values(const PiecewiseCdf& cdf, Strided values, double* out);
void decode_values(const PiecewiseCdf& cdf, Strided u, double* out);

}  // namespace boxwood
