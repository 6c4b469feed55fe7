// Hashes of what rows hold, by which equal rows find each other in parts of a table that never meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

// 128 bits a row of numbers, as two words one after another: among 10¹² rows two different ones have the same
// with a probability of 10⁻¹⁵. All NaN are equal, and so are both zeros.
std::vector<std::uint64_t> hash_rows(const double* rows, std::size_t n_rows, std::size_t n_columns);

}  // namespace boxwood
