#include "mixture/levels/level_rows.hpp"

#include <cmath>
#include <functional>
#include <limits>

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

}  // namespace

OpenRows route_rows(const BinnedRows& part, const LevelTree& tree, const OpenRowsView& open) {
    return route_open(tree, open, [&](std::uint32_t at, std::uint32_t row) {
        const TreeNode& node = tree.tree.nodes[at];
        const auto j = static_cast<std::size_t>(node.feature);
        return tree.tree.goes_left(node, part.bin(row, j), (*part.columns)[j].categorical);
    });
}

LevelCounts count_rows(const BinnedRows& part, const LevelTree& tree, const OpenRowsView& open,
                       std::size_t n_leaf_bins) {
    open.require_nodes(tree.open.size());
    const std::size_t d = part.n_columns();
    LevelCounts found;
    found.counts.assign(tree.open.size() * d * n_leaf_bins, 0.0);
    std::vector<FastLeafBins> leaf_bins;
    for (std::size_t k = 0; k < tree.open.size(); ++k) {
        double sum = 0.0;
        for (std::size_t i = open.begin[k]; i < open.begin[k + 1]; ++i) sum += open.weight(i);
        found.n_rows.push_back(open.begin[k + 1] - open.begin[k]);
        found.weight.push_back(sum);
        if (n_leaf_bins == 0 || open.begin[k] == open.begin[k + 1]) continue;
        const Box box = box_of(tree, *part.columns, tree.open[k]);
        leaf_bins.clear();
        for (std::size_t j = 0; j < d; ++j) leaf_bins.emplace_back(leaf_bins_of_column(box, j, n_leaf_bins));
        double* counts = found.counts.data() + k * d * n_leaf_bins;
        for (std::size_t i = open.begin[k]; i < open.begin[k + 1]; ++i) {
            const std::uint16_t* bins = part.bins + open.rows[i] * d;
            for (std::size_t j = 0; j < d; ++j)
                counts[j * n_leaf_bins + leaf_bins[j].leaf_bin_of(bins[j])] += open.weight(i);
        }
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
