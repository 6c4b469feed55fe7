// Trees whose sum is the logarithm of a ratio of two densities: those of a table's rows and of a model's
// draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace boxwood {

// A point below the cut of a column goes to `left`, others to the node after it. A leaf has no column and the
// value that it adds; of a point that is nowhere in the column both sides count, the left one by its
// fraction.
struct RatioNode {
    double cut;
    double value;
    float left_fraction;
    std::uint32_t left;
    std::int32_t column;

    bool is_leaf() const { return column < 0; }
};

struct RatioTrees {
    std::size_t n_columns = 0;
    std::vector<RatioNode> nodes;
    std::vector<std::uint32_t> roots;
    std::vector<std::uint32_t> depths;  // of each tree

    // Sets the depths and lets every point that has come to a leaf stay there. Nodes must have been checked.
    void finish();

    // Adds what all trees say of points, row by row in memory; a coordinate that is NaN is nowhere.
    void add_to(const double* points, std::size_t n, double* sums) const;
};

// Throws std::invalid_argument unless every child comes after its parent and every column is there.
void check_ratio_trees(const RatioTrees& trees);

// Rows in bins: codes lie row by row. Those of one density are marked, and all have weights. The last rows
// may be pairs of a real row and an alternative to it, which stand in turn: how likely the real one is of the
// two is told by the difference of what the trees say of them, and `bases` has what is known before, one a
// pair.
struct RatioRows {
    std::span<const std::uint8_t> codes;
    std::span<const std::uint8_t> is_real;
    std::span<const double> weights;
    std::span<const double> bases = {};

    std::size_t size() const { return weights.size(); }
    std::size_t n_singles() const { return size() - 2 * bases.size(); }
};

// Chosen on housing and shuttle: learning rates of 0.1 lose a fifth of what is gained, stronger priors 0.01
// nats.
struct RatioOptions {
    std::size_t n_trees = 1000;
    std::size_t patience = 40;  // trees without a gain on held-out rows; 20 end by chance, 0.15 nats early
    std::size_t max_depth = 6;
    double learning_rate = 0.05;
    double prior = 1.0;       // what a leaf's second derivatives are increased by
    double least_leaf = 1.0;  // sum of second derivatives; four times that in rows where nothing is known
};

// Grows trees by Newton steps of the logistic loss, as many as held-out rows gain from. edges[j][b] is where
// bin b of column j ends.
RatioTrees grow_ratio_trees(const std::vector<std::vector<double>>& edges, const RatioRows& train,
                            const RatioRows& held_out, const RatioOptions& options,
                            const std::function<void()>& interrupt = {});

}  // namespace boxwood
