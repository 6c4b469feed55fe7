// The margin of a numeric column: its CDF, and an interval at the top of [0, 1] for missing values.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/strided.hpp"
#include "margins/cut_cdf.hpp"
#include "margins/find_atoms.hpp"
#include "margins/lattice/lattice.hpp"
#include "margins/piecewise_cdf.hpp"

namespace boxwood {

// For numbers: the column's own smooth CDF with tails beyond the data, or linear over the (slightly widened)
// bounding box.
enum class MarginKind { smooth, linear };

// Values beside the points of a lattice, at a finer precision than the column had when it was fitted: they
// share the place of the nearest point. Each point keeps the fraction `mass` of its probability for them,
// spread evenly over the `size` around it: a step, or the whole numbers between two points.
struct OffLattice {
    double mass = 0.0;
    double size = 0.0;
};

struct NumberMargin {
    PiecewiseCdf cdf;                // of the values; on a lattice of the points' numbers
    double missing_mass = 0.0;       // probability of a missing value
    std::optional<Lattice> lattice;  // the point of number k stands for the interval from k − ½ to k + ½
    OffLattice off_lattice;

    // Whether a column may be cut anywhere: no atoms, lattice or missing values.
    bool is_continuous() const;

    // u of each value, an atom's middle; of a missing one the middle of its interval, NaN where there is
    // none.
    void encode(Strided values, double* out, std::ptrdiff_t out_stride) const;
    // Adds the logarithm of the density, or of the mass of an atom or lattice point; a missing value adds
    // `log_missing`.
    void add_log_derivative(Strided values, double log_missing, double* sum) const;
    // u of each value, NaN where it is missing; the logarithms are added to `sum`, nothing for missing
    // values.
    void score(Strided values, double* points, std::ptrdiff_t stride, double* sum) const;
    // The value at each u; NaN in the interval of missing values. Returns how many are missing.
    std::size_t decode(Strided u, double* out) const;

  private:
    double log_mass_on_lattice(double value) const;
};

// Where a column has counting measure.
struct NumberMeasure {
    std::optional<Lattice> lattice;
    std::optional<std::vector<double>> atoms;  // without a lattice: the atoms; none: they are found
    Bounds bounds;
    Bounds span;  // what a linear margin spans at least: the range of the table that the rows are taken of
    bool is_closed = false;  // no values but the atoms, or the lattice's points within the bounds
};

// Fits the margin of a column from its cells, which may be none where every value is missing. `missing` is
// the weight of missing values; `whole` says that the column holds whole numbers only.
NumberMargin fit_number_margin(WeightedCells cells, double missing, MarginKind kind,
                               const NumberMeasure& measure, bool whole);

}  // namespace boxwood
