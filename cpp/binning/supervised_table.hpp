// A table as decision and regression trees read it: its distinct rows, packed into records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "binning/supervised_data.hpp"
#include "table/distinct_rows.hpp"

namespace boxwood {

// Codes of one column as they come: `width` bytes each, one a row.
struct ColumnCodes {
    const void* codes = nullptr;
    std::uint32_t width = 1;
    std::uint32_t n_bins = 0;
    bool categorical = false;
    int monotone = 0;
};

// Where the codes of columns lie in a record, and how many bytes it has.
struct RecordLayout {
    std::vector<CodeColumn> columns;
    std::size_t stride = 0;
};

RecordLayout lay_out_records(std::span<const ColumnCodes> columns);

// Rows with their targets; equal rows with equal targets are one, and the order of the rows leaves no trace.
class SupervisedTable {
  public:
    // `numbers` (row-major) and `weights` may be null. Throws std::invalid_argument where a code or a class
    // is not there.
    SupervisedTable(std::span<const ColumnCodes> columns, std::size_t n_rows, const Targets& targets,
                    const double* weights, const double* numbers = nullptr);
    SupervisedTable(const SupervisedTable&) = delete;
    SupervisedTable& operator=(const SupervisedTable&) = delete;

    const SupervisedData& data() const { return data_; }
    // Which of the distinct rows a row of the table is.
    const std::vector<std::uint32_t>& distinct() const { return distinct_.number; }
    std::size_t n_rows() const { return distinct_.number.size(); }
    // Mean of each column's numbers, 0 where there are none; empty where no numbers were given.
    const std::vector<double>& fill() const { return fill_; }

  private:
    void average_numbers();
    void pack(std::span<const ColumnCodes> columns, std::size_t n_rows, const double* weights,
              const double* numbers);

    DistinctRows distinct_;
    std::vector<unsigned char> records_;
    std::vector<unsigned char> by_column_;
    std::vector<double> numbers_;
    std::vector<double> fill_;
    std::vector<std::uint32_t> classes_;
    std::vector<double> values_;
    SupervisedData data_;
};

}  // namespace boxwood
