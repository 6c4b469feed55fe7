// Equal rows as one row with their weights added.
//
// Growth then cannot tell weight 2 from the row twice. Distinct rows stand in the order of a hash of what
// they hold, and random draws are keyed by that hash, so that the order of the table's rows leaves no trace
// either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

struct DistinctRows {
    std::vector<std::uint32_t> first;   // a row of the table for each distinct row
    std::vector<std::uint64_t> key;     // hash of the distinct row
    std::vector<double> weight;         // of all rows equal to it
    std::vector<std::uint32_t> number;  // which distinct row each row of the table is
};

// Rows are `row_bytes` bytes each, one after another; `weights` may be null. With `groups`, only rows of one
// group are equal.
DistinctRows find_distinct_rows(const void* rows, std::size_t row_bytes, std::size_t n_rows,
                                const double* weights, const std::uint64_t* groups = nullptr);

}  // namespace boxwood
