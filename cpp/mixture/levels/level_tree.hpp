// The upper part of a tree that is grown level by level, without its rows: these are in many places.
//
// A node whose rows are few is handed over: its rows are brought together, and what is below it is grown at
// once. What a level needs to know of the rows are sums over them, which merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/binned_rows.hpp"
#include "mixture/fit_leaves.hpp"
#include "tree/density/density_policy.hpp"

namespace boxwood {

struct LevelTree {
    std::size_t number = 0;  // of the tree in its forest
    double unit = 1.0;       // of the weights of its sample (see `unit_of_counts`); 0: there is none
    Tree tree;               // in the order in which levels were split
    // Of each node.
    std::vector<double> gain;
    std::vector<double> left_fraction;
    std::vector<double> log_volume;
    std::vector<std::uint32_t> parent;
    std::vector<std::uint64_t> n_rows;
    std::vector<char> handed_over;
    std::vector<double> counts;  // rows in the bins of the node's histograms, column by column
    // Nodes of the present level, and of the one before.
    std::vector<std::uint32_t> open;
    std::vector<std::uint32_t> previous;
    // Every how many rows of each open node are needed to split it; 0: none, as it is a leaf; see `by_sums`.
    std::vector<std::uint64_t> steps;

    // A root without rows.
    static LevelTree root(const std::vector<BinEdges>& columns, std::size_t number, double unit);

    // Adds the halves of a node, in the next level.
    void split(std::uint32_t node, const Split& split, const std::vector<BinEdges>& columns);

    // What those need who route rows: all but the counts.
    LevelTree skeleton() const;

    // As those who fit leaves read it, without rows.
    GrownDensityTree grown(const std::vector<BinEdges>& columns) const;
};

// Where growth stands at a node.
struct LevelNode {
    GrowBox box;
    std::size_t depth = 0;
    std::uint64_t key = 0;  // of its random draws
};

// `seed`: of the tree.
LevelNode node_of(const LevelTree& tree, const std::vector<BinEdges>& columns, std::uint32_t node,
                  std::uint64_t seed);

// The box of a node as leaves know it. `columns` must outlive it.
Box box_of(const LevelTree& tree, const std::vector<BinEdges>& columns, std::uint32_t node);

}  // namespace boxwood
