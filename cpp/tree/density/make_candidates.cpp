#include "tree/density/make_candidates.hpp"

#include <algorithm>
#include <numeric>

namespace boxwood {

namespace {

// Bin c holds the bins from ⌈c·width/n_bins⌉ on. A table of the box's bins would cost more than the rows of
// a small node, so that a row's bin is found by one multiplication.
void groups_of_even_thresholds(const ColumnRange& range, std::size_t n_groups, const NodeColumn& column,
                               CandidateSplits& candidates) {
    const std::uint32_t width = range.high - range.low;
    const auto n = static_cast<std::uint32_t>(n_groups);
    // Exact for width up to 2¹⁶: the error of the factor, below 2⁻³² a bin, cannot reach the next multiple
    // of 1/width.
    const std::uint64_t factor = ((std::uint64_t{n} << 32) + width - 1) / width;
    for (std::size_t i = 0; i < column.n_rows; ++i) {
        candidates.group[i] = static_cast<std::uint32_t>(((column[i] - range.low) * factor) >> 32);
    }
    const std::uint32_t step = width / n;
    const std::uint32_t rest = width % n;
    std::uint32_t bin = range.low;
    std::uint32_t carry = 0;  // c·width = (bin − low)·n + carry, carry in [0, n)
    for (std::uint32_t c = 1; c < n; ++c) {
        bin += step;
        carry += rest;
        if (carry >= n) {
            carry -= n;
            ++bin;
        }
        candidates.threshold_bin[c] = bin + (carry > 0 ? 1 : 0);
    }
}

void groups_of_random_thresholds(const ColumnRange& range, std::size_t n_thresholds, const NodeColumn& column,
                                 Draws& draws, CandidateSplits& candidates) {
    std::vector<std::uint32_t> chosen;
    chosen.reserve(n_thresholds);
    for (std::size_t k = 0; k < n_thresholds; ++k) {
        chosen.push_back(range.low + 1 + static_cast<std::uint32_t>(draws.below(range.high - range.low - 1)));
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    candidates.n_groups = chosen.size() + 1;
    candidates.threshold_bin.resize(candidates.n_groups);
    std::copy(chosen.begin(), chosen.end(), candidates.threshold_bin.begin() + 1);
    for (std::size_t i = 0; i < column.n_rows; ++i) {
        const auto above = std::upper_bound(chosen.begin(), chosen.end(), column[i]);
        candidates.group[i] = static_cast<std::uint32_t>(above - chosen.begin());
    }
}

}  // namespace

void candidates_of_bins(const BinnedRows& data, const GrowBox& box, const GrowOptions& options, std::size_t j,
                        const NodeColumn& column, Draws& draws, CandidateSplits& candidates) {
    const ColumnRange& range = box.ranges[j];
    candidates.feature = j;
    candidates.group.resize(column.n_rows);
    candidates.has_gaps = options.random_splits == 0;
    if (options.random_splits > 0) {
        groups_of_random_thresholds(range, options.random_splits, column, draws, candidates);
    } else {
        candidates.n_groups = std::clamp<std::size_t>(options.max_candidates, 1, range.high - range.low);
        candidates.threshold_bin.resize(candidates.n_groups);
        groups_of_even_thresholds(range, candidates.n_groups, column, candidates);
    }
    const std::vector<double>& u = (*data.columns)[j].u;
    const double low = u[range.low];
    candidates.fraction.resize(candidates.n_groups);
    const double scale = 1.0 / (u[range.high] - low);
    for (std::size_t c = 1; c < candidates.n_groups; ++c)
        candidates.fraction[c] = (u[candidates.threshold_bin[c]] - low) * scale;
}

void candidates_of_points(const BinnedRows& data, const GrowBox& box, const GrowOptions& options,
                          std::size_t j, std::span<const std::uint32_t> rows, CandidateSplits& candidates) {
    const ColumnRange& range = box.ranges[j];
    std::vector<std::pair<double, std::uint32_t>> order(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        order[i] = {data.place(rows[i], j), static_cast<std::uint32_t>(i)};
    std::sort(order.begin(), order.end());
    candidates.feature = j;
    candidates.has_gaps = false;
    candidates.group.resize(rows.size());
    candidates.threshold_point.assign(1, 0.0);
    candidates.fraction.assign(1, 0.0);
    const double scale = 1.0 / (range.high_point - range.low_point);
    double previous = range.low_point;
    const auto split_between = [&](double a, double b) {
        const double point = 0.5 * (a + b);
        // Between neighbouring doubles the middle is one of them. The upper end of the box would be no cut.
        if (!(a < point && point <= b && point < range.high_point)) return;
        const double fraction = (point - range.low_point) * scale;
        if (fraction <= 0.0 || fraction >= 1.0) return;
        candidates.threshold_point.push_back(point);
        candidates.fraction.push_back(fraction);
    };
    const OpenMargins open(range, options.min_samples_leaf, order.empty() ? 0.0 : order.front().first,
                           order.empty() ? 0.0 : order.back().first);
    bool may_cut = open.low;
    for (const auto& [point, i] : order) {
        if (point > previous && may_cut) split_between(previous, point);
        may_cut = true;
        previous = point;
        candidates.group[i] = static_cast<std::uint32_t>(candidates.threshold_point.size() - 1);
    }
    if (open.high) split_between(previous, range.high_point);
    candidates.n_groups = candidates.threshold_point.size();
}

void candidates_of_categories(const BinnedRows& data, const GrowBox& box, std::size_t j,
                              const NodeColumn& column, CandidateSplits& candidates,
                              std::vector<double>& widths) {
    const std::vector<std::uint32_t>& members = box.ranges[j].members;
    const std::vector<double>& u = (*data.columns)[j].u;
    std::vector<std::uint32_t> position(u.size(), 0);
    widths.resize(members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
        position[members[k]] = static_cast<std::uint32_t>(k);
        widths[k] = u[members[k] + 1] - u[members[k]];
    }
    candidates.feature = j;
    candidates.has_gaps = false;
    candidates.n_groups = members.size();
    candidates.group.resize(column.n_rows);
    for (std::size_t i = 0; i < column.n_rows; ++i) candidates.group[i] = position[column[i]];
    candidates.bin_order.assign(members.begin(), members.end());
}

void order_categories(std::span<const double> keys, std::span<const double> widths,
                      CandidateSplits& candidates) {
    std::vector<std::uint32_t> order(candidates.n_groups);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    std::vector<std::uint32_t> rank(candidates.n_groups);
    std::vector<std::uint32_t> bins(candidates.n_groups);
    candidates.fraction.assign(candidates.n_groups, 0.0);
    const double total = std::accumulate(widths.begin(), widths.end(), 0.0);
    double left = 0.0;
    for (std::size_t k = 0; k < candidates.n_groups; ++k) {
        rank[order[k]] = static_cast<std::uint32_t>(k);
        bins[k] = candidates.bin_order[order[k]];
        candidates.fraction[k] = left / total;
        left += widths[order[k]];
    }
    for (std::uint32_t& group : candidates.group) group = rank[group];
    candidates.bin_order = std::move(bins);
}

}  // namespace boxwood
