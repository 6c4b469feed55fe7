// The growing itself, a template over what scans the cuts of a column (and so over the criterion).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <stdexcept>

#include "boxwood/grow.hpp"
#include "boxwood/make_cuts.hpp"
#include "boxwood/random.hpp"
#include "boxwood/split.hpp"
#include "boxwood/uniformity.hpp"

namespace boxwood {

template <class Scanner>
class Grower {
  public:
    Grower(const GrowData& data, const GrowOptions& options, Scanner scanner,
           const std::function<void()>& interrupt)
        : data_(data), options_(options), scanner_(std::move(scanner)), interrupt_(interrupt) {}

    GrownTree grow() {
        start();
        while (!frontier_empty() && n_leaves_ < options_.max_leaf_nodes) split_node(take_node());
        finish();
        return std::move(grown_);
    }

  private:
    // A node of the frontier. Best-first growth knows its split already, depth-first finds it when it is
    // taken.
    struct Open {
        std::uint32_t node;
        std::size_t depth;
        std::uint64_t key;  // of the random draws: a function of the path, not of the order of growth
        double weight;
        GrowBox box;
        Split split;
        double priority = 0.0;
    };
    struct LowerPriority {
        bool operator()(const Open& a, const Open& b) const {
            return a.priority != b.priority ? a.priority < b.priority : a.node > b.node;
        }
    };

    void start() {
        for (std::size_t row = 0; row < data_.n_rows; ++row) {
            if (data_.weight(row) > 0.0) grown_.rows.push_back(static_cast<std::uint32_t>(row));
        }
        for (std::uint32_t row : grown_.rows) total_ += data_.weight(row);
        std::size_t longest = 0;
        for (const Knots& knots : *data_.columns) {
            if (knots.categorical) longest = std::max(longest, knots.n_cells());
        }
        grown_.tree.words_per_set = (longest + 63) / 64;
        add_node(0, grown_.rows.size(), total_, 0.0);
        n_leaves_ = 1;
        push({0, 0, mix_bits(options_.seed), total_, GrowBox::whole(data_), {}});
    }

    bool frontier_empty() const { return options_.best_first ? queue_.empty() : stack_.empty(); }

    void push(Open&& open) {
        if (!options_.best_first) {
            stack_.push_back(std::move(open));
            return;
        }
        open.split = find_split(open);
        if (!open.split.found()) return;
        open.priority = Scanner::per_node ? open.weight / total_ * open.split.gain : open.split.gain;
        queue_.push(std::move(open));
    }

    Open take_node() {
        if (options_.best_first) {
            Open open = queue_.top();
            queue_.pop();
            return open;
        }
        Open open = std::move(stack_.back());
        stack_.pop_back();
        open.split = find_split(open);
        return open;
    }

    bool is_final(const Open& open) const {
        // Without rows there is nothing to part, and by some criteria cutting it would never end.
        if (rows_of(open.node).empty()) return true;
        if (open.depth >= options_.max_depth || open.weight < options_.min_samples_split) return true;
        if (open.weight < 2.0 * options_.min_samples_leaf) return true;
        return options_.uniformity_level > 0.0 &&
               uniformity_p_value(data_, open.box, rows_of(open.node)) >= options_.uniformity_level;
    }

    std::span<const std::uint32_t> rows_of(std::uint32_t node) const {
        return std::span(grown_.rows).subspan(grown_.begin[node], grown_.end[node] - grown_.begin[node]);
    }

    // Columns in the order in which they are tried: their own, or a random one.
    std::vector<std::size_t> order_features(Draws& draws) const {
        std::vector<std::size_t> features(data_.n_columns());
        std::iota(features.begin(), features.end(), std::size_t{0});
        if (options_.max_features == 0) return features;
        for (std::size_t i = 0; i + 1 < features.size(); ++i) {
            std::swap(features[i], features[i + draws.below(features.size() - i)]);
        }
        return features;
    }

    Split find_split(const Open& open) {
        if (interrupt_) interrupt_();
        Split best;
        if (is_final(open)) return best;
        Draws draws(open.key);
        begin_node(open);
        if constexpr (requires { scanner_.is_pure(); }) {
            if (scanner_.is_pure()) return best;
        }
        std::size_t n_tried = 0;
        for (std::size_t j : order_features(draws)) {
            if (options_.max_features != 0 && n_tried == options_.max_features) break;
            if (open.box.can_cut(data_, j) && try_column(open, j, draws, best)) ++n_tried;
        }
        return best;
    }

    // False where the column has nothing to part in this node.
    bool try_column(const Open& open, std::size_t j, Draws& draws, Split& best) {
        if constexpr (requires { &Scanner::is_pure; }) {
            if (!(*data_.columns)[j].categorical) return scan_between_rows(open, j, draws, best);
        }
        make_cuts(open, j, draws);
        scan_cuts(open, best);
        return true;
    }

    // Decision and regression trees: volumes mean nothing, and cuts lie between the cells of the node's rows.
    bool scan_between_rows(const Open& open, std::size_t j, Draws& draws, Split& best) {
        bool any = false;
        scanner_.scan_cells(
            j, options_.random_splits, draws, [&](std::uint32_t cut, double left, double gain) {
                any = true;
                if (!(gain > best.gain) || !(gain > options_.min_gain) || !leaves_enough(open, left)) return;
                best.gain = gain;
                best.feature = j;
                best.left_share = 0.5;
                best.left_weight = left;
                best.cut_cell = cut;
            });
        return any;
    }

    bool leaves_enough(const Open& open, double left) const {
        return left >= options_.min_samples_leaf && open.weight - left >= options_.min_samples_leaf;
    }

    void begin_node(const Open& open) {
        if constexpr (requires { scanner_.begin_node(rows_of(open.node), open.box); }) {
            scanner_.begin_node(rows_of(open.node), open.box);
        } else {
            scanner_.begin_node(rows_of(open.node), open.box.volume);
        }
    }

    void make_cuts(const Open& open, std::size_t j, Draws& draws) {
        const auto rows = rows_of(open.node);
        if (data_.exact(j)) {
            cut_points(data_, open.box, j, rows, cuts_);
        } else if ((*data_.columns)[j].categorical) {
            cut_categories(data_, open.box, j, rows, cuts_, widths_);
            order_categories(scanner_.cell_keys(cuts_, widths_), widths_, cuts_);
        } else {
            cut_cells(data_, open.box, options_, j, rows, draws, cuts_);
        }
    }

    void scan_cuts(const Open& open, Split& best) {
        const double width = open.box.ranges[cuts_.feature].width;
        scanner_.scan(cuts_, [&](std::size_t c, double left, double gain) {
            if (!(gain > best.gain) || !(gain > options_.min_gain)) return;
            if (!leaves_enough(open, left)) return;
            const double share = cuts_.share[c];
            if (!(share > 0.0 && share < 1.0) || is_too_thin(open.box, width * share) ||
                is_too_thin(open.box, width * (1.0 - share))) {
                return;
            }
            take_cut(data_, cuts_, c, gain, left, best);
        });
    }

    bool is_too_thin(const GrowBox& box, double width) const {
        return std::isfinite(options_.max_aspect) &&
               box.aspect_with(cuts_.feature, width) > options_.max_aspect;
    }

    void split_node(Open&& open) {
        if (!open.split.found()) return;
        const std::uint32_t node = open.node;
        const std::size_t begin = grown_.begin[node];
        const std::size_t end = grown_.end[node];
        const std::size_t middle = partition_rows(begin, end, open.split);
        const auto left = static_cast<std::uint32_t>(grown_.tree.nodes.size());
        const double left_weight = open.split.left_weight;
        const double share = open.split.left_share;
        add_node(begin, middle, left_weight, grown_.log_volume[node] + std::log(share));
        add_node(middle, end, open.weight - left_weight, grown_.log_volume[node] + std::log1p(-share));
        TreeNode& parent = grown_.tree.nodes[node];
        parent.feature = static_cast<std::int32_t>(open.split.feature);
        parent.left = left;
        parent.cut = store_cut(open.split);
        grown_.gain[node] = open.split.gain;
        grown_.left_share[node] = share;
        ++n_leaves_;
        for (std::uint32_t side : {1u, 0u}) {  // a stack takes the left half first
            const double weight = side == 0 ? left_weight : open.weight - left_weight;
            push({left + side,
                  open.depth + 1,
                  combine_keys(open.key, side + 1),
                  weight,
                  box_of_half(data_, open.box, open.split, side == 0),
                  {}});
        }
    }

    // Stable, so that rows stay in their order and a node reads them forwards.
    std::size_t partition_rows(std::size_t begin, std::size_t end, const Split& split) {
        spare_.clear();
        std::size_t middle = begin;
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t row = grown_.rows[i];
            if (split.goes_left(data_, row)) {
                grown_.rows[middle++] = row;
            } else {
                spare_.push_back(row);
            }
        }
        std::copy(spare_.begin(), spare_.end(), grown_.rows.begin() + static_cast<std::ptrdiff_t>(middle));
        return middle;
    }

    void add_node(std::size_t begin, std::size_t end, double weight, double log_volume) {
        TreeNode node;
        node.count = weight;
        grown_.tree.nodes.push_back(node);
        grown_.begin.push_back(begin);
        grown_.end.push_back(end);
        grown_.gain.push_back(0.0);
        grown_.left_share.push_back(0.0);
        grown_.log_volume.push_back(log_volume);
    }

    // The node's `cut`: a cell, the number of a set, or for now the number of an exact cut.
    std::uint32_t store_cut(const Split& split) {
        if (data_.exact(split.feature)) {
            exact_cuts_.push_back(split.cut_point);
            return static_cast<std::uint32_t>(exact_cuts_.size() - 1);
        }
        if (!(*data_.columns)[split.feature].categorical) return split.cut_cell;
        Tree& tree = grown_.tree;
        const std::size_t first = tree.sets.size();
        tree.sets.resize(first + tree.words_per_set, 0);
        for (std::uint32_t cell : split.left_cells)
            tree.sets[first + cell / 64] |= std::uint64_t{1} << (cell % 64);
        return static_cast<std::uint32_t>(first / tree.words_per_set);
    }

    void finish() {
        grown_.columns = *data_.columns;
        for (std::size_t j = 0; j < data_.n_columns(); ++j) {
            if (data_.exact(j)) name_exact_cuts(j);
        }
        number_leaves(grown_.tree);
    }

    // The cuts of an exactly split column become its knots.
    void name_exact_cuts(std::size_t j) {
        std::vector<double> cuts;
        for (const TreeNode& node : grown_.tree.nodes) {
            if (node.feature == static_cast<std::int32_t>(j)) cuts.push_back(exact_cuts_[node.cut]);
        }
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        for (TreeNode& node : grown_.tree.nodes) {
            if (node.feature != static_cast<std::int32_t>(j)) continue;
            const auto found = std::lower_bound(cuts.begin(), cuts.end(), exact_cuts_[node.cut]);
            node.cut = static_cast<std::uint32_t>(found - cuts.begin()) + 1;
        }
        std::vector<double>& u = grown_.columns[j].u;
        u.assign(1, 0.0);
        u.insert(u.end(), cuts.begin(), cuts.end());
        u.push_back(1.0);
    }

    const GrowData& data_;
    const GrowOptions& options_;
    Scanner scanner_;
    const std::function<void()>& interrupt_;
    GrownTree grown_;
    double total_ = 0.0;
    std::size_t n_leaves_ = 0;
    std::vector<Open> stack_;
    std::priority_queue<Open, std::vector<Open>, LowerPriority> queue_;
    std::vector<double> exact_cuts_;
    std::vector<std::uint32_t> spare_;
    Cuts cuts_;
    std::vector<double> widths_;
};

}  // namespace boxwood
