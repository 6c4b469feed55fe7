// The margin of a categorical, ordinal or boolean column: codes onto intervals of [0, 1], in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/strided.hpp"
#include "table/table_view.hpp"

namespace boxwood {

// The interval of missing values lies at the top of [0, 1], that of unseen categories below it.
class CategoryMargin {
  public:
    // Probabilities of each category, of one that was not seen when fitted, and of a missing value.
    CategoryMargin(std::vector<double> mass, double unseen_mass, double missing_mass);

    std::size_t n_categories() const { return mass_.size(); }
    const std::vector<double>& mass() const { return mass_; }
    double unseen_mass() const { return unseen_mass_; }
    double missing_mass() const { return missing_mass_; }
    // Whether u lies in the interval of categories that were never seen, and others are known.
    bool is_unseen(double u) const;
    // Where the intervals meet, ascending, from 0 to 1.
    std::vector<double> knots() const;

    // The middle of each code's interval; NaN for missing where none is modelled. Throws
    // std::invalid_argument for a code that is no category's.
    void encode(StridedCodes codes, double* out, std::ptrdiff_t out_stride) const;
    // Adds the logarithm of each category's probability; a missing value adds `log_missing`.
    void add_log_derivative(StridedCodes codes, double log_missing, double* sum) const;
    // The middles, NaN where missing; the logarithms are added to `sum`, nothing for missing values.
    void score(StridedCodes codes, double* points, std::ptrdiff_t stride, double* sum) const;
    // The code at each u: never an unseen category, whose interval falls to the last known one, its
    // neighbour, so that a point of a box decodes into the box. Where no category is known there is only
    // missing. Returns how many are missing.
    std::size_t decode(Strided u, std::int32_t* out) const;

  private:
    // Position of a code in the arrays below: the categories, unseen, missing.
    std::size_t place(std::int32_t code) const;

    std::vector<double> mass_;
    double unseen_mass_;
    double missing_mass_;
    std::vector<double> upper_;  // end of each interval
    std::vector<double> middle_;
    std::vector<double> log_mass_;
};

// Labels that a column can have. `open`: known labels, and unknown ones, which get the Good–Turing mass.
// `closed`: only the known labels. `boolean`: true and false.
enum class Labels { open, closed, boolean };

// Fits the margin from the weight of each category and, last, of missing values.
CategoryMargin fit_category_margin(const std::vector<double>& counts, Labels labels);

}  // namespace boxwood
