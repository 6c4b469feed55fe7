// The margin of a numeric column: its CDF, and an interval at the top of [0, 1] for missing values.
#pragma once

#include <cstddef>
#include <vector>

#include "base/strided.hpp"
#include "margins/find_atoms.hpp"
#include "margins/piecewise_cdf.hpp"

namespace boxwood {

// For numbers: the column's own smooth CDF with tails beyond the data, or linear over the (slightly widened)
// bounding box.
enum class MarginKind { smooth, linear };

struct NumberMargin {
    PiecewiseCdf cdf;
    double missing_mass = 0.0;  // probability of a missing value
    bool integer = false;       // k stands for the interval from k − ½ to k + ½

    // Whether a column may be cut anywhere: no atoms, integers or missing values.
    bool is_continuous() const;

    // u of each value, an atom's middle; of a missing one the middle of its interval, NaN where there is
    // none.
    void encode(Strided values, double* out, std::ptrdiff_t out_stride) const;
    // Adds the logarithm of the density, or of the mass of an atom or integer; a missing value adds
    // `log_missing`.
    void add_log_derivative(Strided values, double log_missing, double* sum) const;
    // u of each value, NaN where it is missing; the logarithms are added to `sum`, nothing for missing
    // values.
    void score(Strided values, double* points, std::ptrdiff_t stride, double* sum) const;
    // The value at each u; NaN in the interval of missing values. Returns how many are missing.
    std::size_t decode(Strided u, double* out) const;
};

// Fits the margin of a column from its cells, which may be none where every value is missing. `missing` is
// the weight of missing values; `atoms` (null: they are found) are the values that are to be atoms.
NumberMargin fit_number_margin(WeightedCells cells, double missing, MarginKind kind, bool integer,
                               const std::vector<double>* atoms);

}  // namespace boxwood
