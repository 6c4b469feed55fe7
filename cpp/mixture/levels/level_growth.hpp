// How trees grow level by level from sums over rows that are elsewhere: the same splits, and the same leaves,
// as where all rows are at hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mixture/density_forest.hpp"
#include "mixture/levels/level_rows.hpp"
#include "mixture/levels/level_tree.hpp"

namespace boxwood {

// What is below a node that was handed over.
struct Subtree {
    std::uint32_t node = 0;
    Tree tree;
    std::vector<double> gain;  // of each node
    Leaves leaves;
    // Of a pilot's tree: which held-out rows are in it, and their densities as `HeldOut` has them.
    std::vector<std::uint32_t> held;
    std::vector<double> density;
};

// Throws std::invalid_argument where a tree's options need all rows of a large node at once.
void check_levels(const DensityForestOptions& options);

class LevelGrowth {
  public:
    // Nodes of up to `most_rows` rows are handed over. `held_out` are the bins of a pilot's held-out rows,
    // for which `options.candidates` are scored.
    LevelGrowth(std::vector<BinEdges> columns, const DensityForestOptions& options, std::size_t most_rows,
                std::optional<std::vector<std::uint16_t>> held_out = {});

    const std::vector<BinEdges>& columns() const { return columns_; }
    // Bins in which rows are to be counted; 0 where leaves need none.
    std::size_t n_bins() const;
    // Words of a row that is given away.
    std::size_t n_words() const { return columns_.size(); }

    // A tree without splits.
    LevelTree root(std::size_t number, double unit) const { return LevelTree::root(columns_, number, unit); }

    // Takes the sums of the open nodes in, and sets the tree's `steps`.
    void plan(LevelTree& tree, const LevelCounts& sums) const;

    // Splits the open nodes by the rows asked for, those of each part in the order of the table; what is
    // below nodes that are handed over is grown. `sums` are those of all parts.
    std::vector<Subtree> deepen(LevelTree& tree, std::span<const TakenRows> parts,
                                std::span<const double> sums) const;

    // The whole tree, as growth in one place numbers its nodes.
    MixtureTree join(const LevelTree& tree, std::span<const Subtree* const> subtrees,
                     std::vector<double>& gains) const;

    // What a pilot's tree says of the held-out rows.
    std::vector<double> densities(const LevelTree& tree, std::span<const Subtree* const> subtrees) const;

  private:
    struct Gathered;
    Gathered gather(std::span<const TakenRows> parts, std::size_t k) const;
    Split choose(const LevelTree& tree, std::uint32_t node, std::uint64_t step, const Gathered& rows,
                 std::span<const double>& sums) const;
    Subtree grow_below(const LevelTree& tree, std::uint32_t node, Gathered& rows,
                       const LeafOrigin& origin) const;
    std::vector<std::vector<std::uint32_t>> held_by_node(const LevelTree& tree) const;
    std::size_t n_held() const { return held_out_ ? held_out_->size() / columns_.size() : 0; }

    std::vector<BinEdges> columns_;
    DensityForestOptions options_;
    std::size_t most_rows_;
    std::optional<std::vector<std::uint16_t>> held_out_;
};

}  // namespace boxwood
