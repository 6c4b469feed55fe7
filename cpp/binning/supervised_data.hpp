// What decision and regression trees are grown on: a record of codes for each row, and what it should
// predict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "binning/targets.hpp"

namespace boxwood {

// A column's codes. Those of numbers ascend with them; the last one is that of missing values, of numbers and
// categories alike.
struct CodeColumn {
    std::uint32_t offset = 0;  // in the record, in bytes
    std::uint32_t width = 1;   // bytes of a code: 1, 2 or 4
    std::uint32_t n_bins = 0;  // codes are below it
    bool categorical = false;
    int monotone = 0;           // 1: what is predicted must not fall with the number, −1: must not rise
    std::size_t by_column = 0;  // where the column's codes begin in the copy that lies column by column

    std::uint32_t missing() const { return n_bins - 1; }
};

// Codes of a column: that of a row lies at `at + row · stride`.
struct CodesView {
    const unsigned char* at;
    std::size_t stride;
};

// Records lie row by row: a node looks at several columns of its rows, and a row's codes share a cache line.
// A node of many rows reads most of a column, and finds it in a copy column by column.
struct SupervisedData {
    std::vector<CodeColumn> columns;
    std::size_t n_rows = 0;
    std::size_t stride = 0;  // bytes of a record
    const unsigned char* records = nullptr;
    const unsigned char* by_column = nullptr;
    const double* numbers = nullptr;  // row-major, NaN where missing; null where no criterion looks at them
    const double* fill = nullptr;     // what stands for missing numbers along directions, a column
    const double* weights = nullptr;  // rows of weight 0 are not in the sample
    const std::uint64_t* keys = nullptr;  // of the rows' random draws
    Targets targets;

    std::size_t n_columns() const { return columns.size(); }
};

template <class Code>
std::uint32_t read_code(const unsigned char* at) {
    Code code;
    std::memcpy(&code, at, sizeof code);
    return code;
}

// Calls use(Code{}) with the type that has the column's width.
template <class Use>
void with_code_type(const CodeColumn& column, Use&& use) {
    switch (column.width) {
        case 1:
            return use(std::uint8_t{});
        case 2:
            return use(std::uint16_t{});
        default:
            return use(std::uint32_t{});
    }
}

inline std::uint32_t code_of(const SupervisedData& data, const CodeColumn& column, std::size_t row) {
    std::uint32_t found = 0;
    with_code_type(column, [&]<class Code>(Code) {
        found = read_code<Code>(data.records + row * data.stride + column.offset);
    });
    return found;
}

// A row of a tree's sample. Items lie in the order of the nodes, so that a node reads them side by side.
template <class Target>
struct Item {
    std::uint32_t row;
    Target target;
    double weight;
};

}  // namespace boxwood
