// A mixture under evidence: a weighted list of leaves for each of its disjoint boxes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "query/leaf_weights.hpp"
#include "query/pair_event.hpp"
#include "query/rule_law.hpp"

namespace boxwood {

// A value of each bin's parts, summed below the bin's start: by group of boxes, n_bins + 1 each.
struct BinSums {
    std::size_t column = 0;
    const double* below = nullptr;
};

class Conditioned {
  public:
    // Keeps a reference to the leaves.
    Conditioned(const LeafTable& leaves, std::vector<QueryBox> boxes, std::size_t n_threads,
                const Watch& watch);

    // Adds events across two columns: `pairs` are those of each box, which asks nothing else of their
    // columns.
    void tie(std::vector<std::vector<std::shared_ptr<const PairEvent>>> pairs);

    std::size_t n_boxes() const { return boxes_.size(); }
    std::size_t n_columns() const { return leaves_.n_columns(); }
    std::size_t n_bins(std::size_t column) const { return leaves_.column(column).n_bins(); }
    // Probability of each box.
    const std::vector<double>& totals() const { return totals_; }
    // Probability of one box and of what else is asked together: of other columns and components of rules.
    double probability(std::size_t box, const QueryBox& more) const;

    // Density in u of each bin of a column, of boxes of one group summed, without the column's own event:
    // n_groups × n_bins. The column follows no rule.
    std::vector<double> densities(std::size_t column, const std::vector<std::size_t>& group_of_box,
                                  std::size_t n_groups) const;
    // The same of a column under rules.
    RuleLaw rule_law(std::size_t column, const std::vector<std::size_t>& group_of_box,
                     std::size_t n_groups) const;

    // Σ over boxes and leaves of the integrals of a function of one column times one of another, neither
    // under rules: `group_of_box` says which sums a box has.
    double cross_moment(BinSums a, const std::vector<std::size_t>& group_a, BinSums b,
                        const std::vector<std::size_t>& group_b) const;

    // Probability of pairs of cells, row-major; cell c of a column are the bins from cells[c] to
    // cells[c + 1] − 1.
    std::vector<double> pair_masses(std::size_t a, const std::vector<std::uint32_t>& cells_a, std::size_t b,
                                    const std::vector<std::uint32_t>& cells_b) const;
    // Probability of each cell of each column in n of all boxes' leaves, from `first` on, times the root of
    // the leaf's weight: n × all cells. Its product with itself has the pairs of all columns' cells.
    std::vector<double> cell_masses(const std::vector<std::size_t>& columns,
                                    const std::vector<std::vector<std::uint32_t>>& cells, std::size_t first,
                                    std::size_t n) const;
    // Leaves of all boxes together.
    std::size_t n_weights() const {
        std::size_t n = 0;
        for (const LeafWeights& of_box : weights_) n += of_box.leaf.size();
        return n;
    }

    // Joint density in u of two ordered columns under one box, a row for each bin of column a.
    std::vector<double> pair_density(std::size_t box, std::size_t a, std::size_t b) const;

    // The leaves of a box, with their weights.
    const LeafWeights& weights(std::size_t box) const { return weights_[box]; }

    // The box that each row of a sample is drawn from.
    std::vector<std::uint32_t> drawn_boxes(std::size_t n_rows, std::uint64_t seed) const;

    // Row-major points inside the evidence; what row i gets depends on the seed and i alone. A gap that no
    // interval stands for is NaN.
    void sample(std::size_t n_rows, std::uint64_t seed, double* out, std::size_t n_threads,
                const Watch& watch) const;

  private:
    struct Places;
    Places places() const;
    void draw_rule(const RuleEvent& rule, std::size_t leaf, Draws& draws, double* point) const;

    const LeafTable& leaves_;
    std::vector<QueryBox> boxes_;
    std::vector<LeafWeights> weights_;
    std::vector<double> totals_;
    std::vector<std::vector<std::shared_ptr<const PairEvent>>>
        pairs_;  // of each box; empty where none has any
    mutable KeptCommonTerms common_terms_;
};

}  // namespace boxwood
