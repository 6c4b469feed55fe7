// What growth reads of its rows, kept in the order of the tree's nodes: a node reads its part forwards.
//
// Read through row numbers, the rows of a deep node lie scattered over the whole table, and each costs a miss
// of the cache: measured on 10⁶ × 10, that was half of the time of growing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "binning/binned_rows.hpp"
#include "tree/density/split.hpp"

namespace boxwood {

class RowPartition {
  public:
    // A column's points in ascending order, and the rows that they are of: for exact splits.
    struct Sorted {
        std::vector<double> point;
        std::vector<std::uint32_t> row;
    };

    // `sorts`: keep the exactly split columns sorted too.
    void start(const BinnedRows& data, std::span<const std::uint32_t> rows, bool sorts);

    // Bins of the row at a place of the tree's order, one a column.
    const std::uint16_t* bins(std::size_t place) const { return bins_.data() + place * stride_; }
    std::size_t stride() const { return stride_; }
    // Weights of the rows from a place on; null where all are 1.
    const double* weights(std::size_t place) const {
        return weights_.empty() ? nullptr : weights_.data() + place;
    }
    const Sorted& sorted(std::size_t j) const { return sorted_[j]; }

    // Puts the rows of a node, `rows[begin … end)`, that go left before those that go right, both in the
    // order that they have; returns where the latter begin.
    std::size_t partition(const BinnedRows& data, const Split& split, std::size_t begin, std::size_t end,
                          std::vector<std::uint32_t>& rows);

    // The bins in their final order, for the fit of leaves.
    std::vector<std::uint16_t> take_bins() { return std::move(bins_); }

  private:
    template <class GoesLeft>
    std::size_t part_rows(std::size_t begin, std::size_t end, std::vector<std::uint32_t>& rows,
                          GoesLeft goes_left);
    void hold(std::size_t n);
    void put_aside(std::size_t from, std::size_t to, const std::vector<std::uint32_t>& rows);
    void move_row(std::size_t from, std::size_t to, std::vector<std::uint32_t>& rows);
    void bring_back(std::size_t place, std::size_t n, std::vector<std::uint32_t>& rows);
    void mark_sides(const BinnedRows& data, const Split& split, std::size_t begin, std::size_t end,
                    const std::vector<std::uint32_t>& rows);
    void part_sorted(Sorted& column, std::size_t begin, std::size_t end);

    std::size_t stride_ = 0;  // a multiple of four: rows are moved in words of 64 bits
    std::vector<std::uint16_t> bins_;
    std::vector<double> weights_;
    std::vector<Sorted> sorted_;
    std::vector<char> goes_left_;  // of each row of the table, while sorted columns are parted
    // Of a node that is parted: which of its rows go left, and those of its smaller side, which wait.
    std::vector<char> sides_;
    std::vector<std::uint32_t> held_rows_;
    std::vector<std::uint16_t> held_bins_;
    std::vector<double> held_weights_;
    std::vector<std::uint32_t> spare_rows_;
    std::vector<double> spare_points_;
};

}  // namespace boxwood
