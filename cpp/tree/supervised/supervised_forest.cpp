#include "tree/supervised/supervised_forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "base/sample_counts.hpp"

namespace boxwood {

namespace {

std::uint64_t tree_key(const SupervisedForestOptions& options, std::size_t tree) {
    return combine_keys(mix_bits(options.seed), tree);
}

// The row of least arrival time in a race at the rate of its weight: each wins in proportion to it.
std::size_t draw_row(const SupervisedData& data, std::uint64_t key) {
    std::size_t first = 0;
    double earliest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        const double time =
            -std::log1p(-Draws(combine_keys(key, data.keys[i]), 1).uniform()) / data.weights[i];
        if (time < earliest) {
            earliest = time;
            first = i;
        }
    }
    return first;
}

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
    std::vector<double> weights = draw_sample(data, options, tree);
    if (options.balanced) balance(data.targets, weights);
    SupervisedData sample = data;
    sample.weights = weights.data();
    GrowOptions grow = options.grow;
    grow.seed = tree_key(options, tree);
    return grow_supervised_tree(sample, options.impurity, grow, interrupt);
}

}  // namespace

std::vector<double> draw_sample(const SupervisedData& data, const SupervisedForestOptions& options,
                                std::size_t tree) {
    std::vector<double> sample(data.weights, data.weights + data.n_rows);
    if (!options.bootstrap) return sample;
    const std::uint64_t key = ~tree_key(options, tree);
    const double none_of_one = std::exp(-options.max_samples);
    bool empty = true;
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        Draws draws(combine_keys(key, data.keys[i]));
        // Copies of whole rows; a fractional weight scales the copies of one row.
        const double rows = std::max(1.0, std::floor(data.weights[i]));
        const double mean = options.max_samples * rows;
        const double none = rows == 1.0 ? none_of_one : std::exp(-mean);
        sample[i] = poisson_count(mean, none, draws) * (data.weights[i] / rows);
        empty = empty && !(sample[i] > 0.0);
    }
    if (empty && data.n_rows > 0) {
        const std::size_t row = draw_row(data, key);
        sample[row] = data.weights[row] / std::max(1.0, std::floor(data.weights[row]));
    }
    return sample;
}

std::vector<SupervisedTree> fit_supervised_forest(const SupervisedData& data,
                                                  const SupervisedForestOptions& options,
                                                  const Watch& watch) {
    std::vector<SupervisedTree> trees(options.n_trees);
    StopSignal stop;
    const auto grow = [&](std::size_t tree) {
        trees[tree] = grow_one(data, options, options.first_tree + tree, stop.check());
    };
    run_tasks(options.n_trees, options.n_threads, grow, stop.watching(watch));
    return trees;
}

}  // namespace boxwood
