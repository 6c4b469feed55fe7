#include "mixture/levels/level_growth.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

#include "mixture/fitting/held_out_leaves.hpp"
#include "mixture/levels/top_leaves.hpp"
#include "tree/density/row_step.hpp"
#include "tree/density/split_finders/product_split_finder.hpp"

namespace boxwood {

namespace {

using Policy = DensityPolicy<ProductSplitFinder>;

const std::function<void()> no_interrupt;

}  // namespace

void check_levels(const DensityForestOptions& options) {
    const auto require = [](bool holds, const char* what) {
        if (!holds) throw std::invalid_argument(what);
    };
    const GrowOptions& grow = options.grow;
    require(grow.criterion == CriterionKind::product_likelihood, "other criteria need all rows of a node");
    require(!grow.best_first, "the best node of a tree is known when all others are");
    require(grow.scan_rows > 0, "all rows of a node were to choose its split");
    require(grow.min_samples_leaf <= 1.0, "the weights of all candidate halves need all rows");
    require(grow.uniformity_level <= 0.0, "tests of uniformity need all rows");
    const LeafKind kind = options.leaf.kind;
    require(kind == LeafKind::histogram || kind == LeafKind::uniform, "Gaussian leaves are sums of floats");
}

LevelGrowth::LevelGrowth(std::vector<BinEdges> columns, const DensityForestOptions& options,
                         std::size_t most_rows, std::optional<std::vector<std::uint16_t>> held_out)
    : columns_(std::move(columns)), options_(options), most_rows_(most_rows), held_out_(std::move(held_out)) {
    check_levels(options_);
    check_leaf_options(options_.leaf, columns_.size());
}

std::size_t LevelGrowth::n_bins() const {
    return options_.leaf.kind == LeafKind::histogram ? options_.leaf.n_leaf_bins : 0;
}

std::vector<std::vector<std::uint32_t>> LevelGrowth::held_by_node(const LevelTree& tree) const {
    std::vector<std::vector<std::uint32_t>> held(tree.tree.nodes.size());
    for (std::uint32_t i = 0; i < n_held(); ++i)
        held[find_leaf(tree.tree, columns_, held_out_->data() + i * columns_.size())].push_back(i);
    return held;
}

void LevelGrowth::plan(LevelTree& tree, const LevelCounts& sums) const {
    const std::size_t n_open = tree.open.size();
    if (sums.n_rows.size() != n_open || sums.weight.size() != n_open ||
        sums.counts.size() != n_open * columns_.size() * n_bins())
        throw std::invalid_argument("the sums are not those of the tree's open nodes");
    tree.counts.insert(tree.counts.end(), sums.counts.begin(), sums.counts.end());
    const GrowOptions grow = options_.grow_of(tree.number);
    const auto held = held_by_node(tree);
    std::vector<std::uint64_t>& steps = tree.steps;
    steps.assign(n_open, 0);
    for (std::size_t k = 0; k < n_open; ++k) {
        const std::uint32_t node = tree.open[k];
        tree.tree.nodes[node].count = sums.weight[k];
        tree.n_rows[node] = sums.n_rows[k];
        if (sums.n_rows[k] == 0 || (held_out_ && held[node].empty())) continue;
        const LevelNode at = node_of(tree, columns_, node, grow.seed);
        if (is_final(grow, at.depth, sums.weight[k])) continue;
        tree.handed_over[node] = sums.n_rows[k] <= most_rows_ ? 1 : 0;
        if (tree.handed_over[node] != 0)
            steps[k] = 1;
        else
            steps[k] = tree.unit == 0.0 ? by_sums : row_step(grow, sums.n_rows[k], at.box);
    }
}

// The rows of a node that were asked for, and behind them held-out ones, which weigh nothing.
struct LevelGrowth::Gathered {
    std::vector<std::uint16_t> bins;
    std::vector<double> weights;

    BinnedRows data(const std::vector<BinEdges>& columns) const {
        BinnedRows rows;
        rows.columns = &columns;
        rows.n_rows = weights.size();
        rows.bins = bins.data();
        rows.weights = weights.data();
        return rows;
    }
};

LevelGrowth::Gathered LevelGrowth::gather(std::span<const TakenRows> parts, std::size_t k) const {
    const std::size_t d = columns_.size();
    Gathered rows;
    for (const TakenRows& part : parts) {
        const std::uint64_t first = first_taken(part, k);
        const std::uint64_t last = first + part.n_rows[k];
        const auto bin = [&](std::uint64_t row) {
            return part.bins.begin() + static_cast<std::ptrdiff_t>(row * d);
        };
        rows.bins.insert(rows.bins.end(), bin(first), bin(last));
        for (std::uint64_t i = first; i < last; ++i)
            rows.weights.push_back(part.weights.empty() ? 1.0 : part.weights[i]);
    }
    return rows;
}

std::vector<Subtree> LevelGrowth::deepen(LevelTree& tree, std::span<const TakenRows> parts,
                                         std::span<const double> sums) const {
    for (const TakenRows& part : parts) {
        if (part.n_rows.size() != tree.open.size() || tree.steps.size() != tree.open.size())
            throw std::invalid_argument("the rows are not those of the tree's open nodes");
    }
    const std::vector<LeafOrigin> origins = leaf_origins(tree, columns_, options_.leaf);
    std::vector<Subtree> subtrees;
    tree.previous = std::exchange(tree.open, {});
    for (std::size_t k = 0; k < tree.previous.size(); ++k) {
        const std::uint32_t node = tree.previous[k];
        if (tree.steps[k] == 0) continue;
        Gathered rows = gather(parts, k);
        if (tree.handed_over[node] != 0) {
            subtrees.push_back(grow_below(tree, node, rows, origins[node]));
            continue;
        }
        const Split split = choose(tree, node, tree.steps[k], rows, sums);
        if (split.found()) tree.split(node, split, columns_);
    }
    return subtrees;
}

// By some rows, or by sums over all of them, of which those of the node are taken away.
Split LevelGrowth::choose(const LevelTree& tree, std::uint32_t node, std::uint64_t step, const Gathered& rows,
                          std::span<const double>& sums) const {
    const GrowOptions grow = options_.grow_of(tree.number);
    const LevelNode at = node_of(tree, columns_, node, grow.seed);
    const double weight = tree.tree.nodes[node].count;
    const BinnedRows data = rows.data(columns_);
    const NodeOrigin origin{at.box, tree.log_volume[node], step == by_sums ? 1 : step};
    const auto find = [&](ProductSplitFinder finder) {
        Policy policy(data, grow, std::move(finder), no_interrupt, origin);
        return Growth<Policy>(policy, grow, no_interrupt).find_split_of(at.depth, at.key, weight);
    };
    const bool everywhere = std::isfinite(grow.max_aspect);
    if (step != by_sums) return find(ProductSplitFinder(data, everywhere, tree.unit));
    ProductSums all(sums);
    const Split split = find(ProductSplitFinder(data, everywhere, all));
    sums = all.rest();
    return split;
}

Subtree LevelGrowth::grow_below(const LevelTree& tree, std::uint32_t node, Gathered& rows,
                                const LeafOrigin& origin) const {
    const GrowOptions grow = options_.grow_of(tree.number);
    Subtree made;
    made.node = node;
    HeldOut held_out;
    if (held_out_) {
        made.held = held_by_node(tree)[node];
        for (std::uint32_t i : made.held) {
            held_out.rows.push_back(static_cast<std::uint32_t>(rows.weights.size()));
            const auto bins = held_out_->begin() + static_cast<std::ptrdiff_t>(i * columns_.size());
            rows.bins.insert(rows.bins.end(), bins, bins + static_cast<std::ptrdiff_t>(columns_.size()));
            rows.weights.push_back(0.0);
        }
        held_out.candidates = options_.candidates;
    }
    BinnedRows data = rows.data(columns_);
    if (held_out_) data.held_out = &held_out.rows;
    const LevelNode at = node_of(tree, columns_, node, grow.seed);
    Policy policy(data, grow, ProductSplitFinder(data, std::isfinite(grow.max_aspect), tree.unit),
                  no_interrupt, {at.box, tree.log_volume[node], 1});
    GrownDensityTree grown = Growth<Policy>(policy, grow, no_interrupt).grow_from(at.depth, at.key);
    if (held_out_) {
        score_held_out(grown, data, options_.leaf, held_out, &origin);
        made.density = std::move(held_out.density);
        return made;
    }
    made.leaves = fit_leaves(grown, data, options_.leaf, &origin);
    made.tree = std::move(grown.tree);
    made.gain = std::move(grown.gain);
    return made;
}

std::vector<double> LevelGrowth::densities(const LevelTree& tree,
                                           std::span<const Subtree* const> subtrees) const {
    BinnedRows held;
    held.columns = &columns_;
    held.n_rows = n_held();
    held.bins = held_out_ ? held_out_->data() : nullptr;
    HeldOut held_out;
    for (std::uint32_t i = 0; i < n_held(); ++i) held_out.rows.push_back(i);
    held_out.candidates = options_.candidates;
    GrownDensityTree grown = tree.grown(columns_);
    score_held_out_by_counts(grown, held, options_.leaf, tree.counts, tree.handed_over, held_out);
    // Every candidate stops at one node of a row's way: what is added is added to nothing.
    for (const Subtree* below : subtrees) {
        const std::size_t n = below->held.size();
        for (std::size_t l = 0; l < options_.candidates.size(); ++l) {
            for (std::size_t i = 0; i < n; ++i)
                held_out.density[l * n_held() + below->held[i]] += below->density[l * n + i];
        }
    }
    return held_out.density;
}

}  // namespace boxwood
