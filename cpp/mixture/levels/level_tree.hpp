// The upper part of a density tree that is grown level by level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/binned_rows.hpp"
#include "mixture/fit_leaves.hpp"
#include "tree/density/density_policy.hpp"
#include "tree/levels/upper_part.hpp"

namespace boxwood {

struct LevelTree : UpperPart {
    // Of each node.
    std::vector<double> gain;
    std::vector<double> left_fraction;
    std::vector<double> log_volume;

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
