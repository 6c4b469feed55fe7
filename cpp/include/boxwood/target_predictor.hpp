// Fitted decision and regression trees as predictions need them: thresholds in the table's own numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "boxwood/parallel.hpp"

namespace boxwood {

// 16 bytes. Rows with a value below the threshold (of a categorical column: with a code in set `set`) go to
// `left`, all others, missing values among them, to `left + 1`. A leaf keeps the number of its response in
// `left`.
struct PredictNode {
    std::int32_t feature = -1;
    std::uint32_t left = 0;
    union {
        double threshold;
        std::uint64_t set;
    };
    PredictNode() : threshold(0.0) {}
};
static_assert(sizeof(PredictNode) == 16);

class TargetPredictor {
  public:
    // Nodes of all trees one after another, children as indices into the whole; `roots` has one entry a tree.
    // A set is `words_per_set` words of bits. Throws std::invalid_argument where they are no trees.
    TargetPredictor(std::vector<PredictNode> nodes, std::vector<std::uint32_t> roots,
                    std::vector<double> responses, std::size_t n_outputs, std::vector<std::uint64_t> sets,
                    std::size_t words_per_set, std::vector<char> categorical);

    std::size_t n_outputs() const { return n_outputs_; }
    std::size_t n_trees() const { return roots_.size(); }
    std::size_t n_columns() const { return categorical_.size(); }

    // Mean over the trees of the responses of each row's leaves: row-major, n_outputs a row.
    void predict(const double* rows, std::size_t n_rows, double* out, std::size_t n_threads,
                 const Watch& watch) const;
    // The same where trees that saw a row are left out; NaN where all did.
    void predict_out_of_bag(const double* rows, std::size_t n_rows,
                            const std::function<bool(std::size_t, std::size_t)>& in_bag, double* out,
                            std::size_t n_threads, const Watch& watch) const;
    // Node of each row's leaf in each tree, relative to the tree's first node.
    void apply(const double* rows, std::size_t n_rows, std::uint32_t* out) const;

  private:
    std::uint32_t find_leaf(std::uint32_t root, const double* row) const;
    void find_leaves(std::uint32_t root, const double* rows, std::size_t n, std::uint32_t* leaves) const;
    bool goes_left(const PredictNode& node, double value) const;
    void check() const;

    std::vector<PredictNode> nodes_;
    std::vector<std::uint32_t> roots_;
    std::vector<double> responses_;
    std::size_t n_outputs_;
    std::vector<std::uint64_t> sets_;
    std::size_t words_per_set_;
    std::vector<char> categorical_;
};

}  // namespace boxwood
