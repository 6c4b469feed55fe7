// The fitted form of trees, forests, histograms and products: a mixture of products of 1-D pieces on [0,
// 1]^D.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "binning/bin_edges.hpp"
#include "mixture/leaves.hpp"
#include "mixture/unseen_score.hpp"
#include "tree/tree.hpp"

namespace boxwood {

using MixtureTree = FittedTree<Leaves>;

// What is asked of one column: nothing, an interval of u, or a set of bins.
struct ColumnEvent {
    enum class Kind { anything, interval, bins } kind = Kind::anything;
    double low = 0.0;
    double high = 1.0;
    std::vector<char> bins;  // one flag a bin
};

// Bytes of a mixture, by what they are for.
struct MixtureMemory {
    std::size_t structure = 0;
    std::size_t sets = 0;
    std::size_t leaves = 0;
    std::size_t bin_edges = 0;
};

class Mixture {
  public:
    // Checks everything; throws std::invalid_argument with what is wrong.
    Mixture(std::vector<BinEdges> columns, std::vector<MixtureTree> trees, std::vector<double> weights);
    // The mean of trees as `fit_density_forest` has made them, which need no check.
    static Mixture of_fitted(std::vector<BinEdges> columns, std::vector<MixtureTree> trees);

    std::size_t n_columns() const { return columns_.size(); }
    std::size_t n_trees() const { return trees_.size(); }
    const std::vector<BinEdges>& columns() const { return columns_; }
    const std::vector<MixtureTree>& trees() const { return trees_; }
    const std::vector<double>& weights() const { return weights_; }

    MixtureMemory memory() const;

    // Log-density on the cube of row-major points; columns that are NaN are summed out.
    void log_density(const double* points, std::size_t n_rows, double* out, std::size_t n_threads,
                     const Watch& watch) const;

    // The same, and in `unseen` what the trees that did not see a row say of it.
    void log_density_with_out_of_bag(const double* points, std::size_t n_rows, const LeftOut& left_out,
                                     double* out, UnseenScore* unseen, std::size_t n_threads,
                                     const Watch& watch) const;

    // Either of a few rows, by the calling thread: with `left_out` also what the other trees say.
    void log_density_of_block(const double* points, std::size_t n_rows, double* out,
                              const LeftOut* left_out = nullptr, UnseenScore* unseen = nullptr) const;

    // The leaf's number in every tree, row-major.
    void apply(const double* points, std::size_t n_rows, std::uint32_t* out) const;

    // Row-major points; what row i gets depends on the seed and i alone. A point that is not accepted is
    // drawn again, a few dozen times at most.
    void sample(std::size_t n_rows, std::uint64_t seed, double* out,
                const std::function<bool(const double*)>& accept = {}) const;

    // The same, evenly: the leaves lie side by side, and every n-th part of their mass has one of n points,
    // in this order. What many points show of the mixture then hangs less on chance.
    void sample_evenly(std::size_t n_rows, std::uint64_t seed, double* out) const;

    // Probability that all events happen.
    double probability(const std::vector<ColumnEvent>& events) const;

    // Probability of each bin of a column.
    std::vector<double> marginal(std::size_t column) const;

    // What `FastLeafBins` multiplies with, by the number of bins that a box has along a column. Empty where a
    // column has many.
    const std::vector<std::uint64_t>& leaf_bin_factors() const { return leaf_bin_factors_; }

  private:
    void draw_point(const std::vector<double>& upper, Draws& draws, double* out) const;
    // A point of the leaf at which the masses of a tree's leaves, from left to right, pass `below`.
    void draw_point_of_tree(const MixtureTree& component, double below, Draws& draws, double* out) const;

    Mixture() = default;
    // Throws std::invalid_argument where leaves are not products of 1-D pieces.
    void check_closed_forms() const;
    void list_leaf_bin_factors();

    std::vector<BinEdges> columns_;
    std::vector<MixtureTree> trees_;
    std::vector<double> weights_;
    std::vector<std::uint64_t> leaf_bin_factors_;
};

}  // namespace boxwood
