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
    // `bins`, `points` (null: binned), `weights` (null: all 1), `observations` (null: ⌊weight⌋, at least one)
    // `groups` and `keys` (null: none) are row-major and have n_rows rows; they are copied. Rows of one group
    // have the same random draws, and only rows of one group become one, drawn as a whole. Without groups the
    // same holds for rows of one key, whose observations are drawn one by one. Throws std::invalid_argument
    // where a bin is not there, a point lies outside of [0, 1], a column that is split at points has bins, or
    // a weight is no weight.
    BinnedTable(std::vector<BinEdges> columns, std::size_t n_rows, const std::uint16_t* bins,
                const double* points, const double* weights, const double* observations = nullptr,
                const std::uint64_t* groups = nullptr, const std::uint64_t* keys = nullptr);
    BinnedTable(const BinnedTable&) = delete;
    BinnedTable& operator=(const BinnedTable&) = delete;

    const BinnedRows& data() const { return data_; }
    // Which of the distinct rows a row of the table is.
    std::uint32_t distinct(std::size_t row) const { return distinct_.number[row]; }
    const std::vector<std::uint32_t>& distinct() const { return distinct_.number; }
    std::size_t n_rows() const { return distinct_.number.size(); }

  private:
    void add_observations(std::size_t n_rows, const double* weights, const double* observations,
                          bool in_groups);

    std::vector<BinEdges> columns_;
    DistinctRows distinct_;
    std::vector<std::uint16_t> bins_;
    std::vector<double> points_;
    std::vector<double> observations_;
    std::vector<double> leave_out_;    // empty where every observation weighs 1
    std::vector<std::uint64_t> keys_;  // of groups, or as given
    BinnedRows data_;
};

}  // namespace boxwood
