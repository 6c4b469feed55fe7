#include "tree/supervised/supervised_forest.hpp"

namespace boxwood {

namespace {

void balance(const Targets& targets, std::vector<double>& weights) {
    std::vector<double> sums(targets.n_classes, 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) sums[targets.classes[i]] += weights[i];
    double total = 0.0;
    double n_present = 0.0;
    for (double sum : sums) {
        total += sum;
        n_present += sum > 0.0 ? 1.0 : 0.0;
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] > 0.0) weights[i] *= total / (n_present * sums[targets.classes[i]]);
    }
}

SupervisedTree grow_one(const SupervisedData& data, const SupervisedForestOptions& options, std::size_t tree,
                        const std::function<void()>& interrupt) {
    std::vector<double> weights = draw_sample(options, tree, rows_to_sample(data));
    if (options.balanced) balance(data.targets, weights);
    SupervisedData sample = data;
    sample.weights = weights.data();
    return grow_supervised_tree(sample, options.impurity, options.grow_of(tree), interrupt);
}

}  // namespace

std::vector<SupervisedTree> fit_supervised_forest(const SupervisedData& data,
                                                  const SupervisedForestOptions& options,
                                                  const Watch& watch) {
    std::vector<SupervisedTree> trees(options.n_trees);
    run_trees(options.n_trees, options.n_threads, watch,
              [&](std::size_t tree, const std::function<void()>& interrupt) {
                  trees[tree] = grow_one(data, options, options.first_tree + tree, interrupt);
              });
    return trees;
}

}  // namespace boxwood
