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

void require_nodes(std::size_t n_nodes, std::span<const std::uint64_t> begin, std::size_t n_rows) {
    if (begin.size() != n_nodes + 1 || begin.back() != n_rows)
        throw std::invalid_argument("the rows are not those of the tree's level");
}

double weight_at(std::span<const double> weights, std::size_t i) {
    return weights.empty() ? 1.0 : weights[i];
}

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
        own.push_back(weight_at(weights, i));
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

OpenRows sample_part(const BinnedRows& part, const SampleOptions& options, std::size_t tree) {
    SampleOptions of_part = options;
    of_part.part_of_table = true;
    const std::vector<double> sample = draw_sample(of_part, tree, rows_to_sample(part));
    OpenRows found;
    bool all_one = true;
    for (std::size_t row = 0; row < part.n_rows; ++row) {
        if (!(sample[row] > 0.0)) continue;
        found.rows.push_back(static_cast<std::uint32_t>(row));
        found.weights.push_back(sample[row]);
        all_one = all_one && sample[row] == 1.0;
    }
    if (all_one) found.weights.clear();
    found.begin = {0, found.rows.size()};
    return found;
}

OpenRows route_rows(const BinnedRows& part, const LevelTree& tree, std::span<const std::uint32_t> rows,
                    std::span<const double> weights, std::span<const std::uint64_t> begin) {
    require_nodes(tree.previous.size(), begin, rows.size());
    OpenRows found;
    found.begin.push_back(0);
    std::vector<char> goes_left;
    for (std::size_t k = 0; k < tree.previous.size(); ++k) {
        const TreeNode& node = tree.tree.nodes[tree.previous[k]];
        if (node.is_leaf()) continue;
        const auto j = static_cast<std::size_t>(node.feature);
        const bool categorical = (*part.columns)[j].categorical;
        goes_left.clear();
        for (std::size_t i = begin[k]; i < begin[k + 1]; ++i)
            goes_left.push_back(tree.tree.goes_left(node, part.bin(rows[i], j), categorical) ? 1 : 0);
        for (char side : {1, 0}) {
            for (std::size_t i = begin[k]; i < begin[k + 1]; ++i) {
                if (goes_left[i - begin[k]] != side) continue;
                found.rows.push_back(rows[i]);
                if (!weights.empty()) found.weights.push_back(weights[i]);
            }
            found.begin.push_back(found.rows.size());
        }
    }
    return found;
}

LevelCounts count_rows(const BinnedRows& part, const LevelTree& tree, std::span<const std::uint32_t> rows,
                       std::span<const double> weights, std::span<const std::uint64_t> begin,
                       std::size_t n_leaf_bins) {
    require_nodes(tree.open.size(), begin, rows.size());
    const std::size_t d = part.n_columns();
    LevelCounts found;
    found.counts.assign(tree.open.size() * d * n_leaf_bins, 0.0);
    std::vector<FastLeafBins> leaf_bins;
    for (std::size_t k = 0; k < tree.open.size(); ++k) {
        double sum = 0.0;
        for (std::size_t i = begin[k]; i < begin[k + 1]; ++i) sum += weight_at(weights, i);
        found.n_rows.push_back(begin[k + 1] - begin[k]);
        found.weight.push_back(sum);
        if (n_leaf_bins == 0 || begin[k] == begin[k + 1]) continue;
        const Box box = box_of(tree, *part.columns, tree.open[k]);
        leaf_bins.clear();
        for (std::size_t j = 0; j < d; ++j) leaf_bins.emplace_back(leaf_bins_of_column(box, j, n_leaf_bins));
        double* counts = found.counts.data() + k * d * n_leaf_bins;
        for (std::size_t i = begin[k]; i < begin[k + 1]; ++i) {
            const std::uint16_t* bins = part.bins + rows[i] * d;
            for (std::size_t j = 0; j < d; ++j)
                counts[j * n_leaf_bins + leaf_bins[j].leaf_bin_of(bins[j])] += weight_at(weights, i);
        }
    }
    return found;
}

TakenRows take_rows(const BinnedRows& part, const LevelTree& tree, const GrowOptions& grow,
                    std::span<const std::uint32_t> rows, std::span<const double> weights,
                    std::span<const std::uint64_t> begin, std::span<const std::uint64_t> step,
                    std::span<const std::uint64_t> first) {
    require_nodes(step.size(), begin, rows.size());
    if (first.size() != step.size()) throw std::invalid_argument("one first row a node is needed");
    const std::size_t d = part.n_columns();
    TakenRows taken;
    for (std::size_t k = 0; k < step.size(); ++k) {
        std::uint64_t n = 0;
        if (step[k] == by_sums) {
            const std::size_t n_own = begin[k + 1] - begin[k];
            const auto own = weights.empty() ? weights : weights.subspan(begin[k], n_own);
            const std::vector<double> sums =
                sums_of_node(part, tree, tree.open[k], grow, rows.subspan(begin[k], n_own), own);
            taken.sums.insert(taken.sums.end(), sums.begin(), sums.end());
            taken.n_rows.push_back(0);
            continue;
        }
        for (std::uint64_t i = begin[k] + first[k]; step[k] > 0 && i < begin[k + 1]; i += step[k], ++n) {
            const std::uint16_t* bins = part.bins + rows[i] * d;
            taken.bins.insert(taken.bins.end(), bins, bins + d);
            if (!weights.empty()) taken.weights.push_back(weights[i]);
        }
        taken.n_rows.push_back(n);
    }
    return taken;
}

}  // namespace boxwood
