// The density side of growth, a template over what scans the cuts of a column (and so over the criterion).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "base/random.hpp"
#include "tree/density/grow_density_tree.hpp"
#include "tree/density/make_candidates.hpp"
#include "tree/density/split.hpp"
#include "tree/density/uniformity.hpp"
#include "tree/enough_rows.hpp"
#include "tree/growth.hpp"
#include "tree/node_counts.hpp"
#include "tree/row_partition.hpp"

namespace boxwood {

// A box, the counts of its rows where the larger half of a node has taken them over, and where its watched
// rows stand.
struct NodeBox : GrowBox {
    NodeCounts::Handle counts = {};
    std::size_t watched_begin = 0;
    std::size_t watched_end = 0;
};

template <class Scanner>
class Grower {
    // The scanner has a quick way over the cuts of most columns, by counts of cells.
    static constexpr bool finds_cuts = requires { &Scanner::find_cuts; };
    // It can choose the cut of a large node by a part of its rows.
    static constexpr bool may_skip_rows = requires { &Scanner::may_skip_rows; };

    static constexpr std::size_t rows_a_category = 64;

  public:
    using Box = NodeBox;
    using Split = boxwood::Split;
    static constexpr bool per_node = Scanner::per_node;

    Grower(const GrowData& data, const GrowOptions& options, Scanner scanner,
           const std::function<void()>& interrupt)
        : data_(data), options_(options), scanner_(std::move(scanner)), interrupt_(interrupt) {
        if (data.watched != nullptr) watched_ = *data.watched;
    }

    GrownTree grow() { return Growth<Grower>(*this, options_, interrupt_).grow(); }

    std::size_t n_columns() const { return data_.n_columns(); }
    Box whole_box() const { return {GrowBox::whole(data_), {}, 0, watched_.size()}; }
    Box box_of_half(const Box& box, const Split& split, bool left) {
        Box half{boxwood::box_of_half(data_, box, split, left), {}, box.watched_begin, box.watched_end};
        if constexpr (finds_cuts) half.counts = std::move(half_counts_[left ? 0 : 1]);
        if (!watched_.empty()) (left ? half.watched_end : half.watched_begin) = part_watched(box, split);
        return half;
    }

    NodeRows start(GrownTree& grown) {
        double total = 0.0;
        for (std::size_t row = 0; row < data_.n_rows; ++row) {
            if (!(data_.weight(row) > 0.0)) continue;
            rows_.push_back(static_cast<std::uint32_t>(row));
            total += data_.weight(row);
        }
        kept_.start(data_, rows_, finds_cuts && data_.points != nullptr);
        std::size_t longest = 0;
        for (const Knots& knots : *data_.columns) {
            if (knots.categorical) longest = std::max(longest, knots.n_cells());
        }
        grown.tree.words_per_set = (longest + 63) / 64;
        grown.left_share.push_back(0.0);
        grown.log_volume.push_back(0.0);
        return {0, rows_.size(), total};
    }

    // Without rows there is nothing to part, and by some criteria cutting it would never end.
    bool can_split(const NodeRows& rows) const { return rows.size() > 0; }

    // False where the node is not to be split.
    bool begin_node(const NodeRows& rows, const Box& box) {
        if (data_.watched != nullptr && box.watched_begin == box.watched_end) return false;
        node_ = rows;
        const auto numbers = std::span(rows_).subspan(rows.begin, rows.size());
        if (options_.uniformity_level > 0.0 &&
            uniformity_p_value(data_, box, numbers) >= options_.uniformity_level) {
            return false;
        }
        if constexpr (finds_cuts) {
            counts_ = box.counts;
            scanner_.begin_node(kept_, rows.begin, numbers, rows.weight, box, counts_);
        } else if constexpr (may_skip_rows) {
            step_ = row_step(rows, box);
            scanner_.begin_node(kept_, rows.begin, numbers, box, step_);
        } else if constexpr (requires { scanner_.begin_node(kept_, rows.begin, numbers, box); }) {
            scanner_.begin_node(kept_, rows.begin, numbers, box);
        } else if constexpr (requires { scanner_.begin_node(numbers, box); }) {
            scanner_.begin_node(numbers, box);
        } else {
            scanner_.begin_node(numbers, box.volume);
        }
        return true;
    }

    // False where the box has nothing to part along the column.
    bool try_column(std::size_t j, const GrowBox& box, Draws& draws, Split& best) {
        if (!box.can_cut(data_, j)) return false;
        // Gains grow with the rows.
        const double scale = step_ > 1 ? node_.weight / scanner_.node_weight() : 1.0;
        const auto keep = [&](std::size_t c, double left, double gain) {
            if (step_ == 1) return keep_if_best(box, c, left, gain, best);
            if (!(gain * scale > best.gain)) return false;
            return keep_if_best(box, c, counts_exactly() ? weight_below(c) : left * scale, gain * scale,
                                best);
        };
        if constexpr (finds_cuts) {
            if (scanner_.find_cuts(box, j, cuts_)) {
                scanner_.scan_found(cuts_, best.gain, keep);
                return true;
            }
        }
        make_cuts(box, j, draws);
        if constexpr (requires { scanner_.scan(cuts_, best.gain, keep); }) {
            scanner_.scan(cuts_, best.gain / scale, keep);
        } else {
            scanner_.scan(cuts_, keep);
        }
        return true;
    }

    bool cannot_be_better(const Split&) const { return false; }

    std::size_t partition(const NodeRows& rows, Split& split) {
        const std::size_t middle = kept_.partition(data_, split, rows.begin, rows.end, rows_);
        if constexpr (may_skip_rows) {  // the split may know its left half by a part of the rows
            const double* weights = kept_.weights(rows.begin);
            const std::size_t n = middle - rows.begin;
            split.left_weight =
                weights == nullptr ? static_cast<double>(n) : std::accumulate(weights, weights + n, 0.0);
        }
        if constexpr (finds_cuts) {
            half_counts_[0] = half_counts_[1] = {};
            // Best-first, many nodes would keep their counts for long, and these are not the node's.
            if (!options_.best_first && counts_) {
                const bool left_is_larger = middle - rows.begin > rows.end - middle;
                scanner_.take_away(kept_, left_is_larger ? middle : rows.begin,
                                   left_is_larger ? rows.end : middle, split.feature, counts_);
                half_counts_[left_is_larger ? 0 : 1] = std::move(counts_);
            }
        }
        return middle;
    }

    // The node's `cut`: a cell, the number of a set, or for now the number of an exact cut.
    std::uint32_t store_cut(const Split& split, Tree& tree) {
        if (data_.exact(split.feature)) {
            exact_cuts_.push_back(split.cut_point);
            return static_cast<std::uint32_t>(exact_cuts_.size() - 1);
        }
        if (!(*data_.columns)[split.feature].categorical) return split.cut_cell;
        const std::size_t first = tree.sets.size();
        tree.sets.resize(first + tree.words_per_set, 0);
        for (std::uint32_t cell : split.left_cells)
            tree.sets[first + cell / 64] |= std::uint64_t{1} << (cell % 64);
        return static_cast<std::uint32_t>(first / tree.words_per_set);
    }

    void keep_split(const Split& split, std::uint32_t node, GrownTree& grown) {
        const double volume = grown.log_volume[node];
        grown.left_share[node] = split.left_share;
        grown.left_share.resize(grown.tree.nodes.size(), 0.0);
        grown.log_volume.push_back(volume + std::log(split.left_share));
        grown.log_volume.push_back(volume + std::log1p(-split.left_share));
    }

    void finish(GrownTree& grown) {
        grown.rows = std::move(rows_);
        grown.cell_stride = kept_.stride();
        grown.cells = kept_.take_cells();
        grown.columns = *data_.columns;
        for (std::size_t j = 0; j < data_.n_columns(); ++j) {
            if (data_.exact(j)) name_exact_cuts(j, grown);
        }
    }

  private:
    // Puts the watched rows of a node that go left before the others; does nothing the second time.
    std::size_t part_watched(const Box& box, const Split& split) {
        const auto begin = watched_.begin() + static_cast<std::ptrdiff_t>(box.watched_begin);
        const auto end = watched_.begin() + static_cast<std::ptrdiff_t>(box.watched_end);
        const auto goes_left = [&](std::uint32_t row) { return split.goes_left(data_, row); };
        return box.watched_begin + static_cast<std::size_t>(std::partition(begin, end, goes_left) - begin);
    }

    void make_cuts(const GrowBox& box, std::size_t j, Draws& draws) {
        const NodeColumn column{kept_.cells(node_.begin) + j, kept_.stride() * step_,
                                (node_.size() + step_ - 1) / step_};
        if (data_.exact(j)) {
            cut_points(data_, box, j, std::span(rows_).subspan(node_.begin, node_.size()), cuts_);
        } else if ((*data_.columns)[j].categorical) {
            cut_categories(data_, box, j, column, cuts_, widths_);
            order_categories(scanner_.cell_keys(cuts_, widths_), widths_, cuts_);
        } else {
            cut_cells(data_, box, options_, j, column, draws, cuts_);
        }
    }

    // Every how many rows of a node choose its cut. Many categories need many rows to be told apart.
    std::size_t row_step(const NodeRows& rows, const GrowBox& box) const {
        if (data_.points != nullptr || options_.scan_rows == 0 || !scanner_.may_skip_rows()) return 1;
        std::size_t wanted = options_.scan_rows;
        for (const ColumnRange& range : box.ranges)
            wanted = std::max(wanted, rows_a_category * range.members.size());
        return std::max<std::size_t>(1, rows.size() / wanted);
    }

    // A part of the rows cannot tell whether a side has min_samples_leaf of them, except that a side of one
    // row or more has one.
    bool counts_exactly() const { return options_.min_samples_leaf > 1.0; }

    // Weight of all rows of the node on the left of boundary c.
    double weight_below(std::size_t c) {
        const std::size_t j = cuts_.feature;
        const bool categorical = (*data_.columns)[j].categorical;
        if (categorical) {
            in_left_.assign((*data_.columns)[j].n_cells(), 0);
            for (std::size_t k = 0; k < c; ++k) in_left_[cuts_.cell_order[k]] = 1;
        }
        const double* weights = kept_.weights(node_.begin);
        double sum = 0.0;
        for (std::size_t i = 0; i < node_.size(); ++i) {
            const std::uint16_t cell = kept_.cells(node_.begin + i)[j];
            const bool left = categorical ? in_left_[cell] != 0 : cell < cuts_.cut_cell[c];
            sum += left ? (weights == nullptr ? 1.0 : weights[i]) : 0.0;
        }
        return sum;
    }

    // Tells whether the cut is the best so far.
    bool keep_if_best(const GrowBox& box, std::size_t c, double left, double gain, Split& best) {
        if (!(gain > best.gain) || !(gain > options_.min_gain)) return false;
        const double share = cuts_.share[c];
        if (!(share > 0.0 && share < 1.0) || !enough_.allows(node_.weight, left, share)) return false;
        const double width = box.ranges[cuts_.feature].width;
        if (is_too_thin(box, width * share) || is_too_thin(box, width * (1.0 - share))) return false;
        take_cut(data_, cuts_, c, gain, left, best);
        return true;
    }

    bool is_too_thin(const GrowBox& box, double width) const {
        return std::isfinite(options_.max_aspect) &&
               box.aspect_with(cuts_.feature, width) > options_.max_aspect;
    }

    // The cuts of an exactly split column become its knots.
    void name_exact_cuts(std::size_t j, GrownTree& grown) const {
        std::vector<double> cuts;
        for (const TreeNode& node : grown.tree.nodes) {
            if (node.feature == static_cast<std::int32_t>(j)) cuts.push_back(exact_cuts_[node.cut]);
        }
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        for (TreeNode& node : grown.tree.nodes) {
            if (node.feature != static_cast<std::int32_t>(j)) continue;
            const auto found = std::lower_bound(cuts.begin(), cuts.end(), exact_cuts_[node.cut]);
            node.cut = static_cast<std::uint32_t>(found - cuts.begin()) + 1;
        }
        std::vector<double>& u = grown.columns[j].u;
        u.assign(1, 0.0);
        u.insert(u.end(), cuts.begin(), cuts.end());
        u.push_back(1.0);
    }

    const GrowData& data_;
    const GrowOptions& options_;
    Scanner scanner_;
    const std::function<void()>& interrupt_;
    std::vector<std::uint32_t> rows_;     // those of a node stand side by side,
    std::vector<std::uint32_t> watched_;  // and so do these
    KeptRows kept_;
    NodeRows node_{0, 0, 0.0};  // the one whose cuts are looked at
    std::size_t step_ = 1;      // every so many of its rows are looked at
    std::vector<char> in_left_;
    NodeCounts::Handle counts_;
    NodeCounts::Handle half_counts_[2];
    EnoughRows enough_{options_.min_samples_leaf, !requires { Scanner::ignores_volume; }};
    std::vector<double> exact_cuts_;
    Cuts cuts_;
    std::vector<double> widths_;
};

}  // namespace boxwood
