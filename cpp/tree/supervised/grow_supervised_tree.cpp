#include <algorithm>
#include <stdexcept>

#include "tree/supervised/impurity/class_responses.hpp"
#include "tree/supervised/impurity/with_impurity.hpp"
#include "tree/supervised/supervised_policy.hpp"
#include "tree/supervised/supervised_tree.hpp"

namespace boxwood {

namespace {

// Sums of the leaves' rows, and of inner nodes those of their children, which stand behind them.
template <class Add, class Join>
void sum_up(const GrownTree& grown, Add&& add, Join&& join) {
    const std::vector<TreeNode>& nodes = grown.tree.nodes;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        if (!nodes[i].is_leaf()) {
            join(i, nodes[i].left);
            continue;
        }
        for (std::size_t at = grown.begin[i]; at < grown.end[i]; ++at) add(i, at);
    }
}

template <class Row>
std::vector<double> class_weights(const GrownTree& grown, std::span<const Row> rows, std::size_t n_classes) {
    std::vector<double> sums(grown.tree.nodes.size() * n_classes, 0.0);
    sum_up(
        grown,
        [&](std::size_t i, std::size_t at) { sums[i * n_classes + rows[at].target] += rows[at].weight; },
        [&](std::size_t i, std::size_t left) {
            for (std::size_t k = 0; k < n_classes; ++k) {
                sums[i * n_classes + k] = sums[left * n_classes + k] + sums[(left + 1) * n_classes + k];
            }
        });
    return sums;
}

// Value k of a row of the tree's sample.
double value_of(const Targets&, const Item<double>& row, std::size_t) { return row.target; }
double value_of(const Targets& targets, const Item<std::uint32_t>& row, std::size_t k) {
    return targets.values[row.target * targets.n_values + k];
}

template <class Row>
std::vector<double> means(const GrownTree& grown, std::span<const Row> rows, const Targets& targets) {
    const std::vector<TreeNode>& nodes = grown.tree.nodes;
    const std::size_t n_values = targets.n_values;
    std::vector<double> sums(nodes.size() * n_values, 0.0);
    sum_up(
        grown,
        [&](std::size_t i, std::size_t at) {
            for (std::size_t k = 0; k < n_values; ++k)
                sums[i * n_values + k] += rows[at].weight * value_of(targets, rows[at], k);
        },
        [&](std::size_t i, std::size_t left) {
            for (std::size_t k = 0; k < n_values; ++k)
                sums[i * n_values + k] = sums[left * n_values + k] + sums[(left + 1) * n_values + k];
        });
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= nodes[i / n_values].count;
    return sums;
}

// Sum of squares around the mean of every node, over all values.
template <class Row>
std::vector<double> squares(const GrownTree& grown, std::span<const Row> rows,
                            const std::vector<double>& mean, const Targets& targets) {
    const std::size_t n_values = targets.n_values;
    std::vector<double> sums(grown.tree.nodes.size(), 0.0);
    sum_up(
        grown,
        [&](std::size_t i, std::size_t at) {
            for (std::size_t k = 0; k < n_values; ++k) {
                const double rest = value_of(targets, rows[at], k) - mean[i * n_values + k];
                sums[i] += rows[at].weight * rest * rest;
            }
        },
        [&](std::size_t i, std::size_t left) {
            for (std::size_t child : {left, left + 1}) {
                sums[i] += sums[child];
                for (std::size_t k = 0; k < n_values; ++k) {
                    const double shift = mean[child * n_values + k] - mean[i * n_values + k];
                    sums[i] += grown.tree.nodes[child].count * shift * shift;
                }
            }
        });
    return sums;
}

// Nodes predict what monotone columns allow.
template <ImpuritySum Sum>
void bound_responses(const Tree& tree, const std::vector<ResponseBounds>& bounds,
                     std::vector<double>& response) {
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        if constexpr (Sum::is_regression) {
            response[i] = std::clamp(response[i], bounds[i].low, bounds[i].high);
        } else if (response.size() == 2 * bounds.size()) {  // a single class has no bounds
            bound_classes(bounds[i], tree.nodes[i].count, response.data() + 2 * i);
        }
    }
}

template <ImpuritySum Sum>
SupervisedTree grow_with(const SupervisedData& data, const GrowOptions& options, const NodeStart& start,
                         const ResponseBounds& root, const std::function<void()>& interrupt,
                         bool by_gaussians) {
    SupervisedPolicy<Sum> grower(data, options, by_gaussians, root);
    GrownTree grown = grower.grow(start, interrupt);
    const std::size_t n = grown.tree.nodes.size();
    Responses leaves;
    if constexpr (Sum::is_regression) {
        leaves.response = means(grown, grower.rows(), data.targets);
        leaves.impurity = squares(grown, grower.rows(), leaves.response, data.targets);
    } else {
        leaves.response = class_weights(grown, grower.rows(), data.targets.n_classes);
        leaves.impurity = class_impurities<Sum>(leaves.response, data.targets);
    }
    const auto is_monotone = [](const CodeColumn& column) { return column.monotone != 0; };
    if (std::any_of(data.columns.begin(), data.columns.end(), is_monotone))
        bound_responses<Sum>(grown.tree, grower.bounds(), leaves.response);
    leaves.missing_left = std::move(grower.missing_left());
    leaves.missing_left.resize(n, 0);
    leaves.threshold = std::move(grower.thresholds());
    leaves.directions = std::move(grower.directions());
    leaves.sets = std::move(grower.sets().words());
    grown.tree.nodes.shrink_to_fit();
    return {std::move(grown.tree), std::move(leaves)};
}

}  // namespace

SupervisedTree grow_supervised_tree(const SupervisedData& data, Impurity impurity, const GrowOptions& options,
                                    const std::function<void()>& interrupt) {
    return grow_supervised_subtree(data, impurity, options, {0, mix_bits(options.seed)}, {}, interrupt);
}

SupervisedTree grow_supervised_subtree(const SupervisedData& data, Impurity impurity,
                                       const GrowOptions& options, const NodeStart& start,
                                       const ResponseBounds& bounds, const std::function<void()>& interrupt) {
    const bool by_gaussians = impurity == Impurity::gaussian_conditional_entropy;
    if (data.numbers == nullptr && (options.n_directions > 0 || by_gaussians))
        throw std::invalid_argument("this needs the numbers themselves");
    const auto is_monotone = [](const CodeColumn& column) { return column.monotone != 0; };
    if (data.targets.n_values > 1 && std::any_of(data.columns.begin(), data.columns.end(), is_monotone))
        throw std::invalid_argument("monotone columns predict one value");
    return with_impurity(impurity, data.targets, [&]<class Sum>() {
        return grow_with<Sum>(data, options, start, bounds, interrupt, by_gaussians);
    });
}

}  // namespace boxwood
