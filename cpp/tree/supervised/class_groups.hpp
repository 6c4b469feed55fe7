// The rows of a node by the bins of a column, where the sum of some rows is a number for each of many
// classes or values. A group is the rows of one bin, by ascending bins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bit_mask.hpp"
#include "base/counting_ranks.hpp"
#include "binning/supervised_data.hpp"
#include "tree/supervised/impurity/impurity_sum.hpp"

namespace boxwood {

template <ImpuritySum Sum>
class ClassGroups {
  public:
    using Row = Item<typename Sum::Target>;

    ClassGroups(std::size_t longest, const Sum& empty) : width_(empty.width()), counts_(longest, 0) {
        mask_.resize(longest);
    }

    void begin_node(std::span<const Row> rows, const Sum& node) {
        rows_ = rows;
        node_ = &node;
        leading_ = node.leading();
    }

    template <class Code>
    void fill(const CodeColumn& column, CodesView codes) {
        clear_records();
        bins_.clear();
        const bool few = rows_.size() <= few_rows && column.n_bins < most_of_few;
        // A record a bin takes all its rows at once; of many classes it is longer than the rows are many.
        by_records_ =
            (column.categorical || !few) && (width_ <= 4 || column.n_bins * width_ <= 4 * rows_.size());
        if (by_records_) {
            fill_records<Code>(column, codes);
        } else if (few) {
            rank_rows<Code>(codes);
        } else {
            sort_rows<Code>(column, codes);
        }
    }

    // The same by sums over rows that are elsewhere: a record a bin.
    void take_records(std::uint32_t n_bins, const double* records) {
        clear_records();
        bins_.clear();
        by_records_ = true;
        records_.resize(std::max(records_.size(), n_bins * width_), 0.0);
        std::copy_n(records, n_bins * width_, records_.data());
        for (std::uint32_t c = 0; c < n_bins; ++c) {
            const double* own = records + c * width_;
            if (std::any_of(own, own + width_, [](double x) { return x != 0.0; })) bins_.push_back(c);
        }
    }

    std::size_t size() const { return bins_.size(); }
    std::uint32_t bin(std::size_t g) const { return bins_[g]; }
    void move(std::size_t g, Sum& left, Sum& right) const {
        if (by_records_) {
            left.add_record(record(g));
            right.take_record(record(g));
            return;
        }
        for (std::uint32_t at = begin_[g]; at < begin_[g + 1]; ++at) {
            const Row& row = rows_[sorted_[at]];
            left.add(row.target, row.weight);
            right.take(row.target, row.weight);
        }
    }
    // What categories are ordered by: the fraction of the node's leading class, or the mean of its leading
    // value.
    double key(std::size_t g) const {
        if (by_records_) return node_->record_key(record(g), leading_);
        double weight = 0.0;
        double sum = 0.0;
        for (std::uint32_t at = begin_[g]; at < begin_[g + 1]; ++at) {
            const Row& row = rows_[sorted_[at]];
            weight += row.weight;
            sum += row.weight * node_->part(row.target, leading_);
        }
        return sum / weight;
    }

  private:
    static constexpr std::size_t few_rows = 16;
    static_assert(few_rows == ranked_at_once);
    static constexpr std::uint32_t most_of_few = 0x7fffffffu / few_rows;

    const double* record(std::size_t g) const { return records_.data() + bins_[g] * width_; }

    // They must be zero for the next column.
    void clear_records() {
        if (!by_records_) return;
        for (std::uint32_t c : bins_) std::fill_n(records_.data() + c * width_, width_, 0.0);
    }

    template <class Code>
    void fill_records(const CodeColumn& column, CodesView codes) {
        records_.resize(std::max(records_.size(), column.n_bins * width_), 0.0);
        double* records = records_.data();
        BitMask::with_levels(column.n_bins, [&]<bool upper>(std::bool_constant<upper>) {
            for (const Row& row : rows_) {
                const std::uint32_t c = read_code<Code>(codes.at + row.row * codes.stride);
                node_->add_to_record(records + c * width_, row.target, row.weight);
                mask_.set<upper>(c);
            }
            mask_.take<upper>(column.n_bins, bins_);
        });
    }

    // The same as `sort_rows`. Most nodes are small, and there this is twice as fast as records.
    template <class Code>
    void rank_rows(CodesView codes) {
        const std::size_t n = rows_.size();
        // The code and the position, which parts equal codes.
        std::int32_t keys[few_rows] = {};
        std::int32_t sorted[few_rows];
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t code = read_code<Code>(codes.at + rows_[i].row * codes.stride);
            keys[i] = static_cast<std::int32_t>(code * few_rows + i);
        }
        sort_few(keys, n, sorted);
        sorted_.resize(n);
        codes_.resize(n);
        for (std::size_t at = 0; at < n; ++at) {
            sorted_[at] = static_cast<std::uint32_t>(sorted[at]) % few_rows;
            codes_[at] = static_cast<std::uint32_t>(sorted[at]) / few_rows;
        }
        begin_.clear();
        for (std::uint32_t i = 0; i < n; ++i) {
            if (i > 0 && codes_[i] == codes_[i - 1]) continue;
            bins_.push_back(codes_[i]);
            begin_.push_back(i);
        }
        begin_.push_back(static_cast<std::uint32_t>(n));
    }

    // Positions of the rows in the order of their bins, by counting; `begin_` has where each bin's begin.
    template <class Code>
    void sort_rows(const CodeColumn& column, CodesView codes) {
        codes_.resize(rows_.size());
        BitMask::with_levels(column.n_bins, [&]<bool upper>(std::bool_constant<upper>) {
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                const std::uint32_t c = read_code<Code>(codes.at + rows_[i].row * codes.stride);
                codes_[i] = c;
                ++counts_[c];
                mask_.set<upper>(c);
            }
            mask_.take<upper>(column.n_bins, bins_);
        });
        begin_.resize(bins_.size() + 1);
        begin_[0] = 0;
        for (std::size_t g = 0; g < bins_.size(); ++g) {
            begin_[g + 1] = begin_[g] + counts_[bins_[g]];
            counts_[bins_[g]] = begin_[g];
        }
        sorted_.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            sorted_[counts_[codes_[i]]++] = static_cast<std::uint32_t>(i);
        }
        for (std::uint32_t c : bins_) counts_[c] = 0;
    }

    std::span<const Row> rows_;
    std::size_t width_;
    const Sum* node_ = nullptr;
    std::size_t leading_ = 0;
    bool by_records_ = false;
    BitMask mask_;
    std::vector<std::uint32_t> bins_;  // those with rows, ascending
    std::vector<double> records_;      // of all bins, zero but for those of `bins_`
    std::vector<std::uint32_t> codes_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint32_t> begin_;
    std::vector<std::uint32_t> sorted_;
};

}  // namespace boxwood
