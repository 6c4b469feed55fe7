#include "tree/density/make_candidates.hpp"

#include <algorithm>
#include <numeric>

namespace boxwood {

namespace {

// Bin c holds the cells from ⌈c·width/n_bins⌉ on. A table of the box's cells would cost more than the rows of
// a small node, so that a row's bin is found by one multiplication.
void bins_of_even_cuts(const ColumnRange& range, std::size_t n_bins, const NodeColumn& column, Cuts& cuts) {
    const std::uint32_t width = range.high - range.low;
    const auto n = static_cast<std::uint32_t>(n_bins);
    // Exact for width up to 2¹⁶: the error of the factor, below 2⁻³² a cell, cannot reach the next multiple
    // of 1/width.
    const std::uint64_t factor = ((std::uint64_t{n} << 32) + width - 1) / width;
    for (std::size_t i = 0; i < column.n_rows; ++i) {
        cuts.bin[i] = static_cast<std::uint32_t>(((column[i] - range.low) * factor) >> 32);
    }
    const std::uint32_t step = width / n;
    const std::uint32_t rest = width % n;
    std::uint32_t cut = range.low;
    std::uint32_t carry = 0;  // c·width = (cut − low)·n + carry, carry in [0, n)
    for (std::uint32_t c = 1; c < n; ++c) {
        cut += step;
        carry += rest;
        if (carry >= n) {
            carry -= n;
            ++cut;
        }
        cuts.cut_cell[c] = cut + (carry > 0 ? 1 : 0);
    }
}

void bins_of_random_cuts(const ColumnRange& range, std::size_t n_cuts, const NodeColumn& column, Draws& draws,
                         Cuts& cuts) {
    std::vector<std::uint32_t> chosen;
    for (std::size_t k = 0; k < n_cuts; ++k) {
        chosen.push_back(range.low + 1 + static_cast<std::uint32_t>(draws.below(range.high - range.low - 1)));
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    cuts.n_bins = chosen.size() + 1;
    cuts.cut_cell.resize(cuts.n_bins);
    std::copy(chosen.begin(), chosen.end(), cuts.cut_cell.begin() + 1);
    for (std::size_t i = 0; i < column.n_rows; ++i) {
        const auto above = std::upper_bound(chosen.begin(), chosen.end(), column[i]);
        cuts.bin[i] = static_cast<std::uint32_t>(above - chosen.begin());
    }
}

}  // namespace

void cut_cells(const GrowData& data, const GrowBox& box, const GrowOptions& options, std::size_t j,
               const NodeColumn& column, Draws& draws, Cuts& cuts) {
    const ColumnRange& range = box.ranges[j];
    cuts.feature = j;
    cuts.bin.resize(column.n_rows);
    cuts.has_gaps = options.random_splits == 0;
    if (options.random_splits > 0) {
        bins_of_random_cuts(range, options.random_splits, column, draws, cuts);
    } else {
        cuts.n_bins = std::clamp<std::size_t>(options.max_candidates, 1, range.high - range.low);
        cuts.cut_cell.resize(cuts.n_bins);
        bins_of_even_cuts(range, cuts.n_bins, column, cuts);
    }
    const std::vector<double>& u = (*data.columns)[j].u;
    const double low = u[range.low];
    cuts.share.resize(cuts.n_bins);
    const double scale = 1.0 / (u[range.high] - low);
    for (std::size_t c = 1; c < cuts.n_bins; ++c) cuts.share[c] = (u[cuts.cut_cell[c]] - low) * scale;
}

void cut_points(const GrowData& data, const GrowBox& box, std::size_t j, std::span<const std::uint32_t> rows,
                Cuts& cuts) {
    const ColumnRange& range = box.ranges[j];
    std::vector<std::pair<double, std::uint32_t>> order(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        order[i] = {data.place(rows[i], j), static_cast<std::uint32_t>(i)};
    std::sort(order.begin(), order.end());
    cuts.feature = j;
    cuts.has_gaps = false;
    cuts.bin.resize(rows.size());
    cuts.cut_point.assign(1, 0.0);
    cuts.share.assign(1, 0.0);
    double previous = range.low_point;
    const auto cut_between = [&](double a, double b) {
        const double point = 0.5 * (a + b);
        if (!(a < point && point <= b)) return;
        const double share = (point - range.low_point) / (range.high_point - range.low_point);
        if (share <= 0.0 || share >= 1.0) return;
        cuts.cut_point.push_back(point);
        cuts.share.push_back(share);
    };
    for (const auto& [point, i] : order) {
        if (point > previous) cut_between(previous, point);
        previous = point;
        cuts.bin[i] = static_cast<std::uint32_t>(cuts.cut_point.size() - 1);
    }
    cut_between(previous, range.high_point);
    cuts.n_bins = cuts.cut_point.size();
}

void cut_categories(const GrowData& data, const GrowBox& box, std::size_t j, const NodeColumn& column,
                    Cuts& cuts, std::vector<double>& widths) {
    const std::vector<std::uint32_t>& members = box.ranges[j].members;
    const std::vector<double>& u = (*data.columns)[j].u;
    std::vector<std::uint32_t> position(u.size(), 0);
    widths.resize(members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
        position[members[k]] = static_cast<std::uint32_t>(k);
        widths[k] = u[members[k] + 1] - u[members[k]];
    }
    cuts.feature = j;
    cuts.has_gaps = false;
    cuts.n_bins = members.size();
    cuts.bin.resize(column.n_rows);
    for (std::size_t i = 0; i < column.n_rows; ++i) cuts.bin[i] = position[column[i]];
    cuts.cell_order.assign(members.begin(), members.end());
}

void order_categories(std::span<const double> keys, std::span<const double> widths, Cuts& cuts) {
    std::vector<std::uint32_t> order(cuts.n_bins);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    std::vector<std::uint32_t> rank(cuts.n_bins);
    std::vector<std::uint32_t> cells(cuts.n_bins);
    cuts.share.assign(cuts.n_bins, 0.0);
    const double total = std::accumulate(widths.begin(), widths.end(), 0.0);
    double left = 0.0;
    for (std::size_t k = 0; k < cuts.n_bins; ++k) {
        rank[order[k]] = static_cast<std::uint32_t>(k);
        cells[k] = cuts.cell_order[order[k]];
        cuts.share[k] = left / total;
        left += widths[order[k]];
    }
    for (std::uint32_t& bin : cuts.bin) bin = rank[bin];
    cuts.cell_order = std::move(cells);
}

}  // namespace boxwood
