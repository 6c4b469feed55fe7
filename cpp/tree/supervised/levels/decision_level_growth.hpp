// How decision trees grow level by level from counts of rows that are elsewhere: the same splits, and the
// same classes, as where all rows are at hand, since sums of whole weights are exact in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "binning/supervised_table.hpp"
#include "tree/supervised/levels/decision_level_rows.hpp"
#include "tree/supervised/levels/decision_level_tree.hpp"
#include "tree/supervised/supervised_forest.hpp"

namespace boxwood {

// What is below a node that was handed over.
struct DecisionSubtree {
    std::uint32_t node = 0;
    Tree tree;
    Responses leaves;
};

// Throws std::invalid_argument where a tree's options need all rows of a large node at once.
void check_levels(const SupervisedForestOptions& options, std::size_t n_classes);

class DecisionLevelGrowth {
  public:
    // Nodes of up to `most_rows` rows are handed over.
    DecisionLevelGrowth(RecordLayout layout, std::size_t n_classes, const SupervisedForestOptions& options,
                        std::size_t most_rows);

    std::size_t n_classes() const { return columns_.targets.n_classes; }
    // Numbers that are counted of a node.
    std::size_t n_bins() const { return n_classes(); }
    // Words of a row that is given away.
    std::size_t n_words() const { return words_of_row(columns_.stride); }
    // Columns, without rows.
    const SupervisedData& columns() const { return columns_; }

    // A tree without splits.
    DecisionLevelTree root(std::size_t number, double unit) const {
        return DecisionLevelTree::root(number, unit);
    }

    // Takes the sums of the open nodes in, and sets the tree's `steps` and which columns are tried.
    void plan(DecisionLevelTree& tree, const LevelCounts& sums) const;

    // Splits the open nodes by sums over all parts; what is below nodes that are handed over is grown of
    // their rows, those of each part in the order of the table.
    std::vector<DecisionSubtree> deepen(DecisionLevelTree& tree, std::span<const TakenRows> parts,
                                        std::span<const double> sums) const;

    // The whole tree, as growth in one place numbers its nodes.
    SupervisedTree join(const DecisionLevelTree& tree,
                        std::span<const DecisionSubtree* const> subtrees) const;

  private:
    void choose_columns(DecisionLevelTree& tree, std::size_t k, const double* most) const;
    // By sums, of which those of the node are taken away.
    void split_by_sums(DecisionLevelTree& tree, std::size_t k, std::span<const double>& sums) const;
    DecisionSubtree grow_below(const DecisionLevelTree& tree, std::size_t k,
                               std::span<const TakenRows> parts) const;
    std::span<const double> classes_of(const DecisionLevelTree& tree, std::uint32_t node) const {
        return std::span<const double>(tree.counts).subspan(node * n_classes(), n_classes());
    }

    SupervisedData columns_;
    SupervisedForestOptions options_;
    std::size_t most_rows_;
};

}  // namespace boxwood
