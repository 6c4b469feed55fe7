// The one tree algorithm: take a node from the frontier, make it a leaf or split it, pass on rows and boxes.
#pragma once

#include <functional>

#include "boxwood/grow_data.hpp"
#include "boxwood/targets.hpp"
#include "boxwood/tree.hpp"

namespace boxwood {

struct GrownTree {
    Tree tree;
    // Exactly split columns get the knots of their own cuts; all others keep those that they were grown on.
    std::vector<Knots> columns;
    std::vector<std::uint32_t> rows;  // the rows of each node stand side by side
    std::vector<std::size_t> begin;   // of each node, in `rows`
    std::vector<std::size_t> end;
    std::vector<double> gain;        // of each inner node's split
    std::vector<double> left_share;  // of each inner node's volume
    std::vector<double> log_volume;  // of each node
};

// Grows a tree by a density criterion; `interrupt` is called at every node and may throw.
GrownTree grow_density_tree(const GrowData& data, const GrowOptions& options,
                            const std::function<void()>& interrupt = {});

// Grows a decision tree (classes) or a regression tree (values). The criterion in the options is not used.
GrownTree grow_target_tree(const GrowData& data, const Targets& targets, Impurity impurity,
                           const GrowOptions& options, const std::function<void()>& interrupt = {});

// What each node says: the weights of its classes (n_classes a node), or the mean of its values.
std::vector<double> node_responses(const GrownTree& grown, const GrowData& data, const Targets& targets);

}  // namespace boxwood
