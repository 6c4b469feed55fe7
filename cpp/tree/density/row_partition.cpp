#include "tree/density/row_partition.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/sort_points.hpp"

namespace boxwood {

namespace {

constexpr std::size_t word_bins = sizeof(std::uint64_t) / sizeof(std::uint16_t);

// Rows have few words: a call of memcpy costs more than they do.
inline void copy_words(const std::uint16_t* from, std::uint16_t* to, std::size_t n_bins) {
    for (std::size_t k = 0; k < n_bins; k += word_bins) {
        std::uint64_t word;
        std::memcpy(&word, from + k, sizeof word);
        std::memcpy(to + k, &word, sizeof word);
    }
}

}  // namespace

void RowPartition::start(const BinnedRows& data, std::span<const std::uint32_t> rows, bool sorts) {
    const std::size_t d = data.n_columns();
    stride_ = (d + word_bins - 1) / word_bins * word_bins;
    bins_.assign(rows.size() * stride_, 0);
    bool all_one = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint16_t* from = data.bins + rows[i] * d;
        std::copy(from, from + d, bins_.begin() + static_cast<std::ptrdiff_t>(i * stride_));
        all_one = all_one && data.weight(rows[i]) == 1.0;
    }
    if (!all_one) {
        for (std::uint32_t row : rows) weights_.push_back(data.weight(row));
    }
    if (!sorts) return;
    spare_rows_.resize(rows.size());
    spare_points_.resize(rows.size());
    goes_left_.resize(data.n_rows);
    sorted_.resize(d);
    for (std::size_t j = 0; j < d; ++j) {
        if (!data.exact(j)) continue;
        sorted_[j].row.assign(rows.begin(), rows.end());
        sorted_[j].point.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) sorted_[j].point[i] = data.place(rows[i], j);
        sort_points(sorted_[j].point, sorted_[j].row);
    }
}

std::size_t RowPartition::partition(const BinnedRows& data, const Split& split, std::size_t begin,
                                    std::size_t end, std::vector<std::uint32_t>& rows) {
    const std::size_t j = split.feature;
    if (!sorted_.empty()) {
        mark_sides(data, split, begin, end, rows);
        for (Sorted& column : sorted_) {
            if (!column.row.empty()) part_sorted(column, begin, end);
        }
        return part_rows(begin, end, rows, [&](std::size_t i) { return goes_left_[rows[i]] != 0; });
    }
    if (data.exact(j) || (*data.columns)[j].categorical) {
        return part_rows(begin, end, rows, [&](std::size_t i) { return split.goes_left(data, rows[i]); });
    }
    return part_rows(begin, end, rows,
                     [&, threshold = split.threshold_bin](std::size_t i) { return bins(i)[j] < threshold; });
}

// Rows keep their order, so that a node's are those of the table in the table's order: which of them choose
// its split, and in which order they are added up, does not depend on how the tree came there. The rows of
// the smaller side wait aside while the others move up, forwards or backwards; those at the end that stay
// where they are, which in thin splits are many, are not touched.
template <class GoesLeft>
std::size_t RowPartition::part_rows(std::size_t begin, std::size_t end, std::vector<std::uint32_t>& rows,
                                    GoesLeft goes_left) {
    while (begin < end && goes_left(begin)) ++begin;
    while (begin < end && !goes_left(end - 1)) --end;
    sides_.resize(std::max(sides_.size(), end - begin));
    std::size_t n_left = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const bool is_left = goes_left(i);
        sides_[i - begin] = is_left ? 1 : 0;
        n_left += is_left ? 1 : 0;
    }
    const std::size_t middle = begin + n_left;
    if (n_left <= end - middle) {
        std::size_t aside = n_left;
        std::size_t to = end;
        hold(aside);
        for (std::size_t i = end; i-- > begin;)
            sides_[i - begin] != 0 ? put_aside(i, --aside, rows) : move_row(i, --to, rows);
        bring_back(begin, n_left, rows);
    } else {
        std::size_t aside = 0;
        std::size_t to = begin;
        hold(end - middle);
        for (std::size_t i = begin; i < end; ++i)
            sides_[i - begin] == 0 ? put_aside(i, aside++, rows) : move_row(i, to++, rows);
        bring_back(middle, end - middle, rows);
    }
    return middle;
}

void RowPartition::hold(std::size_t n) {
    if (held_rows_.size() >= n) return;
    held_rows_.resize(n);
    held_bins_.resize(n * stride_);
    if (!weights_.empty()) held_weights_.resize(n);
}

void RowPartition::put_aside(std::size_t from, std::size_t to, const std::vector<std::uint32_t>& rows) {
    held_rows_[to] = rows[from];
    copy_words(bins_.data() + from * stride_, held_bins_.data() + to * stride_, stride_);
    if (!weights_.empty()) held_weights_[to] = weights_[from];
}

void RowPartition::move_row(std::size_t from, std::size_t to, std::vector<std::uint32_t>& rows) {
    rows[to] = rows[from];
    copy_words(bins_.data() + from * stride_, bins_.data() + to * stride_, stride_);
    if (!weights_.empty()) weights_[to] = weights_[from];
}

void RowPartition::bring_back(std::size_t place, std::size_t n, std::vector<std::uint32_t>& rows) {
    const auto at = static_cast<std::ptrdiff_t>(place);
    const auto bin = static_cast<std::ptrdiff_t>(place * stride_);
    std::copy_n(held_rows_.begin(), n, rows.begin() + at);
    std::copy_n(held_bins_.begin(), n * stride_, bins_.begin() + bin);
    if (!weights_.empty()) std::copy_n(held_weights_.begin(), n, weights_.begin() + at);
}

void RowPartition::mark_sides(const BinnedRows& data, const Split& split, std::size_t begin, std::size_t end,
                              const std::vector<std::uint32_t>& rows) {
    if (!data.exact(split.feature)) {
        for (std::size_t i = begin; i < end; ++i)
            goes_left_[rows[i]] = split.goes_left(data, rows[i]) ? 1 : 0;
        return;
    }
    const Sorted& column = sorted_[split.feature];
    for (std::size_t i = begin; i < end; ++i)
        goes_left_[column.row[i]] = column.point[i] < split.threshold_point ? 1 : 0;
}

void RowPartition::part_sorted(Sorted& column, std::size_t begin, std::size_t end) {
    std::size_t left = begin;
    std::size_t right = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t row = column.row[i];
        const double point = column.point[i];
        const bool is_left = goes_left_[row] != 0;
        spare_rows_[right] = column.row[left] = row;
        spare_points_[right] = column.point[left] = point;
        left += is_left ? 1 : 0;
        right += is_left ? 0 : 1;
    }
    std::copy_n(spare_rows_.begin(), right, column.row.begin() + static_cast<std::ptrdiff_t>(left));
    std::copy_n(spare_points_.begin(), right, column.point.begin() + static_cast<std::ptrdiff_t>(left));
}

}  // namespace boxwood
