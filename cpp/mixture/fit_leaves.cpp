#include "mixture/fit_leaves.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/log_product.hpp"
#include "mixture/histogram_kernels.hpp"
#include "mixture/leaf_density.hpp"

namespace boxwood {

namespace {

// A Gaussian of this deviation is constant on [0, 1] up to one part in 10⁹.
constexpr float constant_deviation = 1e4f;

// The bins of one column inside a box, as the fitter keeps those of all columns.
struct ColumnLeafBins {
    LeafBinRange range{1, 0, 1};
    FastLeafBins fast{range};
    std::vector<std::uint32_t> begin;  // first bin of each bin, and the end of the last
    std::vector<double> width;
    std::vector<double> inverse;  // 1/width; 0 where a bin has none
    // Neighbouring bins exchange a quarter of their difference in density times the width of the narrower
    // one: of equal widths these are the weights ¼, ½, ¼. The total is kept, a constant density stays what it
    // is, and a wide bin (an atom, missing values) gives little to narrow neighbours. A bin gets `gets` of
    // what its right neighbour has, and gives `gives` of what it has itself.
    std::vector<double> gets;
    std::vector<double> gives;

    void set(const Box& box, std::size_t j, std::size_t most_leaf_bins) {
        range = leaf_bins_of_column(box, j, most_leaf_bins);
        fast = FastLeafBins(range);
        begin.resize(most_leaf_bins + 1);
        range.for_each_begin([&](std::uint32_t b, std::uint32_t bin) { begin[b] = bin; });
        width.assign(most_leaf_bins, 0.0);
        leaf_bin_widths(box, j, range, width.data());
        inverse.resize(most_leaf_bins);
        for (std::size_t b = 0; b < most_leaf_bins; ++b) inverse[b] = width[b] > 0.0 ? 1.0 / width[b] : 0.0;
        gets.assign(most_leaf_bins, 0.0);
        gives.assign(most_leaf_bins, 0.0);
        if (box.categorical(j)) return;
        for (std::size_t b = 0; b + 1 < range.n_leaf_bins; ++b) {
            const double ratio = width[b + 1] * inverse[b];
            gets[b] = ratio > 1.0 ? 0.25 * width[b] * inverse[b + 1] : 0.25;
            gives[b] = ratio > 1.0 ? 0.25 : 0.25 * ratio;
        }
    }
};

// Walks down a tree, left halves first, with what it knows of every node on the way: a child differs from its
// parent in the bins of one column.
class LeafFitter {
  public:
    LeafFitter(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options, HeldOut* held_out)
        : grown_(grown),
          data_(data),
          options_(options),
          held_out_(held_out),
          n_columns_(data.n_columns()),
          n_leaf_bins_(options.kind == LeafKind::histogram ? options.n_leaf_bins : 1),
          has_histograms_(options.kind == LeafKind::histogram),
          leaf_bins_(n_columns_) {
        for (std::vector<double>* part : {&gets_, &gives_, &smooth_, &flow_})
            part->assign(n_columns_ * n_leaf_bins_ + 1, 0.0);
        const auto is_one = [&](std::uint32_t row) { return data.weight(row) == 1.0; };
        if (!std::all_of(grown.rows.begin(), grown.rows.end(), is_one)) {
            for (std::uint32_t row : grown.rows) weights_.push_back(data.weights[row]);
        }
        leaves_.kind = options.kind;
        if (held_out != nullptr) {
            order_held_out();
            return;
        }
        const std::size_t n_leaves = grown.tree.n_leaves;
        leaves_.log_scale.assign(n_leaves, 0.0);
        if (has_histograms_) {
            leaves_.n_leaf_bins = options.n_leaf_bins;
            leaves_.quantised.assign(n_leaves * n_columns_ * n_leaf_bins_, 0);
        } else if (options.kind == LeafKind::gaussian) {
            leaves_.mean.assign(n_leaves * n_columns_, 0.0f);
            leaves_.deviation.assign(n_leaves * n_columns_, 0.0f);
        }
    }

    Leaves fit() {
        start();
        while (true) {
            Step& step = way_[depth_];
            const TreeNode& node = grown_.tree.nodes[step.node];
            if (!node.is_leaf() && step.n_visited < 2) {
                if (step.n_visited == 0) divide(step, node);
                go_down(step, node, step.n_visited++ == 0);
                continue;
            }
            if (node.is_leaf() && held_out_ == nullptr) write_leaf(step, node);
            if (depth_ == 0) return std::move(leaves_);
            go_up();
        }
    }

  private:
    // A node on the way down.
    struct Step {
        std::uint32_t node = 0;
        std::optional<Box> box;
        std::vector<double> counts;     // rows in each bin, n_bins_ a column
        std::vector<double> fractions;  // mass of each bin by the node's histograms
        std::size_t held_begin = 0;
        std::size_t held_end = 0;
        double parent_count = std::numeric_limits<double>::infinity();
        ColumnLeafBins parent_leaf_bins;  // of the column that was split to come here
        // Of its halves.
        int n_visited = 0;
        std::size_t held_middle = 0;
        std::vector<double> small_counts;  // of the half with fewer rows, by the node's bins
        std::optional<Box> halves[2];
        std::vector<double> restricted[2];  // the histogram of the column that is split, in either half
    };

    void start() {
        way_.emplace_back();
        Step& root = way_[0];
        root.box.emplace(grown_.columns);
        root.held_end = held_out_ == nullptr ? 0 : held_out_->rows.size();
        grown_.tree.nodes[0].mass = 1.0;
        // The root's histograms are uniform: the margins are exactly that.
        root.fractions.assign(n_columns_ * n_leaf_bins_, 0.0);
        root.counts.assign(n_columns_ * n_leaf_bins_, 0.0);
        for (std::size_t j = 0; j < n_columns_; ++j) {
            leaf_bins_[j].set(*root.box, j, n_leaf_bins_);
            put_flows(j);
            std::copy(leaf_bins_[j].width.begin(), leaf_bins_[j].width.end(), root.fractions.begin() + at(j));
        }
        if (has_histograms_) count_columns(0, 0, n_columns_, root.counts.data());
        if (held_out_ != nullptr) score_held_out(root, grown_.tree.nodes[0]);
    }

    void put_flows(std::size_t j) {
        std::copy(leaf_bins_[j].gets.begin(), leaf_bins_[j].gets.end(), gets_.begin() + at(j));
        std::copy(leaf_bins_[j].gives.begin(), leaf_bins_[j].gives.end(), gives_.begin() + at(j));
    }

    std::ptrdiff_t at(std::size_t j) const { return static_cast<std::ptrdiff_t>(j * n_leaf_bins_); }

    // What both halves of a node need.
    void divide(Step& step, const TreeNode& node) {
        const auto j = static_cast<std::size_t>(node.feature);
        step.held_middle = partition_held_out(step, node);
        double fraction = grown_.left_fraction[step.node];
        for (std::size_t side : {0u, 1u}) {
            if (!step.halves[side]) step.halves[side] = step.box;
            step.halves[side]->take_child(*step.box, grown_.tree, node, side == 0);
        }
        if (has_histograms_) {
            double mass[2];
            for (std::size_t side : {0u, 1u})
                mass[side] = restrict_column(step, j, *step.halves[side], step.restricted[side]);
            fraction = std::clamp(mass[0] / (mass[0] + mass[1]), 1e-9, 1.0 - 1e-9);
            step.small_counts.assign(n_columns_ * n_leaf_bins_, 0.0);
            const std::size_t small = node.left + (left_is_smaller(node) ? 0 : 1);
            count_columns(small, 0, j, step.small_counts.data());
            count_columns(small, j + 1, n_columns_, step.small_counts.data());
        }
        const double c = options_.mass_prior;
        const double left_count = grown_.tree.nodes[node.left].count;
        const double left_fraction =
            node.count + c > 0.0 ? (left_count + c * fraction) / (node.count + c) : fraction;
        grown_.tree.nodes[node.left].mass = node.mass * left_fraction;
        grown_.tree.nodes[node.left + 1].mass = node.mass * (1.0 - left_fraction);
    }

    bool left_is_smaller(const TreeNode& node) const {
        const auto size = [&](std::size_t i) { return grown_.end[i] - grown_.begin[i]; };
        return size(node.left) <= size(node.left + 1);
    }

    void go_down(Step& parent, const TreeNode& node, bool left) {
        if (way_.size() == depth_ + 1) way_.emplace_back();  // a deque: steps stay where they are
        Step& step = way_[++depth_];
        const auto j = static_cast<std::size_t>(node.feature);
        step.node = node.left + (left ? 0 : 1);
        std::swap(step.box, parent.halves[left ? 0 : 1]);
        step.held_begin = left ? parent.held_begin : parent.held_middle;
        step.held_end = left ? parent.held_middle : parent.held_end;
        step.parent_count = node.count;
        step.n_visited = 0;
        if (has_histograms_) {
            std::swap(step.parent_leaf_bins, leaf_bins_[j]);
            leaf_bins_[j].set(*step.box, j, n_leaf_bins_);
            put_flows(j);
            take_counts(parent, step, j, left == left_is_smaller(node));
            update_histograms(parent, step, j, left ? 0 : 1);
        }
        if (held_out_ != nullptr) score_held_out(step, grown_.tree.nodes[step.node]);
    }

    void go_up() {
        Step& step = way_[depth_--];
        if (!has_histograms_) return;
        const auto j = static_cast<std::size_t>(grown_.tree.nodes[way_[depth_].node].feature);
        std::swap(step.parent_leaf_bins, leaf_bins_[j]);
        put_flows(j);
    }

    // The smaller half was counted; the larger one has the rest.
    void take_counts(const Step& parent, Step& step, std::size_t j, bool is_smaller) {
        step.counts = parent.small_counts;
        if (!is_smaller) {
            for (std::size_t k = 0; k < step.counts.size(); ++k)
                step.counts[k] = parent.counts[k] - parent.small_counts[k];
        }
        std::fill_n(step.counts.begin() + at(j), n_leaf_bins_, 0.0);
        count_columns(step.node, j, j + 1, step.counts.data());
    }

    // Row by row: a large node's rows are read once, not once a column.
    void count_columns(std::size_t node, std::size_t first, std::size_t last, double* counts) const {
        for (std::size_t i = grown_.begin[node]; i < grown_.end[node]; ++i) {
            const double weight = weights_.empty() ? 1.0 : weights_[i];
            for (std::size_t j = first; j < last; ++j)
                counts[j * n_leaf_bins_ + leaf_bins_[j].fast.leaf_bin_of(bin_at(i, j))] += weight;
        }
    }

    // Posterior masses of the node's bins: its counts, smoothed over neighbouring bins, and the parent's as
    // prior.
    void update_histograms(const Step& parent, Step& step, std::size_t split_column, std::size_t side) {
        const double prior = options_.histogram_prior;
        step.fractions = parent.fractions;
        std::copy(parent.restricted[side].begin(), parent.restricted[side].end(),
                  step.fractions.begin() + at(split_column));
        shrink_({step.counts.data(), gets_.data(), gives_.data(), step.counts.size(), prior,
                 1.0 / (grown_.tree.nodes[step.node].count + prior), smooth_.data(), flow_.data(),
                 step.fractions.data()});
    }

    std::uint32_t bin_of(std::size_t row, std::size_t j) const {
        return data_.exact(j) ? grown_.columns[j].bin_of(data_.place(row, j)) : data_.bin(row, j);
    }

    // Of the row at a place of the tree's order.
    std::uint32_t bin_at(std::size_t i, std::size_t j) const {
        if (grown_.bins.empty() || data_.exact(j)) return bin_of(grown_.rows[i], j);
        return grown_.bins[i * grown_.bin_stride + j];
    }

    // The node's histogram of one column inside the box of a half, normalised; returns its mass there.
    double restrict_column(const Step& step, std::size_t j, const Box& half, std::vector<double>& out) {
        const LeafBinRange& from = leaf_bins_[j].range;
        const std::vector<double>& inverse = leaf_bins_[j].inverse;
        const LeafBinRange to = leaf_bins_of_column(half, j, n_leaf_bins_);
        const double* fractions = step.fractions.data() + at(j);
        out.assign(n_leaf_bins_, 0.0);
        const std::vector<double>& u = half.bin_edges(j).u;
        if (half.categorical(j)) {  // bins do not depend on the box
            for (std::uint32_t bin : half.members(j)) {
                const std::uint32_t b = from.leaf_bin_of(bin);
                out[b] += fractions[b] * (u[bin + 1] - u[bin]) * inverse[b];
            }
        } else {
            const std::vector<std::uint32_t>& begin = leaf_bins_[j].begin;
            std::uint32_t i = from.leaf_bin_of(to.first_bin);
            std::uint32_t low = to.first_bin;
            to.for_each_begin([&](std::uint32_t b, std::uint32_t high) {
                // Bins of the node that overlap the half's bin b − 1, from `low` to `high`.
                while (low < high) {
                    const std::uint32_t end = std::min(high, begin[i + 1]);
                    out[b - 1] += fractions[i] * (u[end] - u[low]) * inverse[i];
                    low = end;
                    if (end == begin[i + 1]) ++i;
                }
            });
        }
        double mass = 0.0;
        for (double part : out) mass += part;
        const double scale = mass > 0.0 ? 1.0 / mass : 0.0;
        for (double& part : out) part *= scale;
        return mass;
    }

    // Adds the node's density to every candidate at which a tree would have stopped here.
    void score_held_out(const Step& step, const TreeNode& node) {
        candidates_.clear();
        for (std::size_t l = 0; l < held_out_->candidates.size(); ++l) {
            const double candidate = held_out_->candidates[l];
            if (step.parent_count >= candidate && (node.count < candidate || node.is_leaf()))
                candidates_.push_back(l);
        }
        if (candidates_.empty()) return;
        const std::size_t n = held_out_->rows.size();
        for (std::size_t i = step.held_begin; i < step.held_end; ++i) {
            const double density = node.mass * density_at(step, held_out_->rows[held_order_[i]]);
            for (std::size_t l : candidates_) held_out_->density[l * n + held_order_[i]] += density;
        }
    }

    double density_at(const Step& step, std::size_t row) const {
        double product = 1.0;
        for (std::size_t j = 0; j < n_columns_; ++j) {
            if (has_histograms_) {
                const std::uint32_t b = leaf_bins_[j].fast.leaf_bin_of(bin_of(row, j));
                product *= step.fractions[j * n_leaf_bins_ + b] * leaf_bins_[j].inverse[b];
            } else {
                product /= step.box->width(j);
            }
        }
        return product;
    }

    std::size_t partition_held_out(const Step& step, const TreeNode& node) {
        if (held_out_ == nullptr) return 0;
        const auto j = static_cast<std::size_t>(node.feature);
        const auto goes_left = [&](std::uint32_t i) {
            const std::uint32_t bin = bin_of(held_out_->rows[i], j);
            return grown_.tree.goes_left(node, bin, step.box->categorical(j));
        };
        const auto begin = held_order_.begin() + static_cast<std::ptrdiff_t>(step.held_begin);
        const auto end = held_order_.begin() + static_cast<std::ptrdiff_t>(step.held_end);
        return step.held_begin +
               static_cast<std::size_t>(std::stable_partition(begin, end, goes_left) - begin);
    }

    void write_leaf(const Step& step, const TreeNode& node) {
        if (has_histograms_) write_quantised(step, node.leaf);
        if (options_.kind == LeafKind::gaussian) write_gaussians(step, node.leaf);
        // Nothing else than `log_scale_of` computes, to the bit; of histograms the widths are known here.
        leaves_.log_scale[node.leaf] = has_histograms_
                                           ? log_scale_of_histograms(node)
                                           : log_scale_of(leaves_, node.leaf, node.mass, *step.box);
    }

    double log_scale_of_histograms(const TreeNode& node) const {
        LogProduct product(node.mass);
        for (std::size_t j = 0; j < n_columns_; ++j) {
            const std::uint8_t* quantised = leaves_.quantised_of(node.leaf, j, n_columns_);
            product.divide_by(
                histogram_integral(quantised, leaf_bins_[j].width.data(), leaf_bins_[j].range.n_leaf_bins));
        }
        return product.log();
    }

    void write_quantised(const Step& step, std::size_t leaf) {
        density_.resize(n_leaf_bins_);
        for (std::size_t j = 0; j < n_columns_; ++j) {
            const ColumnLeafBins& leaf_bins = leaf_bins_[j];
            const double* fractions = step.fractions.data() + at(j);
            double largest = 0.0;
            for (std::size_t b = 0; b < leaf_bins.range.n_leaf_bins; ++b) {
                density_[b] = fractions[b] * leaf_bins.inverse[b];
                largest = std::max(largest, density_[b]);
            }
            const double scale = 1.0 / largest;
            std::uint8_t* quantised = leaves_.quantised.data() + (leaf * n_columns_ + j) * n_leaf_bins_;
            for (std::size_t b = 0; b < leaf_bins.range.n_leaf_bins; ++b)
                quantised[b] = quantise(density_[b] * scale);
        }
    }

    void write_gaussians(const Step& step, std::size_t leaf) {
        const double floor = options_.deviation_floor / std::sqrt(12.0);
        for (std::size_t j = 0; j < n_columns_; ++j) {
            double n = 0.0;
            double sum = 0.0;
            double squares = 0.0;
            const std::size_t begin = grown_.begin[step.node];
            for (std::size_t i = begin; i < grown_.end[step.node]; ++i) {
                const double w = data_.weight(grown_.rows[i]);
                const double x = data_.place(grown_.rows[i], j);
                n += w;
                sum += w * x;
                squares += w * x * x;
            }
            const double mean = n > 0.0 ? sum / n : 0.5;
            const double variance = n > 0.0 ? std::max(squares / n - mean * mean, 0.0) : 1.0;
            leaves_.mean[leaf * n_columns_ + j] = static_cast<float>(mean);
            leaves_.deviation[leaf * n_columns_ + j] =
                static_cast<float>(std::max(std::sqrt(variance), floor));
        }
        // The density of an atom is that of its whole interval, but a Gaussian is evaluated at its middle.
        for (std::size_t j : options_.constant_columns) {
            leaves_.mean[leaf * n_columns_ + j] = 0.5f;
            leaves_.deviation[leaf * n_columns_ + j] = constant_deviation;
        }
    }

    // Rows are partitioned by their position in HeldOut::rows, so that densities keep their order.
    void order_held_out() {
        held_order_.resize(held_out_->rows.size());
        for (std::size_t i = 0; i < held_order_.size(); ++i) held_order_[i] = static_cast<std::uint32_t>(i);
        held_out_->density.resize(held_out_->candidates.size() * held_out_->rows.size(), 0.0);
    }

    GrownDensityTree& grown_;
    const BinnedRows& data_;
    const LeafOptions& options_;
    HeldOut* held_out_;
    std::size_t n_columns_;
    std::size_t n_leaf_bins_;
    bool has_histograms_;
    Leaves leaves_;
    std::vector<std::uint32_t> held_order_;
    std::deque<Step> way_;  // from the root to where we are, and beyond it room that is used again
    std::size_t depth_ = 0;
    std::vector<ColumnLeafBins> leaf_bins_;  // of every column where we are
    std::vector<double> weights_;            // of the rows in the tree's order; empty: all 1
    ShrinkHistograms shrink_ = shrink_histograms();
    std::vector<double> gets_;  // of all columns' bins, side by side
    std::vector<double> gives_;
    std::vector<double> smooth_;
    std::vector<double> flow_;
    std::vector<double> density_;
    std::vector<std::size_t> candidates_;
};

}  // namespace

Leaves fit_leaves(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
                  HeldOut* held_out) {
    if (options.kind == LeafKind::histogram && (options.n_leaf_bins < 1 || options.n_leaf_bins > 1024))
        throw std::invalid_argument("a histogram has 1 to 1024 bins");
    for (std::size_t j : options.constant_columns) {
        if (j >= data.n_columns()) throw std::invalid_argument("a constant column is not there");
    }
    return LeafFitter(grown, data, options, held_out).fit();
}

}  // namespace boxwood
