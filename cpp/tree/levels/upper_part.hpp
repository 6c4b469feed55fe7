// The upper part of a tree that is grown level by level, without its rows: these are in many places.
//
// A node whose rows are few is handed over: its rows are brought together, and what is below it is grown at
// once. What a level needs to know of the rows are sums over them, which merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/growth.hpp"
#include "tree/tree.hpp"

namespace boxwood {

// What every kind of tree has; densities and decisions add their own.
struct UpperPart {
    std::size_t number = 0;  // of the tree in its forest
    double unit = 1.0;       // of the weights of its sample (see `unit_of_counts`); 0: there is none
    Tree tree;               // in the order in which levels were split
    // Of each node.
    std::vector<std::uint32_t> parent;
    std::vector<std::uint64_t> n_rows;
    std::vector<char> handed_over;
    std::vector<double> counts;  // as many for each node: weight in bins, or of classes
    // Nodes of the present level, and of the one before.
    std::vector<std::uint32_t> open;
    std::vector<std::uint32_t> previous;
    // Every how many rows of each open node are needed to split it; 0: none, as it is a leaf; see `by_sums`.
    std::vector<std::uint64_t> steps;

    // Makes it a root without rows.
    void plant(std::size_t of_tree, double of_weights);

    // Adds the halves of a node, in the next level, and returns the left one.
    std::uint32_t add_halves(std::uint32_t node, std::size_t feature);

    // From the root down to a node.
    std::vector<std::uint32_t> path_to(std::uint32_t node) const;

    // Where growth stands at a node of a tree of some seed.
    NodeStart start_of(std::uint32_t node, std::uint64_t seed) const;
};

}  // namespace boxwood
