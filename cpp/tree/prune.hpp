// Tree → smaller tree. A subtree is collapsed where its leaves are not worth it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/density/grow_density_tree.hpp"

namespace boxwood {

// What a node would lose as a leaf. Every loss adds up over the leaves of a subtree, so that the best subtree
// is found in one pass from the leaves up.
enum class LossKind {
    log_likelihood,      // − Σ log density of the training rows
    loo_log_likelihood,  // the same, each row scored by the masses without it
    squared_error,  // ∫ p² − 2/N Σ p over the training rows (up to a constant the integrated squared error)
    loo_squared_error  // the same with each row left out of its own density
};

// Losses of all nodes, `mass_prior` as in fit_leaves.
std::vector<double> leaf_losses(const GrownTree& grown, LossKind kind, double mass_prior);

// Losses on other rows (row-major points): − Σ log density, or ∫ p² − 2/N Σ p where `squared_error`.
std::vector<double> held_out_losses(const GrownTree& grown, const double* points, const double* weights,
                                    std::size_t n_rows, bool squared_error, double mass_prior);

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

// The tree in which the marked nodes are leaves.
GrownTree collapse(const GrownTree& grown, const std::vector<char>& is_leaf);

}  // namespace boxwood
