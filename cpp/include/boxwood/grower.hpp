// The density side of growth, a template over what scans the cuts of a column (and so over the criterion).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "boxwood/grow.hpp"
#include "boxwood/growth.hpp"
#include "boxwood/make_cuts.hpp"
#include "boxwood/random.hpp"
#include "boxwood/split.hpp"
#include "boxwood/uniformity.hpp"

namespace boxwood {

template <class Scanner>
class Grower {
  public:
    using Box = GrowBox;
    using Split = boxwood::Split;
    static constexpr bool per_node = Scanner::per_node;

    Grower(const GrowData& data, const GrowOptions& options, Scanner scanner,
           const std::function<void()>& interrupt)
        : data_(data), options_(options), scanner_(std::move(scanner)), interrupt_(interrupt) {}

    GrownTree grow() { return Growth<Grower>(*this, options_, interrupt_).grow(); }

    std::size_t n_columns() const { return data_.n_columns(); }
    GrowBox whole_box() const { return GrowBox::whole(data_); }
    GrowBox box_of_half(const GrowBox& box, const Split& split, bool left) const {
        return boxwood::box_of_half(data_, box, split, left);
    }

    NodeRows start(GrownTree& grown) {
        double total = 0.0;
        for (std::size_t row = 0; row < data_.n_rows; ++row) {
            if (!(data_.weight(row) > 0.0)) continue;
            rows_.push_back(static_cast<std::uint32_t>(row));
            total += data_.weight(row);
        }
        std::size_t longest = 0;
        for (const Knots& knots : *data_.columns) {
            if (knots.categorical) longest = std::max(longest, knots.n_cells());
        }
        grown.tree.words_per_set = (longest + 63) / 64;
        grown.left_share.push_back(0.0);
        grown.log_volume.push_back(0.0);
        return {0, rows_.size(), total};
    }

    // False where the node is not to be split.
    bool begin_node(const NodeRows& rows, const GrowBox& box) {
        // Without rows there is nothing to part, and by some criteria cutting it would never end.
        if (rows.size() == 0) return false;
        node_rows_ = std::span(rows_).subspan(rows.begin, rows.size());
        node_weight_ = rows.weight;
        if (options_.uniformity_level > 0.0 &&
            uniformity_p_value(data_, box, node_rows_) >= options_.uniformity_level) {
            return false;
        }
        if constexpr (requires { scanner_.begin_node(node_rows_, box); }) {
            scanner_.begin_node(node_rows_, box);
        } else {
            scanner_.begin_node(node_rows_, box.volume);
        }
        return true;
    }

    // False where the box has nothing to part along the column.
    bool try_column(std::size_t j, const GrowBox& box, Draws& draws, Split& best) {
        if (!box.can_cut(data_, j)) return false;
        make_cuts(box, j, draws);
        scan_cuts(box, best);
        return true;
    }

    bool cannot_be_better(const Split&) const { return false; }

    // Stable, so that rows stay in their order and a node reads them forwards.
    std::size_t partition(const NodeRows& rows, const Split& split) {
        spare_.clear();
        std::size_t middle = rows.begin;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const std::uint32_t row = rows_[i];
            if (split.goes_left(data_, row)) {
                rows_[middle++] = row;
            } else {
                spare_.push_back(row);
            }
        }
        std::copy(spare_.begin(), spare_.end(), rows_.begin() + static_cast<std::ptrdiff_t>(middle));
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
        grown.columns = *data_.columns;
        for (std::size_t j = 0; j < data_.n_columns(); ++j) {
            if (data_.exact(j)) name_exact_cuts(j, grown);
        }
    }

  private:
    bool leaves_enough(double left) const {
        return left >= options_.min_samples_leaf && node_weight_ - left >= options_.min_samples_leaf;
    }

    void make_cuts(const GrowBox& box, std::size_t j, Draws& draws) {
        if (data_.exact(j)) {
            cut_points(data_, box, j, node_rows_, cuts_);
        } else if ((*data_.columns)[j].categorical) {
            cut_categories(data_, box, j, node_rows_, cuts_, widths_);
            order_categories(scanner_.cell_keys(cuts_, widths_), widths_, cuts_);
        } else {
            cut_cells(data_, box, options_, j, node_rows_, draws, cuts_);
        }
    }

    void scan_cuts(const GrowBox& box, Split& best) {
        const double width = box.ranges[cuts_.feature].width;
        scanner_.scan(cuts_, [&](std::size_t c, double left, double gain) {
            if (!(gain > best.gain) || !(gain > options_.min_gain)) return;
            if (!leaves_enough(left)) return;
            const double share = cuts_.share[c];
            if (!(share > 0.0 && share < 1.0) || is_too_thin(box, width * share) ||
                is_too_thin(box, width * (1.0 - share))) {
                return;
            }
            take_cut(data_, cuts_, c, gain, left, best);
        });
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
    std::vector<std::uint32_t> rows_;  // those of a node stand side by side
    std::span<const std::uint32_t> node_rows_;
    double node_weight_ = 0.0;
    std::vector<double> exact_cuts_;
    std::vector<std::uint32_t> spare_;
    Cuts cuts_;
    std::vector<double> widths_;
};

}  // namespace boxwood
