// Rows that no leaf was fitted to, scored by every node of a tree as a leaf: how far to grow, what to prune.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mixture/fit_leaves.hpp"

namespace boxwood {

// Held-out rows of the table. candidates[l] is a value of min_samples_split; density[l·n + i] gains the
// density at held-out row i of the tree that would have stopped there.
struct HeldOut {
    std::vector<std::uint32_t> rows;
    std::vector<double> candidates;
    std::vector<double> density;
};

// Fits the leaf of every node at which a candidate stops, and scores the held-out rows in it.
void score_held_out(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
                    HeldOut& held_out, const LeafOrigin* origin = nullptr);

// The same for a tree without rows, by counts of its nodes (see `LeafFitter`); marked nodes are left to
// others.
void score_held_out_by_counts(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
                              std::span<const double> counts, const std::vector<char>& left_to_others,
                              HeldOut& held_out);

// Points of the cube, row-major, and their weights (null: all 1).
struct WeightedPoints {
    const double* points;
    const double* weights;
    std::size_t n_rows;

    double weight(std::size_t i) const { return weights == nullptr ? 1.0 : weights[i]; }
};

// What every node loses at these points as a leaf that is fitted to its rows: − Σ log density, or ∫ p² − 2/N
// Σ p where `squared_error`. The rows weigh what `data` says, whatever the tree was grown on: a row of weight
// 0 is left out of the leaves, but not of where the tree is cut.
std::vector<double> losses_of_fitted_nodes(GrownDensityTree grown, const BinnedRows& data,
                                           const LeafOptions& options, const WeightedPoints& at,
                                           bool squared_error);

}  // namespace boxwood
