// Walks over the cuts of a column for decision and regression trees: between the cells that a node's rows are
// in, or between the categories in the order of what they tell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boxwood/cell_mask.hpp"
#include "boxwood/random.hpp"
#include "boxwood/target_data.hpp"

namespace boxwood {

template <class Sum>
class CellScanner {
  public:
    using Row = Item<typename Sum::Target>;

    CellScanner(const TargetData& data, const Sum& empty) : data_(data), left_(empty), right_(empty) {
        std::size_t longest = 0;
        for (const CodeColumn& column : data.columns)
            longest = std::max<std::size_t>(longest, column.n_cells);
        mask_.resize(longest);
        counts_.resize(longest, 0);
    }

    // Sums up the rows of a node by the cells of a column; false where all are in one.
    bool count(std::span<const Row> rows, const Sum& node, const CodeColumn& column) {
        rows_ = rows;
        node_ = &node;
        cells_.clear();
        const bool few = rows.size() <= few_rows && column.n_cells < most_of_few;
        // A record a cell takes all its rows at once; of many classes it is longer than the rows are many.
        by_records_ = column.categorical || !few;
        if (node.width() > 4 && column.n_cells * node.width() > 4 * rows.size()) by_records_ = false;
        with_code_type(column, [&]<class Code>(Code) {
            if (by_records_) {
                fill_records<Code>(column);
            } else if (few) {
                sort_few_rows<Code>(column);
            } else {
                sort_rows<Code>(column);
            }
        });
        has_missing_ = cells_.back() == column.missing();
        if (cells_.size() > 1) return true;
        clear();
        return false;
    }

    // Calls consider(cut, missing go left, left sum, right sum) for the cuts between numbers: midway between
    // neighbouring cells, or, where `n_random` is not 0, at so many random places between the outermost.
    template <class Consider>
    void scan_numbers(const CodeColumn& column, std::size_t n_random, Draws& draws, Consider&& consider) {
        if (n_random > 0) draw_cuts(n_random, draws);
        for (bool missing_left : {false, true}) {
            if (missing_left && !has_missing_) break;
            begin_pass();
            if (missing_left) move_group(cells_.size() - 1);
            const std::size_t n_numbers = cells_.size() - (has_missing_ ? 1 : 0);
            std::size_t drawn = 0;
            for (std::size_t g = 0; g + 1 < n_numbers; ++g) {
                move_group(g);
                if (n_random == 0) {
                    consider((cells_[g] + cells_[g + 1] + 1) / 2, missing_left, left_, right_);
                    continue;
                }
                for (; drawn < random_cuts_.size() && random_cuts_[drawn] <= cells_[g + 1]; ++drawn) {
                    if (random_cuts_[drawn] > cells_[g])
                        consider(random_cuts_[drawn], missing_left, left_, right_);
                }
            }
            if (has_missing_ && !missing_left) {  // numbers here, missing values there
                move_group(n_numbers - 1);
                consider(column.missing(), false, left_, right_);
            }
        }
        clear();
    }

    // The same for categories: consider(number of codes in the first half, its sum, sum of the last).
    template <class Consider>
    void scan_categories(Consider&& consider) {
        order_by_key();
        begin_pass();
        for (std::size_t g = 0; g + 1 < cells_.size(); ++g) {
            move_group(order_[g].second);
            consider(g + 1, left_, right_);
        }
        clear();
    }
    bool has_missing() const { return has_missing_; }
    // Codes of the node's categories in the order of the last scan.
    std::size_t n_codes() const { return cells_.size(); }
    std::uint32_t code(std::size_t g) const { return cells_[order_[g].second]; }

  private:
    static constexpr std::size_t few_rows = 16;
    static constexpr std::uint32_t most_of_few = 0x7fffffffu / few_rows;

    template <class Code>
    void fill_records(const CodeColumn& column) {
        const std::size_t width = node_->width();
        records_.resize(std::max(records_.size(), column.n_cells * width), 0.0);
        double* records = records_.data();
        const CodesView codes = data_.codes(column, rows_.size());
        // Many rows fill most cells: then looking at all of them is cheaper than marking each.
        if (width == 2 && 2 * rows_.size() > column.n_cells) {
            for (const Row& row : rows_) {
                const std::uint32_t c = read_code<Code>(codes.at + row.row * codes.stride);
                node_->add_to_record(records + c * 2, row.target, row.weight);
            }
            for (std::uint32_t c = 0; c < column.n_cells; ++c) {
                // Weights are positive; of values the second number may be anything.
                if (records[2 * c] > 0.0 || records[2 * c + 1] != 0.0) cells_.push_back(c);
            }
            return;
        }
        CellMask::with_levels(column.n_cells, [&]<bool upper>(std::bool_constant<upper>) {
            for (const Row& row : rows_) {
                const std::uint32_t c = read_code<Code>(codes.at + row.row * codes.stride);
                node_->add_to_record(records + c * width, row.target, row.weight);
                mask_.set<upper>(c);
            }
            mask_.take<upper>(column.n_cells, cells_);
        });
    }

    // The same as `sort_rows`: a row's place is the number of rows before it, counted for all side by side.
    // Most nodes are small, and there this is twice as fast as records.
    template <class Code>
    void sort_few_rows(const CodeColumn& column) {
        const CodesView codes = data_.codes(column, rows_.size());
        const std::size_t n = rows_.size();
        // Keys below 2³¹: the code and the position, which parts equal codes.
        std::int32_t key[few_rows] = {};
        std::int32_t place[few_rows] = {};
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t code = read_code<Code>(codes.at + rows_[i].row * codes.stride);
            key[i] = static_cast<std::int32_t>(code * few_rows + i);
        }
        for (std::size_t k = 0; k < n; ++k) {
            const std::int32_t other = key[k];
            for (std::size_t i = 0; i < few_rows; ++i) place[i] += other < key[i] ? 1 : 0;
        }
        sorted_.resize(n);
        codes_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            sorted_[static_cast<std::size_t>(place[i])] = static_cast<std::uint32_t>(i);
            codes_[static_cast<std::size_t>(place[i])] = static_cast<std::uint32_t>(key[i]) / few_rows;
        }
        begin_.clear();
        for (std::uint32_t i = 0; i < n; ++i) {
            if (i > 0 && codes_[i] == codes_[i - 1]) continue;
            cells_.push_back(codes_[i]);
            begin_.push_back(i);
        }
        begin_.push_back(static_cast<std::uint32_t>(n));
    }

    // Positions of the rows in the order of their cells, by counting; `begin_` has where each cell's begin.
    template <class Code>
    void sort_rows(const CodeColumn& column) {
        const CodesView codes = data_.codes(column, rows_.size());
        codes_.resize(rows_.size());
        CellMask::with_levels(column.n_cells, [&]<bool upper>(std::bool_constant<upper>) {
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                const std::uint32_t c = read_code<Code>(codes.at + rows_[i].row * codes.stride);
                codes_[i] = c;
                ++counts_[c];
                mask_.set<upper>(c);
            }
            mask_.take<upper>(column.n_cells, cells_);
        });
        begin_.resize(cells_.size() + 1);
        begin_[0] = 0;
        for (std::size_t g = 0; g < cells_.size(); ++g) {
            begin_[g + 1] = begin_[g] + counts_[cells_[g]];
            counts_[cells_[g]] = begin_[g];
        }
        sorted_.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            sorted_[counts_[codes_[i]]++] = static_cast<std::uint32_t>(i);
        }
        for (std::uint32_t c : cells_) counts_[c] = 0;
    }

    void begin_pass() {
        left_ = *node_;
        left_.clear();
        right_ = *node_;
    }

    void move_group(std::size_t g) {
        if (by_records_) {
            const double* record = records_.data() + cells_[g] * node_->width();
            left_.add_record(record);
            right_.take_record(record);
            return;
        }
        for (std::uint32_t at = begin_[g]; at < begin_[g + 1]; ++at) {
            const Row& row = rows_[sorted_[at]];
            left_.add(row.target, row.weight);
            right_.take(row.target, row.weight);
        }
    }

    // Records must be zero for the next column.
    void clear() {
        if (!by_records_) return;
        const std::size_t width = node_->width();
        for (std::uint32_t c : cells_) std::fill_n(records_.data() + c * width, width, 0.0);
    }

    void draw_cuts(std::size_t n, Draws& draws) {
        random_cuts_.clear();
        const std::size_t n_numbers = cells_.size() - (has_missing_ ? 1 : 0);
        if (n_numbers < 2) return;
        const std::uint32_t first = cells_.front();
        const std::uint32_t last = cells_[n_numbers - 1];
        for (std::size_t k = 0; k < n; ++k) {
            random_cuts_.push_back(first + 1 + static_cast<std::uint32_t>(draws.below(last - first)));
        }
        std::sort(random_cuts_.begin(), random_cuts_.end());
    }

    // By mean target; of several classes, by the share of the node's commonest one.
    void order_by_key() {
        std::uint32_t common = 0;
        if constexpr (requires { node_->commonest(); }) common = node_->commonest();
        order_.resize(cells_.size());
        for (std::size_t g = 0; g < cells_.size(); ++g) {
            order_[g] = {key(g, common), static_cast<std::uint32_t>(g)};
        }
        std::sort(order_.begin(), order_.end());
    }

    double key(std::size_t g, std::uint32_t common) const {
        const double* record = records_.data() + cells_[g] * node_->width();
        if constexpr (requires { Sum::record_key(record); }) {
            return Sum::record_key(record);
        } else {
            double weight = 0.0;
            double share = 0.0;
            if (by_records_) {
                for (std::size_t k = 0; k < node_->width(); ++k) weight += record[k];
                return record[common] / weight;
            }
            for (std::uint32_t at = begin_[g]; at < begin_[g + 1]; ++at) {
                const Row& row = rows_[sorted_[at]];
                weight += row.weight;
                share += row.target == common ? row.weight : 0.0;
            }
            return share / weight;
        }
    }

    const TargetData& data_;
    std::span<const Row> rows_;
    const Sum* node_ = nullptr;
    Sum left_;
    Sum right_;
    bool by_records_ = true;
    bool has_missing_ = false;
    CellMask mask_;
    std::vector<std::uint32_t> cells_;  // those with rows, ascending
    std::vector<double> records_;       // of all cells, zero between scans
    std::vector<std::uint32_t> codes_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint32_t> begin_;
    std::vector<std::uint32_t> sorted_;
    std::vector<std::pair<double, std::uint32_t>> order_;
    std::vector<std::uint32_t> random_cuts_;
};

}  // namespace boxwood
