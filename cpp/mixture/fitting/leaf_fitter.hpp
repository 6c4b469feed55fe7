// A walk down a grown tree with the density that every node would have as a leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "mixture/fit_leaves.hpp"
#include "mixture/fitting/column_leaf_bins.hpp"
#include "mixture/fitting/place_sums.hpp"
#include "mixture/gaussian/gaussian_moments.hpp"
#include "mixture/histogram_kernels.hpp"
#include "mixture/leaves.hpp"
#include "tree/density/grown_density_tree.hpp"

namespace boxwood {

// Walks down a tree, left halves first, with what it knows of every node on the way: a child differs from its
// parent in the bins of one column. Sets the masses of all nodes. What is done at a node is up to those that
// derive from it.
class LeafFitter {
  public:
    // `origin`: the node of another tree that the root of this one is; must outlive it, as all others.
    LeafFitter(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
               const LeafOrigin* origin = nullptr);
    virtual ~LeafFitter() = default;
    LeafFitter(const LeafFitter&) = delete;
    LeafFitter& operator=(const LeafFitter&) = delete;

    // The rows of every node in the bins of its histograms, column by column, in the place of `data`'s own.
    void use_counts(std::span<const double> counts) { given_counts_ = counts; }

    void walk();

  protected:
    // A node on the way down.
    struct Step {
        std::uint32_t node = 0;
        std::optional<Box> box;
        std::vector<double> counts;            // rows in each bin, n_bins_ a column
        std::vector<double> fractions;         // mass of each bin by the node's histograms
        std::vector<GaussianMoments> moments;  // of each column of Gaussian leaves
        double parent_count = std::numeric_limits<double>::infinity();
        ColumnLeafBins parent_leaf_bins;  // of the column that was split to come here
        // Of its halves.
        int n_visited = 0;
        std::vector<double> small_counts;  // of the half with fewer rows, by the node's bins
        std::optional<Box> halves[2];
        std::vector<double> restricted[2];  // the histogram of the column that is split, in either half
    };

    // Called for every node, parents first, once its mass is known; then for every inner node.
    virtual void arrive(const Step& step, const TreeNode& node) = 0;
    virtual void divided(const Step&, const TreeNode&) {}

    // Room for so many leaves.
    Leaves empty_leaves(std::size_t n_leaves) const;
    // Writes what the node says as a leaf.
    void write_leaf(const Step& step, const TreeNode& node, Leaves& leaves, std::size_t leaf);
    // The density of the node's histograms, or of its box, at a row of the table; without the node's mass.
    double box_density_at(const Step& step, std::size_t row) const;
    std::uint32_t bin_of(std::size_t row, std::size_t j) const;

    GrownDensityTree& grown_;
    const BinnedRows& data_;
    const LeafOptions& options_;
    std::size_t n_columns_;

  private:
    void start();
    Box first_box() const;
    void put_flows(std::size_t j);
    std::ptrdiff_t at(std::size_t j) const { return static_cast<std::ptrdiff_t>(j * n_leaf_bins_); }
    void divide(Step& step, const TreeNode& node);
    bool left_is_smaller(const TreeNode& node) const;
    void go_down(Step& parent, const TreeNode& node, bool left);
    void go_up();
    void take_counts(const Step& parent, Step& step, std::size_t j, bool is_smaller);
    void count_columns(std::size_t node, std::size_t first, std::size_t last, double* counts) const;
    void find_unseen();
    void note_unseen(const Step& step);
    void keep_unseen(Step& step) const;
    void update_histograms(const Step& parent, Step& step, std::size_t split_column, std::size_t side);
    GaussianMoments moments_of_rows(std::size_t node, std::size_t j) const;
    void update_moments(const Step* parent, Step& step) const;
    std::uint32_t bin_at(std::size_t i, std::size_t j) const;
    double restrict_column(const Step& step, std::size_t j, const Box& half, std::vector<double>& out);
    double log_scale_of_histograms(const TreeNode& node, const Leaves& leaves, std::size_t leaf) const;
    void write_quantised(const Step& step, Leaves& leaves, std::size_t leaf);
    void write_gaussians(const Step& step, Leaves& leaves, std::size_t leaf) const;
    void write_full_gaussian(const Step& step, Leaves& leaves, std::size_t leaf) const;
    std::vector<double> correlations_of_rows(std::size_t node) const;  // row-major, below the diagonal

    const LeafOrigin* origin_;
    std::span<const double> given_counts_;
    std::size_t n_leaf_bins_;
    bool has_histograms_;
    bool has_moments_;
    // A column's bins of categories that no row has, by their places among all columns' bins.
    struct UnseenBins {
        std::size_t column;
        std::vector<std::size_t> places;
    };
    std::vector<UnseenBins> unseen_;
    std::vector<double> noted_unseen_;  // the masses of all of them
    std::vector<char> is_gaussian_;     // columns along which leaves are Gaussian
    std::deque<Step> way_;  // from the root to where we are, and beyond it room that is used again
    std::size_t depth_ = 0;
    std::vector<ColumnLeafBins> leaf_bins_;  // of every column where we are
    std::vector<double> weights_;            // of the rows in the tree's order; empty: all 1
    ShrinkHistograms shrink_ = shrink_histograms();
    std::vector<double> gets_;  // of all columns' bins, side by side
    std::vector<double> gives_;
    std::vector<double> smooth_;
    std::vector<double> flow_;
    std::vector<double> density_;
    std::vector<PlaceSums> sums_;  // of the rows of every node, column by column, for Gaussian leaves
};

}  // namespace boxwood
