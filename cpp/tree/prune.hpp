// Which subtrees are to be collapsed, because their leaves are not worth it. Losses of nodes add up over the
// leaves of a subtree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace boxwood {

// Nodes that become leaves in the subtree of least loss + alpha · (number of leaves). Ties prune.
std::vector<char> best_subtree(const Tree& tree, std::span<const double> loss, double alpha);

// What those subtrees lose by another loss (that of held-out rows), for each alpha.
std::vector<double> losses_of_subtrees(const Tree& tree, std::span<const double> loss,
                                       std::span<const double> alphas, std::span<const double> other_loss);

// The whole pruning path by weakest links: alphas ascending from 0, each with the number of leaves and the
// loss of the subtree that is best from it on.
struct PruneStep {
    double alpha;
    std::size_t n_leaves;
    double loss;
};
std::vector<PruneStep> prune_path(const Tree& tree, std::span<const double> loss);

}  // namespace boxwood
