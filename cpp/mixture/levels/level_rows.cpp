#include "mixture/levels/level_rows.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "mixture/fitting/column_leaf_bins.hpp"
#include "mixture/fitting/sampled_tree.hpp"
#include "tree/density/split_finders/product_split_finder.hpp"

namespace boxwood {

namespace {

// What some rows of a node add to the sums that choose its split: the search itself is gone through, as far
// as it counts.
std::vector<double> sums_of_node(const BinnedRows& part, const LevelTree& tree, std::uint32_t node,
                                 const GrowOptions& grow, std::span<const std::uint32_t> rows,
                                 std::span<const double> weights) {
    const std::size_t d = part.n_columns();
    std::vector<std::uint16_t> bins;
    std::vector<double> own;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        bins.insert(bins.end(), part.bins + rows[i] * d, part.bins + (rows[i] + std::size_t{1}) * d);
        own.push_back(weights.empty() ? 1.0 : weights[i]);
    }
    BinnedRows data;
    data.columns = part.columns;
    data.n_rows = rows.size();
    data.bins = bins.data();
    data.weights = own.data();
    const std::function<void()> no_interrupt;
    const LevelNode at = node_of(tree, *part.columns, node, grow.seed);
    ProductSums sums;
    using Policy = DensityPolicy<ProductSplitFinder>;
    Policy policy(data, grow, ProductSplitFinder(data, std::isfinite(grow.max_aspect), sums), no_interrupt,
                  {at.box, 0.0, 1});
    const double whatever = std::numeric_limits<double>::infinity();
    Growth<Policy>(policy, grow, no_interrupt).find_split_of(at.depth, at.key, whatever);
    return sums.take();
}

// Counts the rows of open nodes in the bins of their histograms.
class NodeCounter {
  public:
    NodeCounter(const BinnedRows& part, const LevelTree& tree, const OpenRowsView& open,
                std::size_t n_leaf_bins, double* counts)
        : part_(part), tree_(tree), open_(open), n_leaf_bins_(n_leaf_bins), counts_(counts) {}

    // Some columns of the k-th open node.
    void count(std::size_t k, std::size_t first, std::size_t last) {
        if (open_.begin[k] == open_.begin[k + 1] || first == last) return;
        const Box box = box_of(tree_, *part_.columns, tree_.open[k]);
        leaf_bins_.clear();
        for (std::size_t j = first; j < last; ++j)
            leaf_bins_.emplace_back(leaf_bins_of_column(box, j, n_leaf_bins_));
        double* counts = of_node(k);
        for (std::size_t i = open_.begin[k]; i < open_.begin[k + 1]; ++i) {
            const std::uint16_t* bins = part_.bins + open_.rows[i] * part_.n_columns();
            const double weight = open_.weight(i);
            for (std::size_t j = first; j < last; ++j)
                counts[j * n_leaf_bins_ + leaf_bins_[j - first].leaf_bin_of(bins[j])] += weight;
        }
    }

    // The halves k and k + 1 of a node that was split in a column: the smaller one is counted, and the larger
    // one has the rest, in all columns whose bins are still those of the node. Differences of weights are
    // exact.
    void count_halves(std::size_t k, std::size_t split, const double* whole) {
        const bool left_is_small =
            open_.begin[k + 1] - open_.begin[k] < open_.begin[k + 2] - open_.begin[k + 1];
        const std::size_t small = left_is_small ? k : k + 1;
        const std::size_t large = left_is_small ? k + 1 : k;
        count(small, 0, part_.n_columns());
        for (std::size_t j = 0; j < part_.n_columns(); ++j) {
            for (std::size_t b = j * n_leaf_bins_; j != split && b < (j + 1) * n_leaf_bins_; ++b)
                of_node(large)[b] = whole[b] - of_node(small)[b];
        }
        count(large, split, split + 1);
    }

  private:
    double* of_node(std::size_t k) const { return counts_ + k * part_.n_columns() * n_leaf_bins_; }

    const BinnedRows& part_;
    const LevelTree& tree_;
    const OpenRowsView& open_;
    std::size_t n_leaf_bins_;
    double* counts_;
    std::vector<FastLeafBins> leaf_bins_;
};

}  // namespace

OpenRows route_rows(const BinnedRows& part, const LevelTree& tree, const OpenRowsView& open) {
    return route_open(tree, open, [&](std::uint32_t at, std::uint32_t row) {
        const TreeNode& node = tree.tree.nodes[at];
        const auto j = static_cast<std::size_t>(node.feature);
        return tree.tree.goes_left(node, part.bin(row, j), (*part.columns)[j].categorical);
    });
}

LevelCounts count_rows(const BinnedRows& part, const LevelTree& tree, const OpenRowsView& open,
                       std::size_t n_leaf_bins, std::span<const double> before) {
    open.require_nodes(tree.open.size());
    const std::size_t n_counts = part.n_columns() * n_leaf_bins;
    if (!before.empty() && before.size() != tree.previous.size() * n_counts)
        throw std::invalid_argument("the counts are not those of the level before");
    LevelCounts found;
    for (std::size_t k = 0; k < tree.open.size(); ++k) {
        const std::size_t n = open.begin[k + 1] - open.begin[k];
        double sum = 0.0;
        for (std::size_t i = open.begin[k]; i < open.begin[k + 1]; ++i) sum += open.weight(i);
        found.n_rows.push_back(n);
        found.weight.push_back(sum);
    }
    found.counts.assign(tree.open.size() * n_counts, 0.0);
    if (n_counts == 0) return found;
    NodeCounter counter(part, tree, open, n_leaf_bins, found.counts.data());
    if (before.empty()) {
        for (std::size_t k = 0; k < tree.open.size(); ++k) counter.count(k, 0, part.n_columns());
        return found;
    }
    std::size_t k = 0;
    for (std::size_t p = 0; p < tree.previous.size(); ++p) {
        const TreeNode& parent = tree.tree.nodes[tree.previous[p]];
        if (parent.is_leaf()) continue;
        counter.count_halves(k, static_cast<std::size_t>(parent.feature), before.data() + p * n_counts);
        k += 2;
    }
    return found;
}

TakenRows take_rows(const BinnedRows& part, const LevelTree& tree, const GrowOptions& grow,
                    const OpenRowsView& open, std::span<const std::uint64_t> step,
                    std::span<const std::uint64_t> first) {
    const std::size_t d = part.n_columns();
    TakenRows taken;
    take_open(
        open, step, first, taken,
        [&](std::uint32_t row) {
            const std::uint16_t* bins = part.bins + row * d;
            taken.bins.insert(taken.bins.end(), bins, bins + d);
        },
        [&](std::size_t k) {
            const std::size_t n_own = open.begin[k + 1] - open.begin[k];
            const auto own = open.weights.empty() ? open.weights : open.weights.subspan(open.begin[k], n_own);
            const std::vector<double> sums =
                sums_of_node(part, tree, tree.open[k], grow, open.rows.subspan(open.begin[k], n_own), own);
            taken.sums.insert(taken.sums.end(), sums.begin(), sums.end());
        });
    return taken;
}

}  // namespace boxwood
