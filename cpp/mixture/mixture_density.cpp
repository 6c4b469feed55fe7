// Scoring: the hot path of every fitted tree and forest.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "base/instruction_sets.hpp"
#include "mixture/gaussian/full_gaussian.hpp"
#include "mixture/leaf_density.hpp"
#include "mixture/mixture.hpp"
#include "tree/box.hpp"

namespace boxwood {

namespace {

// A tree is read once for all rows of a block; fewer rows a block where they would not do for all threads.
constexpr std::size_t least_rows = 512;
// A large tree (1.9 MB of 30,000 rows) does not stay in a cache from one block to the next: blocks eight
// times as long halved the time of 100,000 rows. Wide rows make shorter ones, of about a megabyte.
constexpr std::size_t most_rows = 32'768;
constexpr std::size_t most_cells = std::size_t{1} << 19;
// So many rows go down a tree side by side: one waits for memory while others move on.
constexpr std::size_t n_ways = 16;
constexpr std::uint32_t unknown_bin = std::numeric_limits<std::uint32_t>::max();

// Σ weight·exp(x) of every row, kept as sum·exp(shift) so that nothing overflows, and Σ weight.
class RowSums {
  public:
    void start(std::size_t n) {
        sums_.assign(n, 0.0);
        fractions_.assign(n, 0.0);
        shifts_.assign(n, -std::numeric_limits<double>::infinity());
    }

    void add(std::size_t i, double x, double weight) {
        fractions_[i] += weight;
        if (x == -std::numeric_limits<double>::infinity()) return;
        if (x > shifts_[i] + 30.0) {
            sums_[i] = sums_[i] == 0.0 ? 0.0 : sums_[i] * std::exp(shifts_[i] - x);
            shifts_[i] = x;
        }
        sums_[i] += weight * std::exp(x - shifts_[i]);
    }

    // NaN where nothing was added.
    double log_mean(std::size_t i) const {
        if (!(fractions_[i] > 0.0)) return std::numeric_limits<double>::quiet_NaN();
        if (sums_[i] == 0.0) return -std::numeric_limits<double>::infinity();
        return shifts_[i] + std::log(sums_[i] / fractions_[i]);
    }

    // Adds another's sum of row i to row k.
    void add_sum(std::size_t k, const RowSums& other, std::size_t i) {
        if (!(other.fractions_[i] > 0.0)) return;
        add(k, other.log_mean(i), other.fractions_[i]);
    }

  private:
    std::vector<double> sums_;
    std::vector<double> fractions_;
    std::vector<double> shifts_;
};

// The trees that did not see a row, dealt to four quarters in turn.
class UnseenSums {
  public:
    void start(std::size_t n) {
        for (RowSums& quarter : quarters_) quarter.start(n);
        n_trees_.assign(n, 0);
        weight_.assign(n, 0.0);
        square_.assign(n, 0.0);
    }

    void add(std::size_t i, double x, double weight) {
        quarters_[n_trees_[i]++ % 4].add(i, x, weight);
        weight_[i] += weight;
        square_[i] += weight * weight;
    }

    UnseenScore score(std::size_t i) const {
        RowSums sums;
        sums.start(3);
        for (std::size_t q = 0; q < 4; ++q) {
            sums.add_sum(0, quarters_[q], i);
            sums.add_sum(1 + q / 2, quarters_[q], i);
        }
        double of_quarters = 0.0;
        for (const RowSums& quarter : quarters_) of_quarters += 0.25 * quarter.log_mean(i);
        const double n_trees = square_[i] > 0.0 ? weight_[i] * weight_[i] / square_[i] : 0.0;
        return {n_trees, sums.log_mean(0), 0.5 * (sums.log_mean(1) + sums.log_mean(2)), of_quarters};
    }

  private:
    std::array<RowSums, 4> quarters_;
    std::vector<std::uint32_t> n_trees_;
    std::vector<double> weight_;
    std::vector<double> square_;
};

// Scores blocks of rows, a tree at a time; densities are added in the order of the trees.
class BlockScorer {
  public:
    BlockScorer(const Mixture& mixture, const double* points)
        : mixture_(mixture),
          points_(points),
          d_(mixture.n_columns()),
          factors_(mixture.leaf_bin_factors().data()),
          bounds_(2 * d_),
          z_(d_) {
        for (std::size_t j = 0; j < d_; ++j) {
            categorical_.push_back(mixture.columns()[j].categorical ? 1 : 0);
            any_categorical_ = any_categorical_ || categorical_[j] != 0;
            bounds_[2 * j + 1] = static_cast<std::uint32_t>(mixture.columns()[j].n_bins());
        }
        for (Way& way : ways_) way.bounds.resize(2 * d_);
    }

    // With `left_out`, also what the trees say that did not see a row.
    void score(std::size_t first, std::size_t n, double* out, const LeftOut* left_out, UnseenScore* unseen) {
        find_bins(first, n);
        all_.start(n);
        if (left_out != nullptr) unseen_.start(n);
        for (std::size_t t = 0; t < mixture_.n_trees(); ++t) {
            const double weight = mixture_.weights()[t];
            score_tree(t, n, [&](std::size_t i, double log_density) {
                all_.add(i, log_density, weight);
                if (left_out == nullptr) return;
                const double fraction = (*left_out)(t, first + i);
                if (fraction > 0.0) unseen_.add(i, log_density, weight * fraction);
            });
        }
        for (std::size_t i = 0; i < n; ++i) out[first + i] = all_.log_mean(i);
        if (left_out == nullptr) return;
        for (std::size_t i = 0; i < n; ++i) unseen[first + i] = unseen_.score(i);
    }

  private:
    // One row's way down a tree: where it is, and of every column that it was split along the bins of the
    // box.
    struct Way {
        std::size_t row = 0;
        const TreeNode* node = nullptr;
        const std::uint32_t* bins = nullptr;
        bool waits = false;                 // for what its leaf holds
        std::vector<std::uint32_t> bounds;  // of each column the first bin and the one behind the last
    };

    template <class Add>
    void score_tree(std::size_t t, std::size_t n, Add&& add) {
        for (std::size_t i = 0; i < n; ++i) {
            if (has_unknown_[i]) add(i, marginal_log_density(t, i));
        }
        const LeafKind kind = mixture_.trees()[t].leaves.kind;
        if (kind == LeafKind::histogram) {
            any_categorical_ ? go_down<true, true>(t, n, add) : go_down<true, false>(t, n, add);
        } else {
            any_categorical_ ? go_down<false, true>(t, n, add) : go_down<false, false>(t, n, add);
        }
    }

    // Every row goes down to its leaf; one that arrives makes room for the next.
    template <bool keeps_bounds, bool has_categories, class Add>
    void go_down(std::size_t t, std::size_t n, Add&& add) {
        const MixtureTree& component = mixture_.trees()[t];
        const TreeNode* nodes = component.tree.nodes.data();
        std::size_t next = 0;
        const auto start = [&](Way& way) {
            while (next < n && has_unknown_[next]) ++next;
            if (next == n) return false;
            way.row = next++;
            way.node = nodes;
            way.waits = false;
            way.bins = bins_.data() + way.row * d_;
            if constexpr (keeps_bounds) std::copy(bounds_.begin(), bounds_.end(), way.bounds.begin());
            return true;
        };
        std::size_t n_open = 0;
        while (n_open < n_ways && start(ways_[n_open])) ++n_open;
        while (n_open > 0) {
            for (std::size_t k = 0; k < n_open; ++k) {
                Way& way = ways_[k];
                if (way.node->is_leaf()) {
                    if (keeps_bounds && !way.waits) {
                        fetch(component.leaves, way);
                        continue;
                    }
                    add(way.row, component.leaves.log_scale[way.node->leaf] +
                                     log_weight(component.leaves, way.node->leaf, way));
                    if (start(way)) continue;
                    if (k != --n_open) std::swap(way, ways_[n_open]);
                    continue;
                }
                step<keeps_bounds, has_categories>(component.tree, way);
            }
        }
    }

    template <bool keeps_bounds, bool has_categories>
    void step(const Tree& tree, Way& way) const {
        const TreeNode& node = *way.node;
        const auto j = static_cast<std::size_t>(node.feature);
        const bool categorical = has_categories && categorical_[j] != 0;
        const bool left = tree.goes_left(node, way.bins[j], categorical);
        if (keeps_bounds && !categorical) way.bounds[2 * j + (left ? 1 : 0)] = node.threshold;
        way.node = tree.nodes.data() + node.left + (left ? 0 : 1);
        BOXWOOD_PREFETCH(way.node);
    }

    // Asks for the histograms of a leaf, which are read when the other rows have gone a step.
    void fetch(const Leaves& leaves, Way& way) const {
        const std::uint8_t* bytes = leaves.quantised_of(way.node->leaf, 0, d_);
        const std::size_t n_bytes = d_ * leaves.n_leaf_bins;
        for (std::size_t at = 0; at < n_bytes; at += 64) BOXWOOD_PREFETCH(bytes + at);
        BOXWOOD_PREFETCH(&leaves.log_scale[way.node->leaf]);
        way.waits = true;
    }

    void find_bins(std::size_t first, std::size_t n) {
        bins_.resize(n * d_);
        has_unknown_.assign(n, 0);
        for (std::size_t j = 0; j < d_; ++j) {
            const BinEdges& bin_edges = mixture_.columns()[j];
            for (std::size_t i = 0; i < n; ++i) {
                const double point = points_[(first + i) * d_ + j];
                const bool unknown = std::isnan(point);
                bins_[i * d_ + j] = unknown ? unknown_bin : bin_edges.bin_of(point);
                if (unknown) has_unknown_[i] = 1;
            }
        }
        first_ = first;
    }

    double log_weight(const Leaves& leaves, std::size_t leaf, const Way& way) const {
        if (leaves.kind == LeafKind::uniform) return 0.0;
        if (leaves.kind == LeafKind::gaussian) {
            double sum = 0.0;
            for (std::size_t j = 0; j < d_; ++j) {
                if (categorical_[j]) continue;
                sum += gaussian_log_weight(points_[(first_ + way.row) * d_ + j], leaves.mean[leaf * d_ + j],
                                           leaves.deviation[leaf * d_ + j]);
            }
            return sum;
        }
        if (leaves.kind == LeafKind::gaussian_full)
            return full_gaussian_log_weight(leaves, leaf, {points_ + (first_ + way.row) * d_, d_}, z_);
        // The bytes are logarithms: they are summed as integers and scaled once.
        std::int64_t quantised = 0;
        const std::uint8_t* bytes = leaves.quantised_of(leaf, 0, d_);
        for (std::size_t j = 0; j < d_; ++j, bytes += leaves.n_leaf_bins)
            quantised += bytes[leaf_bin_of(leaves, way, j)];
        return static_cast<double>(quantised - 255 * static_cast<std::int64_t>(d_)) * quantised_step;
    }

    std::uint32_t leaf_bin_of(const Leaves& leaves, const Way& way, std::size_t j) const {
        const std::uint32_t low = way.bounds[2 * j];
        const std::uint32_t high = way.bounds[2 * j + 1];
        if (factors_ != nullptr) return FastLeafBins::leaf_bin_of(way.bins[j] - low, factors_[high - low]);
        return leaf_bins_between(low, high, leaves.n_leaf_bins).leaf_bin_of(way.bins[j]);
    }

    // Sums out the unknown columns: both ways at nodes that split one of them.
    double marginal_log_density(std::size_t t, std::size_t i) {
        const MixtureTree& component = mixture_.trees()[t];
        const std::uint32_t* bins = bins_.data() + i * d_;
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
                    bins[j] == unknown_bin ||
                    component.tree.goes_left(node, bins[j], categorical_[j] != 0) == (side == 0);
                if (goes) open.emplace_back(node.left + side, box.child(component.tree, node, side == 0));
            }
        }
        return sum > 0.0 ? shift + std::log(sum) : -std::numeric_limits<double>::infinity();
    }

    double observed_log_density(const MixtureTree& component, const TreeNode& node, const Box& box,
                                std::size_t i) {
        const Leaves& leaves = component.leaves;
        if (leaves.kind == LeafKind::gaussian_full) {
            const FullGaussian gaussian(leaves, node.leaf, box);
            return leaves.log_scale[node.leaf] + gaussian.log_marginal_weight(points_ + (first_ + i) * d_);
        }
        double sum = std::log(node.mass);
        for (std::size_t j = 0; j < d_; ++j) {
            const std::uint32_t bin = bins_[i * d_ + j];
            if (bin == unknown_bin) continue;
            sum -= std::log(normalizer({&leaves, node.leaf, &box, j}));
            if (leaves.kind == LeafKind::histogram) {
                const std::uint8_t* bytes = leaves.quantised_of(node.leaf, j, d_);
                const LeafBinRange range = leaf_bins_of_column(box, j, leaves.n_leaf_bins);
                sum += quantised_log_weight(bytes[range.leaf_bin_of(bin)]);
            } else if (leaves.kind == LeafKind::gaussian && !categorical_[j]) {
                sum += gaussian_log_weight(points_[(first_ + i) * d_ + j], leaves.mean[node.leaf * d_ + j],
                                           leaves.deviation[node.leaf * d_ + j]);
            }
        }
        return sum;
    }

    static constexpr double quantised_step = 0.69314718055994530942 / steps_per_octave;

    const Mixture& mixture_;
    const double* points_;
    std::size_t d_;
    const std::uint64_t* factors_;
    std::size_t first_ = 0;
    std::vector<char> categorical_;
    bool any_categorical_ = false;
    std::vector<std::uint32_t> bounds_;  // of the whole cube
    mutable std::vector<double> z_;      // room for one number a column
    std::vector<std::uint32_t> bins_;
    std::vector<char> has_unknown_;
    std::array<Way, n_ways> ways_;
    RowSums all_;
    UnseenSums unseen_;
};

void score_blocks(const Mixture& mixture, const double* points, std::size_t n_rows, double* out,
                  const LeftOut* left_out, UnseenScore* unseen, std::size_t n_threads, const Watch& watch) {
    const std::size_t most =
        std::clamp(most_cells / std::max<std::size_t>(mixture.n_columns(), 1), least_rows, most_rows);
    const std::size_t block = std::clamp(n_threads > 1 ? n_rows / (4 * n_threads) : n_rows, least_rows, most);
    const std::size_t n_blocks = (n_rows + block - 1) / block;
    const auto task = [&](std::size_t b) {
        const std::size_t first = b * block;
        BlockScorer(mixture, points).score(first, std::min(block, n_rows - first), out, left_out, unseen);
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
    score_blocks(*this, points, n_rows, out, nullptr, nullptr, n_threads, watch);
}

void Mixture::log_density_with_out_of_bag(const double* points, std::size_t n_rows, const LeftOut& left_out,
                                          double* out, UnseenScore* unseen, std::size_t n_threads,
                                          const Watch& watch) const {
    score_blocks(*this, points, n_rows, out, &left_out, unseen, n_threads, watch);
}

void Mixture::log_density_of_block(const double* points, std::size_t n_rows, double* out,
                                   const LeftOut* left_out, UnseenScore* unseen) const {
    BlockScorer(*this, points).score(0, n_rows, out, left_out, unseen);
}

}  // namespace boxwood
