// Walks over the cuts of a column and tells the gain of each, for criteria whose statistics add up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boxwood/cuts.hpp"

namespace boxwood {

template <class Criterion>
class CutScanner {
  public:
    using Stats = typename Criterion::Stats;

    // `everywhere`: not the best cut alone is wanted, but the best of those that a box's shape allows.
    CutScanner(Criterion criterion, bool everywhere)
        : criterion_(std::move(criterion)), skips_(Criterion::convex && !everywhere) {}

    static constexpr bool per_node = Criterion::per_node;

    void begin_node(std::span<const std::uint32_t> rows, double volume) {
        rows_ = rows;
        volume_ = volume;
        node_ = Stats{};
        for (std::uint32_t row : rows) node_ += criterion_.of_row(row);
    }

    double node_weight() const { return node_.n; }

    // Keys by which the cells of a categorical column are ordered: their density. `bin` holds cell numbers.
    std::vector<double> cell_keys(const Cuts& cells, std::span<const double> widths) {
        fill(cells);
        std::vector<double> keys(cells.n_bins);
        for (std::size_t k = 0; k < cells.n_bins; ++k) keys[k] = table_[k].n / widths[k];
        return keys;
    }

    // Calls report(c, weight on the left, gain) for each boundary between non-empty ends of the row.
    template <class Report>
    void scan(const Cuts& cuts, Report&& report) {
        fill(cuts);
        Stats left{};
        for (std::size_t c = 1; c < cuts.n_bins; ++c) {
            if (table_[c - 1].n != 0.0) {
                left += table_[c - 1];
            } else if (skips_ && table_[c].n == 0.0 && c > 1 && c + 1 < cuts.n_bins) {
                continue;  // inside an empty stretch
            }
            report(c, left.n, criterion_.gain(node_, left, cuts.share[c], volume_));
        }
    }

  protected:
    void fill(const Cuts& cuts) {
        table_.assign(cuts.n_bins, Stats{});
        for (std::size_t i = 0; i < rows_.size(); ++i) table_[cuts.bin[i]] += criterion_.of_row(rows_[i]);
    }

    Criterion criterion_;
    bool skips_;
    std::span<const std::uint32_t> rows_;
    double volume_ = 1.0;
    Stats node_{};
    std::vector<Stats> table_;
};

}  // namespace boxwood
