// A table as density trees are grown on: its distinct rows as bins or points, and which of them each row is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/bin_edges.hpp"
#include "binning/binned_rows.hpp"
#include "table/distinct_rows.hpp"

namespace boxwood {

class BinnedTable {
  public:
    // `bins`, `points` (null: binned) and `weights` (null: all 1) are row-major and have n_rows rows; they
    // are copied. Throws std::invalid_argument where a bin is not there, a point lies outside of [0, 1], a
    // column that is split at points has bins, or a weight is no weight.
    BinnedTable(std::vector<BinEdges> columns, std::size_t n_rows, const std::uint16_t* bins,
                const double* points, const double* weights);
    BinnedTable(const BinnedTable&) = delete;
    BinnedTable& operator=(const BinnedTable&) = delete;

    const BinnedRows& data() const { return data_; }
    // Which of the distinct rows a row of the table is.
    std::uint32_t distinct(std::size_t row) const { return distinct_.number[row]; }
    const std::vector<std::uint32_t>& distinct() const { return distinct_.number; }
    std::size_t n_rows() const { return distinct_.number.size(); }
    double total_weight() const;

  private:
    std::vector<BinEdges> columns_;
    DistinctRows distinct_;
    std::vector<std::uint16_t> bins_;
    std::vector<double> points_;
    BinnedRows data_;
};

}  // namespace boxwood
