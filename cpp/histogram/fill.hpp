// Counting a column into bins, and giving each value what its bin holds.
#pragma once

#include <cstdint>
#include <vector>

#include "base/strided.hpp"
#include "histogram/bins.hpp"

namespace boxwood {

// How many values lie in each bin and, last, how many in none (outside, or NaN).
std::vector<std::int64_t> count_values(const Bins& bins, Strided values, unsigned n_threads);

// The weight in each bin and, last, in none. Sums run in a fixed order, whatever the number of threads.
std::vector<double> weigh_values(const Bins& bins, Strided values, const double* weights, unsigned n_threads);

// The bin of each value; bins.size() for what lies in none.
void find_bins(const Bins& bins, Strided values, std::int32_t* out);

// Adds to each out[i] what the table (one entry a bin, then one for outside) holds for its value; NaN adds
// nothing.
void add_by_bin(const Bins& bins, Strided values, const double* table, double* out);

// How many values of each class lie in each bin and, last, in none: a row of bins.size() + 1 counts a class.
// `classes` has a number below n_classes for each value.
std::vector<double> count_classes(const Bins& bins, Strided values, const std::uint32_t* classes,
                                  std::size_t n_classes);

// Adds to each out[i] what the table (a row of bins.size() + 1 entries a class) holds for the value's class
// and bin.
void add_by_class(const Bins& bins, Strided values, const std::uint32_t* classes, const double* table,
                  double* out);

}  // namespace boxwood
