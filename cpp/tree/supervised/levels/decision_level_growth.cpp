#include "tree/supervised/levels/decision_level_growth.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

#include "tree/supervised/impurity/with_impurity.hpp"
#include "tree/supervised/levels/taken_records.hpp"
#include "tree/supervised/supervised_policy.hpp"

namespace boxwood {

namespace {

const std::function<void()> no_interrupt;

}  // namespace

void check_levels(const SupervisedForestOptions& options, std::size_t n_classes) {
    const auto require = [](bool holds, const char* what) {
        if (!holds) throw std::invalid_argument(what);
    };
    require(options.impurity != Impurity::variance, "variances are sums of floats");
    require(options.impurity != Impurity::gaussian_conditional_entropy,
            "Gaussians of classes are sums of floats");
    require(options.impurity != Impurity::entropy || n_classes == 2,
            "the entropy of more than two classes is a sum of floats");
    require(!options.balanced, "balanced classes have weights that are no whole numbers");
    require(!options.grow.best_first, "the best node of a tree is known when all others are");
    require(options.grow.n_directions == 0, "oblique splits need all rows of a node");
}

DecisionLevelGrowth::DecisionLevelGrowth(RecordLayout layout, std::size_t n_classes,
                                         const SupervisedForestOptions& options, std::size_t most_rows)
    : options_(options), most_rows_(most_rows) {
    check_levels(options_, n_classes);
    columns_.columns = std::move(layout.columns);
    columns_.stride = layout.stride;
    columns_.targets.n_classes = n_classes;
}

void DecisionLevelGrowth::plan(DecisionLevelTree& tree, const LevelCounts& sums) const {
    const std::size_t n_open = tree.open.size();
    const std::size_t d = columns_.n_columns();
    if (sums.n_rows.size() != n_open || sums.weight.size() != n_open ||
        sums.counts.size() != n_open * n_classes() || sums.most.size() != n_open * d * 2)
        throw std::invalid_argument("the sums are not those of the tree's open nodes");
    tree.counts.insert(tree.counts.end(), sums.counts.begin(), sums.counts.end());
    const GrowOptions grow = options_.grow_of(tree.number);
    tree.steps.assign(n_open, 0);
    tree.tried.assign(n_open * d, 0);
    for (std::size_t k = 0; k < n_open; ++k) {
        const std::uint32_t node = tree.open[k];
        tree.tree.nodes[node].count = sums.weight[k];
        tree.n_rows[node] = sums.n_rows[k];
        const auto classes = classes_of(tree, node);
        const bool is_pure = *std::max_element(classes.begin(), classes.end()) >= sums.weight[k];
        if (sums.n_rows[k] < 2 || is_pure) continue;
        if (is_final(grow, tree.start_of(node, grow.seed).depth, sums.weight[k])) continue;
        tree.handed_over[node] = sums.n_rows[k] <= most_rows_ ? 1 : 0;
        tree.steps[k] = tree.handed_over[node] != 0 ? 1 : by_sums;
        if (tree.steps[k] == by_sums) choose_columns(tree, k, sums.most.data() + k * d * 2);
    }
}

// Those that growth in one place tries: columns in which all rows are equal do not count.
void DecisionLevelGrowth::choose_columns(DecisionLevelTree& tree, std::size_t k, const double* most) const {
    const std::size_t d = columns_.n_columns();
    const GrowOptions grow = options_.grow_of(tree.number);
    Draws draws(tree.start_of(tree.open[k], grow.seed).key);
    FeatureOrder order(d);
    std::size_t n_tried = 0;
    for (std::size_t i = 0; i < d && (grow.max_features == 0 || n_tried < grow.max_features); ++i) {
        const std::size_t j = grow.max_features == 0 ? i : order.draw(i, draws);
        if (most[2 * j] + most[2 * j + 1] == 0.0) continue;
        tree.tried[k * d + j] = 1;
        ++n_tried;
    }
}

std::vector<DecisionSubtree> DecisionLevelGrowth::deepen(DecisionLevelTree& tree,
                                                         std::span<const TakenRows> parts,
                                                         std::span<const double> sums) const {
    for (const TakenRows& part : parts) {
        if (part.n_rows.size() != tree.open.size() || tree.steps.size() != tree.open.size())
            throw std::invalid_argument("the rows are not those of the tree's open nodes");
    }
    std::vector<DecisionSubtree> subtrees;
    tree.previous = std::exchange(tree.open, {});
    for (std::size_t k = 0; k < tree.previous.size(); ++k) {
        if (tree.steps[k] == by_sums) {
            split_by_sums(tree, k, sums);
        } else if (tree.steps[k] > 0) {
            subtrees.push_back(grow_below(tree, k, parts));
        }
    }
    return subtrees;
}

void DecisionLevelGrowth::split_by_sums(DecisionLevelTree& tree, std::size_t k,
                                        std::span<const double>& sums) const {
    const std::size_t d = columns_.n_columns();
    const std::uint32_t node = tree.previous[k];
    NodeSums of_node{classes_of(tree, node), std::vector<const double*>(d, nullptr)};
    for (std::size_t j = 0; j < d; ++j) {
        if (tree.tried[k * d + j] == 0) continue;
        const std::size_t n = columns_.columns[j].n_bins * n_classes();
        if (n > sums.size()) throw std::invalid_argument("the sums are not those of the tree's open nodes");
        of_node.records[j] = sums.data();
        sums = sums.subspan(n);
    }
    const GrowOptions grow = options_.grow_of(tree.number);
    const NodeStart start = tree.start_of(node, grow.seed);
    const double weight = tree.tree.nodes[node].count;
    with_class_impurity(options_.impurity, columns_.targets, [&]<class Sum>() {
        using Policy = SupervisedPolicy<Sum>;
        Policy policy(columns_, grow, false, tree.bounds[node], &of_node);
        const SupervisedSplit split =
            Growth<Policy>(policy, grow, no_interrupt).find_split_of(start.depth, start.key, weight);
        if (!split.found()) return;
        const ResponseBounds left = policy.box_of_half(tree.bounds[node], split, true);
        const ResponseBounds right = policy.box_of_half(tree.bounds[node], split, false);
        tree.split(node, split, left, right, columns_.columns[split.feature].categorical);
    });
}

DecisionSubtree DecisionLevelGrowth::grow_below(const DecisionLevelTree& tree, std::size_t k,
                                                std::span<const TakenRows> parts) const {
    const std::uint32_t node = tree.previous[k];
    const GrowOptions grow = options_.grow_of(tree.number);
    const TakenRecords records(columns_, parts, k);
    SupervisedTree grown =
        grow_supervised_subtree(records.data(), options_.impurity, grow, tree.start_of(node, grow.seed),
                                tree.bounds[node], no_interrupt);
    return {node, std::move(grown.tree), std::move(grown.leaves)};
}

}  // namespace boxwood
