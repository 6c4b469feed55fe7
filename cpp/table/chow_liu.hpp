// A rough model of a table of codes: the tree of pairs of columns that tells most (Chow and Liu 1968).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

struct CodedTable {
    const std::int32_t* codes;     // n_columns × n_rows, column by column
    const std::int32_t* n_levels;  // of each column; codes are 0 … n_levels − 1
    const std::int64_t* weights;   // of the rows, positive
    std::size_t n_rows;
    std::size_t n_columns;
    double n_observations;  // what all rows together are worth
};

struct ChowLiuTree {
    std::vector<std::int32_t> parent;     // of each column, −1 where it has none
    std::vector<double> log_probability;  // of each row
};

// An edge must tell more than its free parameters cost (half a log n each, as in BIC), so that columns of
// thousands of levels do not explain each other by heart.
ChowLiuTree fit_chow_liu(const CodedTable& table);

}  // namespace boxwood
