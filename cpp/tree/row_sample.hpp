// Samples of the rows, one a tree of a forest, and which rows a tree has not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace boxwood {

// What a row's weight w means. Frequency: the row is there w times, and each copy is drawn or not; a sample
// without rows takes them all. Importance: the row is there ⌊w⌋ times, at least once, and a fraction scales
// its copies; a sample without rows takes one.
enum class WeightKind { frequency, importance };

struct SampleOptions {
    bool bootstrap = false;    // with replacement (Poisson counts), else without
    double max_samples = 1.0;  // fraction of the rows in a tree's sample
    std::uint64_t seed = 0;
    WeightKind weights = WeightKind::frequency;
};

// The rows of a table that samples are drawn from.
struct RowsToSample {
    std::size_t n_rows = 0;
    const std::uint64_t* keys = nullptr;  // of their random draws
    const double* weights = nullptr;      // null: all 1

    double weight(std::size_t row) const { return weights == nullptr ? 1.0 : weights[row]; }
};

// The key of a tree's random draws: a function of the forest's seed and the tree's number.
std::uint64_t tree_key(const SampleOptions& options, std::size_t tree);

// How much of a row's weight is in a tree's sample: a function of the seed, the tree, the row's key and its
// weight.
double weight_in_sample(const SampleOptions& options, std::size_t tree, std::uint64_t key, double weight);

// The same of all rows; some row has a positive weight, if one has in the table.
std::vector<double> draw_sample(const SampleOptions& options, std::size_t tree, const RowsToSample& rows);

// Whether a row of that weight, or a part of it, is not in the sample: a copy that the tree has not seen.
bool is_out_of_bag(const SampleOptions& options, double in_sample, double weight);

// Which rows of a table the trees of a forest have seen. The samples are drawn anew: keeping those of growth
// would take as much memory as the table.
class InBag {
  public:
    // Of n_trees, numbered from `first_tree` on. `distinct` says which of the rows that are sampled each row
    // of the table is.
    InBag(const SampleOptions& options, std::size_t first_tree, std::size_t n_trees, const RowsToSample& rows,
          std::span<const std::uint32_t> distinct, std::size_t n_threads);

    // `tree` counts from the first one.
    bool operator()(std::size_t tree, std::size_t row) const { return seen_[tree][row]; }

  private:
    std::vector<std::vector<bool>> seen_;
};

}  // namespace boxwood
