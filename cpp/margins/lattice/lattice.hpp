// A lattice: points at equal steps, where a column has counting measure.
#pragma once

namespace boxwood {

// The points origin + k·step. Whole numbers are those of origin 0 and step 1.
class Lattice {
  public:
    // Throws std::invalid_argument unless both are finite and the step is positive.
    explicit Lattice(double origin = 0.0, double step = 1.0);

    double origin() const { return origin_; }
    double step() const { return step_; }
    // Number of the point that is nearest to a value; of two, the upper one's, so that every point has as
    // many whole numbers around it.
    double place(double value) const;
    // The point of that number: the double nearest to the decimal where origin and step are decimals, as in a
    // column that was rounded.
    double point(double place) const;
    // Whether a value is its nearest point up to the rounding of doubles, or is that in single precision.
    bool holds(double value, double place) const;

  private:
    double origin_;
    double step_;
    double power_;  // of ten, by which origin and step are whole; 0 where none makes them
};

}  // namespace boxwood
