// What the nodes of a density tree lose as leaves, for pruning.
#pragma once

#include <cstddef>
#include <vector>

#include "tree/density/grown_density_tree.hpp"

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
std::vector<double> leaf_losses(const GrownDensityTree& grown, LossKind kind, double mass_prior);

// Losses on other rows (row-major points): − Σ log density, or ∫ p² − 2/N Σ p where `squared_error`.
std::vector<double> held_out_losses(const GrownDensityTree& grown, const double* points,
                                    const double* weights, std::size_t n_rows, bool squared_error,
                                    double mass_prior);

}  // namespace boxwood
