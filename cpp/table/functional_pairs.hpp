// Which columns of codes are functions of which others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace boxwood {

struct CodeColumns {
    const std::int32_t* codes;     // n_columns × n_rows, column by column; −1 where a cell takes no part
    const std::int32_t* n_levels;  // of each column; codes are below them
    const std::uint8_t* parent;    // of each column, whether others may follow from it
    const std::uint8_t* child;     // of each column, whether it may follow from others; it has no code of −1
    std::size_t n_rows;
    std::size_t n_columns;
};

// All pairs (a, b) such that rows of equal codes in a have equal codes in b, by a and then by b. A pair that
// is none is left at the first row that shows it.
std::vector<std::pair<std::int32_t, std::int32_t>> functional_pairs(const CodeColumns& table);

}  // namespace boxwood
