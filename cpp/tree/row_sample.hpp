// Samples of the rows, one a tree of a forest, and which rows a tree has not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace boxwood {

struct SampleOptions {
    bool bootstrap = false;    // with replacement (Poisson counts), else without
    double max_samples = 1.0;  // fraction of the rows in a tree's sample
    std::uint64_t seed = 0;
    bool part_of_table = false;  // the rows are not all of them, and a sample may have none
};

// The rows of a table that samples are drawn from. A row of weight w is so many equal observations of weight
// w/observations, and each is drawn or not; where they are not given, ⌊w⌋ and at least one.
struct RowsToSample {
    std::size_t n_rows = 0;
    const std::uint64_t* keys = nullptr;  // of their random draws
    const double* weights = nullptr;      // null: all 1
    const double* observations = nullptr;

    double weight(std::size_t row) const { return weights == nullptr ? 1.0 : weights[row]; }
    double n_observations(std::size_t row) const;
    // Of so many of a row's observations. Where these are given, weights are whole multiples of 2⁻²⁰ and stay
    // so: differences of their sums are exact.
    double weight_of(std::size_t row, double drawn) const;
};

// The key of a tree's random draws: a function of the forest's seed and the tree's number.
std::uint64_t tree_key(const SampleOptions& options, std::size_t tree);

// How many observations of a row, with repetition, are in a tree's sample: a function of the seed, the tree,
// the row's key and their number.
double n_drawn(const SampleOptions& options, std::size_t tree, std::uint64_t key, double observations);

// The weight that each row has in a tree's sample; some row has a positive one, if one has in the
// table.
std::vector<double> draw_sample(const SampleOptions& options, std::size_t tree, const RowsToSample& rows);

// Which rows of a table the trees of a forest have seen, and how much of each they have not. The samples are
// drawn anew: keeping those of growth would take as much memory as the table.
class InBag {
  public:
    // Of n_trees, numbered from `first_tree` on. `distinct` says which of the rows that are sampled each row
    // of the table is.
    InBag(const SampleOptions& options, std::size_t first_tree, std::size_t n_trees, const RowsToSample& rows,
          std::span<const std::uint32_t> distinct, std::size_t n_threads);

    // Whether a tree, counted from the first one, has seen all observations of a row; with a bootstrap, any.
    bool operator()(std::size_t tree, std::size_t row) const { return seen_[tree][row]; }

    // The fraction of a row's observations that a tree has not seen; with a bootstrap what is expected of it,
    // given how many were drawn.
    double left_out(std::size_t tree, std::size_t row) const;

  private:
    SampleOptions options_;
    std::size_t first_tree_;
    std::vector<std::uint64_t> keys_;  // of the rows that are sampled
    std::vector<double> observations_;
    std::vector<std::uint32_t> number_;  // which of them each row of the table is
    std::vector<std::vector<bool>> seen_;
};

}  // namespace boxwood
