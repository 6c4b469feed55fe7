#include "boxwood/fit_leaves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "boxwood/fast_log.hpp"

namespace boxwood {

namespace {

constexpr int smoothing_passes = 2;

// Walks down a tree with a box and the densities of its histograms; a stack, since trees may be deep.
class LeafFitter {
  public:
    LeafFitter(GrownTree& grown, const GrowData& data, const LeafOptions& options, HeldOut* held_out)
        : grown_(grown),
          data_(data),
          options_(options),
          held_out_(held_out),
          n_columns_(data.n_columns()),
          n_bins_(options.kind == LeafKind::histogram ? options.n_bins : 1) {
        if (held_out != nullptr) order_held_out();
        leaves_.kind = options.kind;
        const std::size_t n_leaves = grown.tree.n_leaves;
        if (options.kind == LeafKind::histogram) {
            leaves_.n_bins = options.n_bins;
            leaves_.levels.assign(n_leaves * n_columns_ * n_bins_, 0);
        } else if (options.kind == LeafKind::gaussian) {
            leaves_.mean.assign(n_leaves * n_columns_, 0.0f);
            leaves_.deviation.assign(n_leaves * n_columns_, 0.0f);
        }
    }

    Leaves fit() {
        Item root{0,
                  Box(grown_.columns),
                  std::vector<double>(n_columns_ * n_bins_, 1.0),
                  0,
                  held_out_ == nullptr ? 0 : held_out_->rows.size(),
                  std::numeric_limits<double>::infinity()};
        start_with_uniform(root);
        grown_.tree.nodes[0].mass = 1.0;
        std::vector<Item> open;
        open.push_back(std::move(root));
        while (!open.empty()) {
            Item item = std::move(open.back());
            open.pop_back();
            visit(std::move(item), open);
        }
        return std::move(leaves_);
    }

  private:
    struct Item {
        std::uint32_t node;
        Box box;
        // Mass of each bin by the node's histograms, or, before it is visited, by its parent's in the node's
        // box: n_bins_ a column.
        std::vector<double> shares;
        std::size_t held_begin;
        std::size_t held_end;
        double parent_count;
    };

    void start_with_uniform(Item& root) {
        root.shares.assign(n_columns_ * n_bins_, 0.0);
        for (std::size_t j = 0; j < n_columns_; ++j) {
            bin_widths(root.box, j, bins_of_column(root.box, j, n_bins_), root.shares.data() + j * n_bins_);
        }
    }

    void visit(Item&& item, std::vector<Item>& open) {
        const TreeNode& node = grown_.tree.nodes[item.node];
        if (options_.kind == LeafKind::histogram && item.node != 0) update_histograms(item);
        if (held_out_ != nullptr) score_held_out(item, node);
        if (node.is_leaf()) {
            write_leaf(item, node.leaf);
            return;
        }
        const std::size_t middle = partition_held_out(item, node);
        Item left{node.left, item.box.child(grown_.tree, node, true), {}, item.held_begin, middle,
                  node.count};
        Item right{node.left + 1, item.box.child(grown_.tree, node, false), {}, middle, item.held_end,
                   node.count};
        const double share = hand_down(item, node, left, right);
        const double c = options_.mass_prior;
        const double left_count = grown_.tree.nodes[node.left].count;
        const double left_share = node.count + c > 0.0 ? (left_count + c * share) / (node.count + c) : share;
        grown_.tree.nodes[node.left].mass = node.mass * left_share;
        grown_.tree.nodes[node.left + 1].mass = node.mass * (1.0 - left_share);
        open.push_back(std::move(right));
        open.push_back(std::move(left));
    }

    // Posterior masses of the node's bins: its counts, smoothed over neighbouring bins, and the parent's as
    // prior.
    void update_histograms(Item& item) {
        const TreeNode& node = grown_.tree.nodes[item.node];
        counts_.assign(n_columns_ * n_bins_, 0.0);
        bins_.clear();
        for (std::size_t j = 0; j < n_columns_; ++j) bins_.emplace_back(bins_of_column(item.box, j, n_bins_));
        for (std::size_t i = grown_.begin[item.node]; i < grown_.end[item.node]; ++i) {
            const std::size_t row = grown_.rows[i];
            const double w = data_.weight(row);
            for (std::size_t j = 0; j < n_columns_; ++j) {
                counts_[j * n_bins_ + bins_[j].bin_of(cell_of(row, j))] += w;
            }
        }
        for (std::size_t j = 0; j < n_columns_; ++j) {
            if (!item.box.categorical(j)) smooth(item.box, j);
        }
        const double prior = options_.histogram_prior;
        const double scale = 1.0 / (node.count + prior);
        for (std::size_t k = 0; k < counts_.size(); ++k) {
            item.shares[k] = (counts_[k] + prior * item.shares[k]) * scale;
        }
    }

    // Neighbouring bins exchange a quarter of their difference in density times the width of the narrower
    // one: of equal widths these are the weights ¼, ½, ¼. The total is kept, a constant density stays what it
    // is, and a wide bin (an atom, missing values) gives little to narrow neighbours.
    void smooth(const Box& box, std::size_t j) {
        const BinRange bins = bins_of_column(box, j, n_bins_);
        double* counts = counts_.data() + j * n_bins_;
        widths_.resize(n_bins_);
        bin_widths(box, j, bins, widths_.data());
        for (int pass = 0; pass < smoothing_passes; ++pass) {
            double from_left = 0.0;
            for (std::size_t b = 0; b < bins.n_bins; ++b) {
                double from_right = 0.0;
                if (b + 1 < bins.n_bins) {
                    const double ratio = widths_[b + 1] / widths_[b];
                    from_right = ratio > 1.0 ? 0.25 * (counts[b + 1] / ratio - counts[b])
                                             : 0.25 * (counts[b + 1] - counts[b] * ratio);
                }
                counts[b] += from_right - from_left;
                from_left = from_right;
            }
        }
    }

    std::uint32_t cell_of(std::size_t row, std::size_t j) const {
        return data_.exact(j) ? grown_.columns[j].cell_of(data_.place(row, j)) : data_.cell(row, j);
    }

    // Gives the children their parent's histograms, restricted to their boxes, and returns the share of the
    // left one under the parent's histogram of the column that is cut.
    double hand_down(const Item& item, const TreeNode& node, Item& left, Item& right) {
        const auto j = static_cast<std::size_t>(node.feature);
        if (options_.kind != LeafKind::histogram) return grown_.left_share[item.node];
        left.shares = item.shares;
        right.shares = item.shares;
        const double left_mass = restrict_column(item, j, left);
        const double right_mass = restrict_column(item, j, right);
        return std::clamp(left_mass / (left_mass + right_mass), 1e-9, 1.0 - 1e-9);
    }

    // The parent's histogram of one column inside the child's box, normalised; returns its mass there.
    double restrict_column(const Item& item, std::size_t j, Item& child) {
        const BinRange from = bins_of_column(item.box, j, n_bins_);
        const BinRange to = bins_of_column(child.box, j, n_bins_);
        const double* shares = item.shares.data() + j * n_bins_;
        double* out = child.shares.data() + j * n_bins_;
        widths_.resize(n_bins_);
        bin_widths(item.box, j, from, widths_.data());
        std::fill(out, out + n_bins_, 0.0);
        const std::vector<double>& u = child.box.knots(j).u;
        if (child.box.categorical(j)) {  // bins do not depend on the box
            for (std::uint32_t cell : child.box.members(j)) {
                const std::uint32_t b = from.bin_of(cell);
                out[b] += shares[b] * (u[cell + 1] - u[cell]) / widths_[b];
            }
        } else {
            std::uint32_t k = from.bin_of(to.first_cell);
            for (std::uint32_t b = 0; b < to.n_bins; ++b) {
                const std::uint32_t low = to.begin(b);
                const std::uint32_t high = to.begin(b + 1);
                while (from.begin(k + 1) <= low) ++k;
                for (std::uint32_t i = k; i < from.n_bins && from.begin(i) < high; ++i) {
                    const double part =
                        u[std::min(high, from.begin(i + 1))] - u[std::max(low, from.begin(i))];
                    out[b] += shares[i] * part / widths_[i];
                }
            }
        }
        double mass = 0.0;
        for (std::size_t b = 0; b < n_bins_; ++b) mass += out[b];
        const double scale = mass > 0.0 ? 1.0 / mass : 0.0;
        for (std::size_t b = 0; b < n_bins_; ++b) out[b] *= scale;
        return mass;
    }

    void score_held_out(const Item& item, const TreeNode& node) {
        const std::size_t n = held_out_->rows.size();
        for (std::size_t l = 0; l < held_out_->ladder.size(); ++l) {
            const double rung = held_out_->ladder[l];
            const bool stops_here = item.parent_count >= rung && (node.count < rung || node.is_leaf());
            if (!stops_here) continue;
            for (std::size_t i = item.held_begin; i < item.held_end; ++i) {
                held_out_->density[l * n + held_order_[i]] +=
                    node.mass * density_at(item, held_out_->rows[held_order_[i]]);
            }
        }
    }

    double density_at(const Item& item, std::size_t row) {
        double product = 1.0;
        for (std::size_t j = 0; j < n_columns_; ++j) {
            if (options_.kind == LeafKind::histogram) {
                const BinRange bins = bins_of_column(item.box, j, n_bins_);
                const std::uint32_t b = bins.bin_of(cell_of(row, j));
                product *= item.shares[j * n_bins_ + b] / width_of_bin(item.box, j, bins, b);
            } else {
                product /= item.box.width(j);
            }
        }
        return product;
    }

    double width_of_bin(const Box& box, std::size_t j, const BinRange& bins, std::uint32_t b) {
        if (!box.categorical(j)) return box.knots(j).u[bins.begin(b + 1)] - box.knots(j).u[bins.begin(b)];
        widths_.resize(n_bins_);
        bin_widths(box, j, bins, widths_.data());
        return widths_[b];
    }

    std::size_t partition_held_out(const Item& item, const TreeNode& node) {
        if (held_out_ == nullptr) return 0;
        const auto j = static_cast<std::size_t>(node.feature);
        const auto goes_left = [&](std::uint32_t i) {
            const std::uint32_t cell = cell_of(held_out_->rows[i], j);
            return grown_.tree.goes_left(node, cell, item.box.categorical(j));
        };
        const auto begin = held_order_.begin() + static_cast<std::ptrdiff_t>(item.held_begin);
        const auto end = held_order_.begin() + static_cast<std::ptrdiff_t>(item.held_end);
        return item.held_begin +
               static_cast<std::size_t>(std::stable_partition(begin, end, goes_left) - begin);
    }

    void write_leaf(const Item& item, std::size_t leaf) {
        if (options_.kind == LeafKind::histogram) write_levels(item, leaf);
        if (options_.kind == LeafKind::gaussian) write_gaussians(item, leaf);
    }

    void write_levels(const Item& item, std::size_t leaf) {
        widths_.resize(n_bins_);
        for (std::size_t j = 0; j < n_columns_; ++j) {
            const BinRange bins = bins_of_column(item.box, j, n_bins_);
            bin_widths(item.box, j, bins, widths_.data());
            const double* shares = item.shares.data() + j * n_bins_;
            double largest = 0.0;
            for (std::size_t b = 0; b < bins.n_bins; ++b) {
                if (widths_[b] > 0.0) largest = std::max(largest, widths_[b] = shares[b] / widths_[b]);
            }
            std::uint8_t* levels = leaves_.levels.data() + (leaf * n_columns_ + j) * n_bins_;
            for (std::size_t b = 0; b < bins.n_bins; ++b) {
                const double ratio = widths_[b] / largest;
                if (!(ratio > 1e-9)) continue;  // level 0
                const double level = 255.5 + levels_per_octave * std::numbers::log2e * fast_log(ratio);
                levels[b] = static_cast<std::uint8_t>(std::clamp(level, 0.0, 255.0));
            }
        }
    }

    void write_gaussians(const Item& item, std::size_t leaf) {
        const double floor = options_.deviation_floor / std::sqrt(12.0);
        for (std::size_t j = 0; j < n_columns_; ++j) {
            double n = 0.0;
            double sum = 0.0;
            double squares = 0.0;
            const std::size_t begin = grown_.begin[item.node];
            for (std::size_t i = begin; i < grown_.end[item.node]; ++i) {
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
    }

    // Rows are partitioned by their position in HeldOut::rows, so that densities keep their order.
    void order_held_out() {
        held_order_.resize(held_out_->rows.size());
        for (std::size_t i = 0; i < held_order_.size(); ++i) held_order_[i] = static_cast<std::uint32_t>(i);
        held_out_->density.resize(held_out_->ladder.size() * held_out_->rows.size(), 0.0);
    }

    GrownTree& grown_;
    const GrowData& data_;
    const LeafOptions& options_;
    HeldOut* held_out_;
    std::size_t n_columns_;
    std::size_t n_bins_;
    Leaves leaves_;
    std::vector<std::uint32_t> held_order_;
    std::vector<double> counts_;
    std::vector<double> widths_;
    std::vector<FastBins> bins_;
};

}  // namespace

Leaves fit_leaves(GrownTree& grown, const GrowData& data, const LeafOptions& options, HeldOut* held_out) {
    if (options.kind == LeafKind::histogram && (options.n_bins < 1 || options.n_bins > 1024))
        throw std::invalid_argument("a histogram has 1 to 1024 bins");
    return LeafFitter(grown, data, options, held_out).fit();
}

}  // namespace boxwood
