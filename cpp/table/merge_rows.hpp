// Equal rows of numbers as one row, their weights added without rounding on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/table_view.hpp"

namespace boxwood {

struct MergedRows {
    std::vector<std::uint32_t> first;   // a row of the table for each merged row
    std::vector<std::uint32_t> number;  // which merged row each row of the table is
    std::vector<std::uint64_t> key;     // hash of what the merged row holds; ascending
    std::vector<double> weight;         // the sum of its rows' weights, the same in every order of the rows
    std::vector<double> kish;           // (Σw)²/Σw² of its rows: how many rows of equal weight they are
};

// −0 equals 0, and missing equals missing; codes are compared as the numbers that they are.
// `weights` are positive and finite, or null where every row weighs 1.
MergedRows merge_rows(const TableView& table, const double* weights);

}  // namespace boxwood
