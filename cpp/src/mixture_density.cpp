// Scoring: the hot path of every fitted tree and forest.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "boxwood/box.hpp"
#include "boxwood/leaf_density.hpp"
#include "boxwood/mixture.hpp"

namespace boxwood {

namespace {

constexpr std::size_t block_rows = 512;
constexpr std::uint32_t unknown_cell = std::numeric_limits<std::uint32_t>::max();

// Scores blocks of rows, a tree at a time: a tree's nodes and bytes stay in cache for a block.
class BlockScorer {
  public:
    BlockScorer(const Mixture& mixture, const double* points, std::size_t n_rows)
        : mixture_(mixture), points_(points), n_rows_(n_rows), d_(mixture.n_columns()) {
        for (std::size_t j = 0; j < d_; ++j) {
            categorical_.push_back(mixture.columns()[j].categorical ? 1 : 0);
            n_cells_.push_back(static_cast<std::uint32_t>(mixture.columns()[j].n_cells()));
        }
    }

    template <class Skips>
    void score(std::size_t block, double* out, Skips&& skips) {
        const std::size_t first = block * block_rows;
        const std::size_t n = std::min(block_rows, n_rows_ - first);
        find_cells(first, n);
        // One tree after another over all rows of the block; densities are added in the order of the trees.
        sums_.assign(n, 0.0);
        shares_.assign(n, 0.0);
        shifts_.assign(n, -std::numeric_limits<double>::infinity());
        for (std::size_t t = 0; t < mixture_.n_trees(); ++t) {
            const double weight = mixture_.weights()[t];
            for (std::size_t i = 0; i < n; ++i) {
                if (skips(t, first + i)) continue;
                shares_[i] += weight;
                const double log_density =
                    has_unknown_[i] ? marginal_log_density(t, i) : tree_log_density(t, i);
                add(i, log_density, weight);
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            out[first + i] = shares_[i] > 0.0 ? shifts_[i] + std::log(sums_[i] / shares_[i])
                                              : std::numeric_limits<double>::quiet_NaN();
            if (shares_[i] > 0.0 && sums_[i] == 0.0)
                out[first + i] = -std::numeric_limits<double>::infinity();
        }
    }

  private:
    // sum ← sum + weight·exp(x), kept as sums_·exp(shifts_) so that nothing overflows.
    void add(std::size_t i, double x, double weight) {
        if (x == -std::numeric_limits<double>::infinity()) return;
        if (x > shifts_[i] + 30.0) {
            sums_[i] = sums_[i] == 0.0 ? 0.0 : sums_[i] * std::exp(shifts_[i] - x);
            shifts_[i] = x;
        }
        sums_[i] += weight * std::exp(x - shifts_[i]);
    }

    void find_cells(std::size_t first, std::size_t n) {
        cells_.resize(n * d_);
        has_unknown_.assign(n, 0);
        for (std::size_t j = 0; j < d_; ++j) {
            const Knots& knots = mixture_.columns()[j];
            for (std::size_t i = 0; i < n; ++i) {
                const double point = points_[(first + i) * d_ + j];
                const bool unknown = std::isnan(point);
                cells_[i * d_ + j] = unknown ? unknown_cell : knots.cell_of(point);
                if (unknown) has_unknown_[i] = 1;
            }
        }
        first_ = first;
    }

    // Goes down to the leaf, keeping the ranges of the columns that are cut on the way.
    double tree_log_density(std::size_t t, std::size_t i) {
        const MixtureTree& component = mixture_.trees()[t];
        const std::uint32_t* cells = cells_.data() + i * d_;
        if (component.leaves.kind == LeafKind::histogram) {
            low_.assign(d_, 0);
            high_ = n_cells_;
        }
        std::uint32_t at = 0;
        const TreeNode* node = component.tree.nodes.data();
        while (!node->is_leaf()) {
            const auto j = static_cast<std::size_t>(node->feature);
            const bool left = component.tree.goes_left(*node, cells[j], categorical_[j] != 0);
            if (component.leaves.kind == LeafKind::histogram && categorical_[j] == 0) {
                (left ? high_[j] : low_[j]) = node->cut;
            }
            at = node->left + (left ? 0 : 1);
            node = component.tree.nodes.data() + at;
        }
        return component.log_scale[node->leaf] + log_weight(component.leaves, node->leaf, cells, i);
    }

    double log_weight(const Leaves& leaves, std::size_t leaf, const std::uint32_t* cells,
                      std::size_t i) const {
        if (leaves.kind == LeafKind::uniform) return 0.0;
        if (leaves.kind == LeafKind::gaussian) {
            double sum = 0.0;
            for (std::size_t j = 0; j < d_; ++j) {
                if (categorical_[j]) continue;
                sum += gaussian_log_weight(points_[(first_ + i) * d_ + j], leaves.mean[leaf * d_ + j],
                                           leaves.deviation[leaf * d_ + j]);
            }
            return sum;
        }
        // The bytes are logarithms: they are summed as whole numbers and scaled once.
        std::int64_t levels = 0;
        const std::uint8_t* bytes = leaves.levels_of(leaf, 0, d_);
        for (std::size_t j = 0; j < d_; ++j, bytes += leaves.n_bins) {
            levels += bytes[bins_between(low_[j], high_[j], leaves.n_bins).bin_of(cells[j])];
        }
        return static_cast<double>(levels - 255 * static_cast<std::int64_t>(d_)) * level_step;
    }

    // Sums out the unknown columns: both ways at nodes that cut one of them.
    double marginal_log_density(std::size_t t, std::size_t i) {
        const MixtureTree& component = mixture_.trees()[t];
        const std::uint32_t* cells = cells_.data() + i * d_;
        double sum = 0.0;
        double shift = -std::numeric_limits<double>::infinity();
        std::vector<std::pair<std::uint32_t, Box>> open;
        open.emplace_back(0, Box(mixture_.columns()));
        while (!open.empty()) {
            const auto [at, box] = std::move(open.back());
            open.pop_back();
            const TreeNode& node = component.tree.nodes[at];
            if (node.is_leaf()) {
                if (node.mass == 0.0) continue;
                // Kept as sum·exp(shift): with many columns a density is beyond the range of a double.
                const double x = observed_log_density(component, node, box, i);
                if (x > shift) {
                    sum *= std::exp(shift - x);
                    shift = x;
                }
                if (std::isfinite(x)) sum += std::exp(x - shift);
                continue;
            }
            const auto j = static_cast<std::size_t>(node.feature);
            for (std::uint32_t side : {1u, 0u}) {
                const bool goes =
                    cells[j] == unknown_cell ||
                    component.tree.goes_left(node, cells[j], categorical_[j] != 0) == (side == 0);
                if (goes) open.emplace_back(node.left + side, box.child(component.tree, node, side == 0));
            }
        }
        return sum > 0.0 ? shift + std::log(sum) : -std::numeric_limits<double>::infinity();
    }

    double observed_log_density(const MixtureTree& component, const TreeNode& node, const Box& box,
                                std::size_t i) {
        const Leaves& leaves = component.leaves;
        double sum = std::log(node.mass);
        for (std::size_t j = 0; j < d_; ++j) {
            const std::uint32_t cell = cells_[i * d_ + j];
            if (cell == unknown_cell) continue;
            sum -= std::log(normalizer({&leaves, node.leaf, &box, j}));
            if (leaves.kind == LeafKind::histogram) {
                const std::uint8_t* bytes = leaves.levels_of(node.leaf, j, d_);
                sum += (bytes[bins_of_column(box, j, leaves.n_bins).bin_of(cell)] - 255.0) * level_step;
            } else if (leaves.kind == LeafKind::gaussian && !categorical_[j]) {
                sum += gaussian_log_weight(points_[(first_ + i) * d_ + j], leaves.mean[node.leaf * d_ + j],
                                           leaves.deviation[node.leaf * d_ + j]);
            }
        }
        return sum;
    }

    static constexpr double level_step = 0.69314718055994530942 / levels_per_octave;

    const Mixture& mixture_;
    const double* points_;
    std::size_t n_rows_;
    std::size_t d_;
    std::size_t first_ = 0;
    std::vector<char> categorical_;
    std::vector<std::uint32_t> n_cells_;
    std::vector<std::uint32_t> cells_;
    std::vector<char> has_unknown_;
    std::vector<std::uint32_t> low_;
    std::vector<std::uint32_t> high_;
    std::vector<double> sums_;
    std::vector<double> shares_;
    std::vector<double> shifts_;
};

template <class Skips>
void score_blocks(const Mixture& mixture, const double* points, std::size_t n_rows, double* out,
                  std::size_t n_threads, const Watch& watch, Skips&& skips) {
    const std::size_t n_blocks = (n_rows + block_rows - 1) / block_rows;
    const auto task = [&](std::size_t block) {
        BlockScorer(mixture, points, n_rows).score(block, out, skips);
    };
    // A few rows are scored at once: starting a thread would take longer.
    if (n_blocks <= 1) {
        if (n_blocks == 1) task(0);
        return;
    }
    run_tasks(n_blocks, n_threads, task, watch);
}

}  // namespace

void Mixture::log_density(const double* points, std::size_t n_rows, double* out, std::size_t n_threads,
                          const Watch& watch) const {
    score_blocks(*this, points, n_rows, out, n_threads, watch,
                 [](std::size_t, std::size_t) { return false; });
}

void Mixture::log_density_out_of_bag(const double* points, std::size_t n_rows,
                                     const std::function<bool(std::size_t, std::size_t)>& in_bag, double* out,
                                     std::size_t n_threads, const Watch& watch) const {
    score_blocks(*this, points, n_rows, out, n_threads, watch, in_bag);
}

}  // namespace boxwood
