// Are the rows of a node uniform in its box? A Kolmogorov–Smirnov test per column.
#pragma once

#include <cstdint>
#include <span>

#include "tree/density/grow_box.hpp"

namespace boxwood {

// Probability that Kolmogorov's statistic is at least d for n rows of a continuous uniform distribution.
double kolmogorov_p_value(double d, double n);

// Smallest p-value over the columns that can be split, times their number (Bonferroni); 1 where there is
// none.
double uniformity_p_value(const BinnedRows& data, const GrowBox& box, std::span<const std::uint32_t> rows);

}  // namespace boxwood
