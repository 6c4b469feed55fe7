#include "mixture/fitting/held_out_leaves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mixture/fitting/leaf_fitter.hpp"
#include "mixture/leaf_density.hpp"

namespace boxwood {

namespace {

// Rows that are scored go down with the tree: those of each node stand side by side in `order_`.
class ScoredRows : public LeafFitter {
  protected:
    ScoredRows(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
               std::size_t n_rows, const LeafOrigin* origin = nullptr)
        : LeafFitter(grown, data, options, origin),
          order_(n_rows),
          begin_(grown.tree.nodes.size(), 0),
          end_(grown.tree.nodes.size(), 0),
          leaf_(empty_leaves(1)) {
        std::iota(order_.begin(), order_.end(), 0u);
        end_[0] = n_rows;
        leaf_.n_lattice_points = 128;
    }

    virtual std::uint32_t scored_bin(std::size_t i, std::size_t j) const = 0;

    void divided(const Step& step, const TreeNode& node) override {
        const auto j = static_cast<std::size_t>(node.feature);
        const auto goes_left = [&](std::uint32_t i) {
            return grown_.tree.goes_left(node, scored_bin(i, j), step.box->categorical(j));
        };
        const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(begin_[step.node]);
        const auto end = order_.begin() + static_cast<std::ptrdiff_t>(end_[step.node]);
        const auto middle = std::stable_partition(begin, end, goes_left) - order_.begin();
        begin_[node.left] = begin_[step.node];
        end_[node.left] = begin_[node.left + 1] = static_cast<std::size_t>(middle);
        end_[node.left + 1] = end_[step.node];
    }

    std::span<const std::uint32_t> rows_of(std::size_t node) const {
        return {order_.data() + begin_[node], end_[node] - begin_[node]};
    }

    // The node as a leaf, to be scored by.
    const Leaves& leaf_of(const Step& step, const TreeNode& node) {
        write_leaf(step, node, leaf_, 0);
        return leaf_;
    }

  private:
    std::vector<std::uint32_t> order_;
    std::vector<std::size_t> begin_;
    std::vector<std::size_t> end_;
    Leaves leaf_;
};

class CandidateScorer : public ScoredRows {
  public:
    CandidateScorer(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
                    HeldOut& held_out, const LeafOrigin* origin, const std::vector<char>& left_to_others = {})
        : ScoredRows(grown, data, options, held_out.rows.size(), origin),
          left_to_others_(left_to_others),
          held_out_(held_out),
          point_(data.n_columns()) {
        held_out.density.resize(held_out.candidates.size() * held_out.rows.size(), 0.0);
    }

  private:
    std::uint32_t scored_bin(std::size_t i, std::size_t j) const override {
        return bin_of(held_out_.rows[i], j);
    }

    // Adds the node's density to every candidate at which a tree would have stopped here.
    void arrive(const Step& step, const TreeNode& node) override {
        if (!left_to_others_.empty() && left_to_others_[step.node] != 0) return;
        candidates_.clear();
        for (std::size_t l = 0; l < held_out_.candidates.size(); ++l) {
            const double candidate = held_out_.candidates[l];
            if (step.parent_count >= candidate && (node.count < candidate || node.is_leaf()))
                candidates_.push_back(l);
        }
        const std::span<const std::uint32_t> rows = rows_of(step.node);
        if (candidates_.empty() || rows.empty()) return;
        // Of histograms and boxes what the walk knows is enough, without rounding to bytes.
        const bool fits = options_.kind != LeafKind::histogram && options_.kind != LeafKind::uniform;
        const Leaves* leaf = fits ? &leaf_of(step, node) : nullptr;
        const std::size_t n = held_out_.rows.size();
        for (std::uint32_t i : rows) {
            const std::uint32_t row = held_out_.rows[i];
            const double density =
                fits ? fitted_density(*leaf, step, row) : node.mass * box_density_at(step, row);
            for (std::size_t l : candidates_) held_out_.density[l * n + i] += density;
        }
    }

    double fitted_density(const Leaves& leaf, const Step& step, std::size_t row) {
        for (std::size_t j = 0; j < n_columns_; ++j) point_[j] = data_.place(row, j);
        return std::exp(leaf.log_scale[0] + log_weight_at(leaf, 0, *step.box, point_.data()));
    }

    std::vector<char> left_to_others_;  // of each node; empty: none
    HeldOut& held_out_;
    std::vector<std::size_t> candidates_;
    std::vector<double> point_;
};

class NodeLosses : public ScoredRows {
  public:
    NodeLosses(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
               const WeightedPoints& at, bool squared_error)
        : ScoredRows(grown, data, options, at.n_rows),
          at_(at),
          squared_error_(squared_error),
          loss_(grown.tree.nodes.size(), 0.0) {
        for (std::size_t i = 0; i < at.n_rows; ++i) total_ += at.weight(i);
    }

    std::vector<double> take() { return std::move(loss_); }

  private:
    // Capped, so that sums of losses are finite: with many columns boxes of close rows are thinner than any
    // double.
    static double capped_exp(double x) { return std::exp(std::min(x, 600.0)); }

    std::uint32_t scored_bin(std::size_t i, std::size_t j) const override {
        return grown_.columns[j].bin_of(at_.points[i * n_columns_ + j]);
    }

    void arrive(const Step& step, const TreeNode& node) override {
        const std::span<const std::uint32_t> rows = rows_of(step.node);
        if (node.mass <= 0.0) {  // without a prior: nothing is expected here
            for (std::uint32_t i : rows)
                loss_[step.node] += at_.weight(i) > 0.0 && !squared_error_ ? HUGE_VAL : 0.0;
            return;
        }
        if (rows.empty() && !squared_error_) return;
        const Leaves& leaf = leaf_of(step, node);
        double sum = 0.0;
        for (std::uint32_t i : rows) {
            const double log_density =
                leaf.log_scale[0] + log_weight_at(leaf, 0, *step.box, at_.points + i * n_columns_);
            sum += at_.weight(i) * (squared_error_ ? capped_exp(log_density) : log_density);
        }
        loss_[step.node] = squared_error_ ? capped_exp(log_squared_integral(leaf, 0, node.mass, *step.box)) -
                                                2.0 * sum / total_
                                          : -sum;
    }

    const WeightedPoints& at_;
    bool squared_error_;
    double total_ = 0.0;
    std::vector<double> loss_;
};

}  // namespace

void score_held_out(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
                    HeldOut& held_out, const LeafOrigin* origin) {
    check_leaf_options(options, data.n_columns());
    CandidateScorer(grown, data, options, held_out, origin).walk();
}

void score_held_out_by_counts(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
                              std::span<const double> counts, const std::vector<char>& left_to_others,
                              HeldOut& held_out) {
    check_leaf_options(options, data.n_columns());
    CandidateScorer scorer(grown, data, options, held_out, nullptr, left_to_others);
    scorer.use_counts(counts);
    scorer.walk();
}

std::vector<double> losses_of_fitted_nodes(GrownDensityTree grown, const BinnedRows& data,
                                           const LeafOptions& options, const WeightedPoints& at,
                                           bool squared_error) {
    check_leaf_options(options, data.n_columns());
    for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
        double count = 0.0;
        for (std::size_t k = grown.begin[i]; k < grown.end[i]; ++k) count += data.weight(grown.rows[k]);
        grown.tree.nodes[i].count = count;
    }
    NodeLosses losses(grown, data, options, at, squared_error);
    losses.walk();
    return losses.take();
}

}  // namespace boxwood
