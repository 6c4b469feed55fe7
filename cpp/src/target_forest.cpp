#include "boxwood/target_forest.hpp"

#include <algorithm>
#include <cmath>

#include "boxwood/fast_log.hpp"
#include "boxwood/random.hpp"
#include "boxwood/sample_counts.hpp"

namespace boxwood {

namespace {

std::uint64_t tree_key(const TargetForestOptions& options, std::size_t tree) {
    return combine_keys(mix_bits(options.seed), tree);
}

double impurity_of(const double* response, std::size_t n_classes, double weight, Impurity impurity) {
    double sum = 0.0;
    for (std::size_t k = 0; k < n_classes; ++k) {
        const double c = response[k];
        if (impurity == Impurity::gini) {
            sum += c * c / weight;
        } else if (c > 0.0) {
            sum += c * fast_log(c / weight);
        }
    }
    return impurity == Impurity::gini ? weight - sum : -sum;
}

// Sum of squares around the mean of every node, children first.
std::vector<double> node_squares(const GrownTree& grown, const GrowData& data, const Targets& targets,
                                 const std::vector<double>& mean) {
    std::vector<double> squares(grown.tree.nodes.size(), 0.0);
    for (std::size_t i = squares.size(); i-- > 0;) {
        const TreeNode& node = grown.tree.nodes[i];
        if (node.is_leaf()) {
            for (std::size_t at = grown.begin[i]; at < grown.end[i]; ++at) {
                const double r = targets.values[grown.rows[at]] - mean[i];
                squares[i] += data.weight(grown.rows[at]) * r * r;
            }
            continue;
        }
        for (std::size_t child : {std::size_t{node.left}, std::size_t{node.left} + 1}) {
            const double shift = mean[child] - mean[i];
            squares[i] += squares[child] + grown.tree.nodes[child].count * shift * shift;
        }
    }
    return squares;
}

TargetTree grow_one(const GrowData& data, const Targets& targets, const TargetForestOptions& options,
                    std::size_t tree, const std::function<void()>& interrupt) {
    std::vector<double> weights(data.n_rows);
    for (std::size_t row = 0; row < data.n_rows; ++row) {
        weights[row] = bootstrap_weight(options, tree, data.keys[row], data.weight(row));
    }
    // A tiny table may leave a tree without rows: then it takes them all.
    if (std::none_of(weights.begin(), weights.end(), [](double w) { return w > 0.0; })) {
        for (std::size_t row = 0; row < data.n_rows; ++row) weights[row] = data.weight(row);
    }
    GrowData sample = data;
    sample.weights = weights.data();
    GrowOptions grow = options.grow;
    grow.seed = tree_key(options, tree);
    GrownTree grown = grow_target_tree(sample, targets, options.impurity, grow, interrupt);
    TargetTree result;
    result.response = node_responses(grown, sample, targets);
    if (options.impurity == Impurity::variance) {
        result.impurity = node_squares(grown, sample, targets, result.response);
    } else {
        for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
            result.impurity.push_back(impurity_of(result.response.data() + i * targets.n_classes,
                                                  targets.n_classes, grown.tree.nodes[i].count,
                                                  options.impurity));
        }
    }
    result.gain = std::move(grown.gain);
    result.tree = std::move(grown.tree);
    return result;
}

}  // namespace

double bootstrap_weight(const TargetForestOptions& options, std::size_t tree, std::uint64_t key,
                        double weight) {
    if (!options.bootstrap) return weight;
    Draws draws(combine_keys(~tree_key(options, tree), key));
    // Copies of whole rows; a fractional weight scales the copies of one row.
    const double rows = std::max(1.0, std::floor(weight));
    return poisson_count(options.max_samples * rows, draws) * (weight / rows);
}

std::vector<TargetTree> fit_target_forest(const GrowData& data, const Targets& targets,
                                          const TargetForestOptions& options, const Watch& watch) {
    std::vector<TargetTree> trees(options.n_trees);
    StopSignal stop;
    const auto grow = [&](std::size_t tree) {
        trees[tree] = grow_one(data, targets, options, tree, stop.check());
    };
    run_tasks(options.n_trees, options.n_threads, grow, stop.watching(watch));
    return trees;
}

}  // namespace boxwood
