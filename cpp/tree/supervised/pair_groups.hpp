// The rows of a node by the bins of a column, where the sum of some rows is two numbers: weights of two
// classes, or weight and value. A group is the rows of one bin; groups lie side by side, by ascending bins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/bit_mask.hpp"
#include "base/counting_ranks.hpp"
#include "binning/supervised_data.hpp"
#include "tree/supervised/impurity/impurity_sum.hpp"

namespace boxwood {

template <ImpuritySum Sum>
class PairGroups {
  public:
    using Row = Item<typename Sum::Target>;

    PairGroups(std::size_t longest, const Sum&)
        : bins_(longest + 1), sums_(2 * (longest + 1)), records_(2 * longest, 0.0) {
        mask_.resize(longest);
    }

    void begin_node(std::span<const Row> rows, const Sum& node) {
        rows_ = rows;
        node_ = &node;
        if (rows.size() > most_ranked) return;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            pairs_[2 * i] = pairs_[2 * i + 1] = 0.0;
            node.add_to_record(pairs_ + 2 * i, rows[i].target, rows[i].weight);
        }
    }

    template <class Code>
    void fill(const CodeColumn& column, CodesView codes) {
        if (rows_.size() <= most_ranked && column.n_bins < most_bins_ranked) {
            rank_rows<Code>(codes);
        } else if (2 * rows_.size() > column.n_bins) {
            fill_bins<Code>(column, codes);
        } else {
            fill_marked_bins<Code>(column, codes);
        }
    }

    // The same by sums over rows that are elsewhere: two numbers a bin.
    void take_records(std::uint32_t n_bins, const double* records) {
        std::copy_n(records, 2 * n_bins, records_.data());
        keep_filled(n_bins);
    }

    std::size_t size() const { return n_groups_; }
    std::uint32_t bin(std::size_t g) const { return bins_[g]; }
    void move(std::size_t g, Sum& left, Sum& right) const {
        left.add_record(sums_.data() + 2 * g);
        right.take_record(sums_.data() + 2 * g);
    }
    // What categories are ordered by.
    double key(std::size_t g) const { return Sum::record_key(sums_.data() + 2 * g); }

  private:
    static constexpr std::uint32_t most_bins_ranked = 0x7fffffffu / most_ranked;

    // Most nodes have few rows.
    template <class Code>
    void rank_rows(CodesView codes) {
        const std::size_t n = rows_.size();
        std::int32_t sorted[most_ranked];
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t code = read_code<Code>(codes.at + rows_[i].row * codes.stride);
            // The position parts equal codes.
            keys_[i] = static_cast<std::int32_t>(code * most_ranked + i);
        }
        sort_few(keys_, n, sorted);
        std::uint32_t* bins = bins_.data();
        double* sums = sums_.data();
        std::size_t g = 0;
        for (std::size_t at = 0; at < n; ++at) {
            const auto key = static_cast<std::uint32_t>(sorted[at]);
            const std::uint32_t bin = key / most_ranked;
            const double* pair = pairs_ + 2 * (key % most_ranked);
            if (at > 0 && bin == bins[g - 1]) {
                sums[2 * g - 2] += pair[0];
                sums[2 * g - 1] += pair[1];
                continue;
            }
            bins[g] = bin;
            sums[2 * g] = pair[0];
            sums[2 * g + 1] = pair[1];
            ++g;
        }
        n_groups_ = g;
    }

    // Many rows fill most bins: then looking at all of them is cheaper than marking each.
    template <class Code>
    void fill_bins(const CodeColumn& column, CodesView codes) {
        double* records = records_.data();
        for (const Row& row : rows_) {
            const std::uint32_t c = read_code<Code>(codes.at + row.row * codes.stride);
            node_->add_to_record(records + c * 2, row.target, row.weight);
        }
        keep_filled(column.n_bins);
    }

    // Records with rows become groups; all are zero afterwards.
    void keep_filled(std::uint32_t n_bins) {
        double* records = records_.data();
        std::uint32_t* bins = bins_.data();
        double* sums = sums_.data();
        std::size_t g = 0;
        for (std::uint32_t c = 0; c < n_bins; ++c) {
            const double sum[2] = {records[2 * c], records[2 * c + 1]};
            records[2 * c] = records[2 * c + 1] = 0.0;
            // Written in any case: whether a bin has rows is hard to predict. Weights are positive.
            bins[g] = c;
            sums[2 * g] = sum[0];
            sums[2 * g + 1] = sum[1];
            g += ((sum[0] > 0.0) | (sum[1] != 0.0)) ? 1 : 0;
        }
        n_groups_ = g;
    }

    template <class Code>
    void fill_marked_bins(const CodeColumn& column, CodesView codes) {
        double* records = records_.data();
        marked_.clear();
        BitMask::with_levels(column.n_bins, [&]<bool upper>(std::bool_constant<upper>) {
            for (const Row& row : rows_) {
                const std::uint32_t c = read_code<Code>(codes.at + row.row * codes.stride);
                node_->add_to_record(records + c * 2, row.target, row.weight);
                mask_.set<upper>(c);
            }
            mask_.take<upper>(column.n_bins, marked_);
        });
        n_groups_ = marked_.size();
        for (std::size_t g = 0; g < n_groups_; ++g) {
            bins_[g] = marked_[g];
            double* record = records + 2 * marked_[g];
            for (std::size_t k : {0, 1}) sums_[2 * g + k] = std::exchange(record[k], 0.0);
        }
    }

    std::span<const Row> rows_;
    const Sum* node_ = nullptr;
    double pairs_[2 * most_ranked] = {};  // of the rows of a small node
    std::int32_t keys_[most_ranked] = {};
    std::size_t n_groups_ = 0;
    std::vector<std::uint32_t> bins_;  // one more than can be, so that a group may be written and dropped
    std::vector<double> sums_;
    std::vector<double> records_;  // of all bins, zero between columns
    BitMask mask_;
    std::vector<std::uint32_t> marked_;
};

}  // namespace boxwood
