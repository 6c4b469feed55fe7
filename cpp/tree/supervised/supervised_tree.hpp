// A fitted decision or regression tree, and its growth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "binning/supervised_data.hpp"
#include "tree/grow_options.hpp"
#include "tree/growth.hpp"
#include "tree/supervised/direction.hpp"
#include "tree/supervised/supervised_split.hpp"
#include "tree/tree.hpp"

namespace boxwood {

// The Gaussian conditional entropy chooses splits by it, and computes impurity by entropy.
enum class Impurity { gini, entropy, variance, gaussian_conditional_entropy };

// What the nodes of a decision or regression tree hold beside their splits: arrays with an entry a node,
// since pruning makes leaves of inner nodes. A node's `threshold` is a code, of categories the place of a
// set; its feature may be a direction, numbered behind the columns.
struct Responses {
    std::vector<std::uint8_t> missing_left;  // whether missing numbers go left
    std::vector<double> impurity;            // weight · impurity
    std::vector<double> response;            // class weights, n_classes a node, or means
    std::vector<double>
        threshold;  // of numbers as they are; NaN where a node splits codes, empty where all do
    std::vector<Direction> directions;
    std::vector<std::uint32_t> sets;  // of categories, as in CategorySets
};

using SupervisedTree = FittedTree<Responses>;

// Grows a decision tree (classes) or a regression tree (values); `interrupt` is called at every node and may
// throw. The criterion in the options is not used.
SupervisedTree grow_supervised_tree(const SupervisedData& data, Impurity impurity, const GrowOptions& options,
                                    const std::function<void()>& interrupt = {});

// What is below a node of another tree, which starts there and may predict what its bounds allow.
SupervisedTree grow_supervised_subtree(const SupervisedData& data, Impurity impurity,
                                       const GrowOptions& options, const NodeStart& start,
                                       const ResponseBounds& bounds,
                                       const std::function<void()>& interrupt = {});

}  // namespace boxwood
