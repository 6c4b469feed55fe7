// What fitted decision and regression trees predict for rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "tree/row_sample.hpp"
#include "tree/supervised/traversal.hpp"

namespace boxwood {

class SupervisedPredictor {
  public:
    // `responses` has n_outputs numbers a node; those of inner nodes are not used. Throws
    // std::invalid_argument where the trees are none.
    SupervisedPredictor(const FittedTrees& trees, std::span<const double> responses, std::size_t n_outputs);

    std::size_t n_outputs() const { return n_outputs_; }
    std::size_t n_trees() const { return roots_.size(); }
    std::size_t n_columns() const { return n_columns_; }

    // Mean over the trees of the responses of each row's leaves: row-major, n_outputs a row.
    void predict(const double* rows, std::size_t n_rows, double* out, std::size_t n_threads,
                 const Watch& watch) const;
    // The same where trees that saw a row are left out; NaN where all did.
    void predict_out_of_bag(const double* rows, std::size_t n_rows, const InBag& in_bag, double* out,
                            std::size_t n_threads, const Watch& watch) const;
    // Node of each row's leaf in each tree, relative to the tree's first node.
    void apply(const double* rows, std::size_t n_rows, std::uint32_t* out, std::size_t n_threads,
               const Watch& watch) const;

  private:
    // Calls use(tree, first row, leaves of rows from there on) for each tree, on a stretch of rows.
    template <class Use>
    void walk(const double* rows, std::size_t n_rows, Use&& use) const;
    // Adds the responses of leaves to sums, one after another.
    void add_responses(std::span<const std::uint32_t> leaves, double* sums) const;

    std::unique_ptr<Traversal> finder_;
    std::vector<std::uint32_t> roots_;
    std::vector<std::uint32_t> response_;  // number of each node's response
    std::vector<double> responses_;        // distinct ones: leaves of grown-out trees are mostly pure
    std::size_t n_outputs_;
    std::size_t n_columns_;
};

}  // namespace boxwood
