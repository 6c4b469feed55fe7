#include "boxwood/fit_leaves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
        std::vector<double>
            density;  // what the parent's histograms say in this box, normalised: n_bins_ a column
        std::size_t held_begin;
        std::size_t held_end;
        double parent_count;
    };

    void visit(Item&& item, std::vector<Item>& open) {
        const TreeNode& node = grown_.tree.nodes[item.node];
        if (options_.kind == LeafKind::histogram && item.node != 0) update_histograms(item);
        if (held_out_ != nullptr) score_held_out(item, node);
        if (node.is_leaf()) {
            write_leaf(item, node.leaf);
            return;
        }
        const double share = share_of_left(item, node);
        const double c = options_.mass_prior;
        const double left_count = grown_.tree.nodes[node.left].count;
        const double left = node.count + c > 0.0 ? (left_count + c * share) / (node.count + c) : share;
        grown_.tree.nodes[node.left].mass = node.mass * left;
        grown_.tree.nodes[node.left + 1].mass = node.mass * (1.0 - left);
        const std::size_t middle = partition_held_out(item, node);
        for (std::uint32_t side : {1u, 0u}) {
            Item child{node.left + side,
                       item.box.child(grown_.tree, node, side == 0),
                       {},
                       side == 0 ? item.held_begin : middle,
                       side == 0 ? middle : item.held_end,
                       node.count};
            child.density = restrict_to(child.box, item, static_cast<std::size_t>(node.feature));
            open.push_back(std::move(child));
        }
    }

    // Posterior densities of the node: its counts, smoothed over neighbouring bins, and the parent's as
    // prior.
    void update_histograms(Item& item) {
        const TreeNode& node = grown_.tree.nodes[item.node];
        counts_.assign(n_columns_ * n_bins_, 0.0);
        bins_.clear();
        fast_bins_.clear();
        for (std::size_t j = 0; j < n_columns_; ++j) {
            bins_.push_back(bins_of_column(item.box, j, n_bins_));
            fast_bins_.emplace_back(bins_[j]);
        }
        for (std::size_t i = grown_.begin[item.node]; i < grown_.end[item.node]; ++i) {
            const std::size_t row = grown_.rows[i];
            const double w = data_.weight(row);
            for (std::size_t j = 0; j < n_columns_; ++j) {
                counts_[j * n_bins_ + fast_bins_[j].bin_of(cell_of(row, j))] += w;
            }
        }
        widths_.resize(n_bins_);
        const double prior = options_.histogram_prior;
        for (std::size_t j = 0; j < n_columns_; ++j) {
            const std::uint32_t n = bins_[j].n_bins;
            double* counts = counts_.data() + j * n_bins_;
            double* density = item.density.data() + j * n_bins_;
            if (!item.box.categorical(j)) smooth(counts, n);
            bin_widths(item.box, j, bins_[j], widths_.data());
            for (std::size_t b = 0; b < n; ++b) {
                const double share = (counts[b] + prior * density[b] * widths_[b]) / (node.count + prior);
                density[b] = widths_[b] > 0.0 ? share / widths_[b] : 0.0;
            }
        }
    }

    // Weights ¼, ½, ¼, the ends reflected: the total is kept.
    static void smooth(double* counts, std::size_t n) {
        for (int pass = 0; pass < smoothing_passes; ++pass) {
            double before = counts[0];
            for (std::size_t b = 0; b < n; ++b) {
                const double here = counts[b];
                const double after = b + 1 < n ? counts[b + 1] : here;
                counts[b] = 0.5 * here + 0.25 * (before + after);
                before = here;
            }
        }
    }

    std::uint32_t cell_of(std::size_t row, std::size_t j) const {
        return data_.exact(j) ? grown_.columns[j].cell_of(data_.place(row, j)) : data_.cell(row, j);
    }

    // The left part's share under the node's own histogram of the column that is cut.
    double share_of_left(const Item& item, const TreeNode& node) const {
        const auto j = static_cast<std::size_t>(node.feature);
        if (options_.kind != LeafKind::histogram) return grown_.left_share[item.node];
        const double left = mass_in(item.box.child(grown_.tree, node, true), item, j);
        const double right = mass_in(item.box.child(grown_.tree, node, false), item, j);
        return std::clamp(left / (left + right), 1e-9, 1.0 - 1e-9);
    }

    // Mass that the item's histogram along column j gives to a part of its box.
    double mass_in(const Box& part, const Item& item, std::size_t j) const {
        const BinRange bins = bins_of_column(item.box, j, n_bins_);
        const double* density = item.density.data() + j * n_bins_;
        if (!part.categorical(j))
            return mass_between(part.knots(j).u, bins, density, part.low(j), part.high(j));
        double mass = 0.0;
        for (std::size_t k = 0; k < part.n_cells(j); ++k) {
            mass += density[bins.bin_of(part.cell(j, k))] * part.width_of_cells(j, k, k + 1);
        }
        return mass;
    }

    // Integral of a histogram over cells low … high − 1 of its range.
    static double mass_between(const std::vector<double>& u, const BinRange& bins, const double* density,
                               std::uint32_t low, std::uint32_t high) {
        double mass = 0.0;
        for (std::uint32_t b = bins.bin_of(low); b < bins.n_bins && bins.begin(b) < high; ++b) {
            const double from = u[std::max(low, bins.begin(b))];
            const double to = u[std::min(high, bins.begin(b + 1))];
            mass += density[b] * (to - from);
        }
        return mass;
    }

    // A node's histograms inside the box of its child: as they are, but for the column that was cut.
    std::vector<double> restrict_to(const Box& box, const Item& item, std::size_t cut) const {
        std::vector<double> density = item.density;
        if (options_.kind != LeafKind::histogram) return density;
        const double total = mass_in(box, item, cut);
        const double* from = item.density.data() + cut * n_bins_;
        double* to = density.data() + cut * n_bins_;
        if (box.categorical(cut)) {  // its bins do not depend on the box
            for (std::size_t b = 0; b < n_bins_; ++b) to[b] = from[b] / total;
            return density;
        }
        const std::vector<double>& u = box.knots(cut).u;
        const BinRange parent = bins_of_column(item.box, cut, n_bins_);
        const BinRange bins = bins_of_column(box, cut, n_bins_);
        for (std::uint32_t b = 0; b < bins.n_bins; ++b) {
            const double mass = mass_between(u, parent, from, bins.begin(b), bins.begin(b + 1));
            to[b] = mass / (u[bins.begin(b + 1)] - u[bins.begin(b)]) / total;
        }
        return density;
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

    double density_at(const Item& item, std::size_t row) const {
        double product = 1.0;
        for (std::size_t j = 0; j < n_columns_; ++j) {
            if (options_.kind == LeafKind::histogram) {
                const BinRange bins = bins_of_column(item.box, j, n_bins_);
                product *= item.density[j * n_bins_ + bins.bin_of(cell_of(row, j))];
            } else {
                product /= item.box.width(j);
            }
        }
        return product;
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
        for (std::size_t j = 0; j < n_columns_; ++j) {
            const BinRange bins = bins_of_column(item.box, j, n_bins_);
            const double* density = item.density.data() + j * n_bins_;
            const double largest = *std::max_element(density, density + bins.n_bins);
            std::uint8_t* levels = leaves_.levels.data() + (leaf * n_columns_ + j) * n_bins_;
            for (std::size_t b = 0; b < bins.n_bins; ++b) {
                const double level = 255.0 + levels_per_octave * std::log2(density[b] / largest);
                levels[b] = static_cast<std::uint8_t>(std::clamp(std::round(level), 0.0, 255.0));
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
    std::vector<BinRange> bins_;
    std::vector<FastBins> fast_bins_;
};

}  // namespace

Leaves fit_leaves(GrownTree& grown, const GrowData& data, const LeafOptions& options, HeldOut* held_out) {
    return LeafFitter(grown, data, options, held_out).fit();
}

}  // namespace boxwood
