// Walks over the candidate splits of a column and reports the gain of each, for criteria whose statistics add
// up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/density/candidate_splits.hpp"
#include "tree/density/node_context.hpp"
#include "tree/density/split_finders/density_criteria.hpp"
#include "tree/density/split_finders/gap_thresholds.hpp"

namespace boxwood {

template <DensityCriterion Criterion>
class AdditiveSplitFinder {
  public:
    using Stats = typename Criterion::Stats;

    // `everywhere`: not the best split alone is wanted, but the best of those that a box's shape allows.
    AdditiveSplitFinder(Criterion criterion, bool everywhere)
        : criterion_(std::move(criterion)), skips_(Criterion::convex && !everywhere) {}

    static constexpr bool per_node = Criterion::per_node;
    static constexpr bool sees_volume = true;

    void begin_node(const NodeContext& node) {
        rows_ = node.rows;
        volume_ = node.box.volume;
        node_ = Stats{};
        for (std::uint32_t row : rows_) node_ += criterion_.of_row(row);
    }

    double node_weight() const { return node_.n; }

    // Keys by which the bins of a categorical column are ordered: their density. `group` holds bin numbers.
    std::vector<double> bin_keys(const CandidateSplits& bins, std::span<const double> widths) {
        fill(bins);
        std::vector<double> keys(bins.n_groups);
        for (std::size_t k = 0; k < bins.n_groups; ++k) keys[k] = table_[k].n / widths[k];
        return keys;
    }

    // Calls report(c, weight on the left, gain) for each candidate, better than the best or not.
    template <class Report>
    void scan(const CandidateSplits& candidates, double /*best*/, Report&& report) {
        fill(candidates);
        const auto consider = [&](std::size_t c, const Stats& left) {
            report(c, left.n, criterion_.gain(node_, left, candidates.fraction[c], volume_));
        };
        candidates.has_gaps ? scan_gaps(candidates, consider) : scan_groups(candidates, consider);
    }

  protected:
    template <class Consider>
    void scan_groups(const CandidateSplits& candidates, const Consider& consider) {
        Stats left{};
        for (std::size_t c = 1; c < candidates.n_groups; ++c) {
            left += table_[c - 1];
            consider(c, left);
        }
    }

    template <class Consider>
    void scan_gaps(const CandidateSplits& candidates, const Consider& consider) {
        Stats left{};
        const auto n_groups = static_cast<std::uint32_t>(candidates.n_groups);
        std::uint32_t begin = 0;  // of the gap: behind the last bin that has rows
        for (std::uint32_t c = 0; c <= n_groups; ++c) {
            if (c < n_groups && table_[c].n == 0.0) continue;
            const Gap gap{begin, c, 0, n_groups, left.n, node_.n - left.n};
            const auto even = [&](std::uint32_t k) {
                return k == n_groups ? node_.n : node_.n * candidates.fraction[k];
            };
            const GapThresholds found = gap.candidates(even(begin), even(c));
            const std::uint32_t step =
                skips_ && !found.empty() ? std::max(found.end - found.begin - 1, 1u) : 1;
            for (std::uint32_t k = found.begin; k < found.end; k += step) consider(k, left);
            if (c < n_groups) left += table_[c];
            begin = c + 1;
        }
    }

    void fill(const CandidateSplits& candidates) {
        table_.assign(candidates.n_groups, Stats{});
        for (std::size_t i = 0; i < rows_.size(); ++i)
            table_[candidates.group[i]] += criterion_.of_row(rows_[i]);
    }

    Criterion criterion_;
    bool skips_;
    std::span<const std::uint32_t> rows_;
    double volume_ = 1.0;
    Stats node_{};
    std::vector<Stats> table_;
};

}  // namespace boxwood
