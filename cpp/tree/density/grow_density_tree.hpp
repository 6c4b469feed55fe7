// A tree as it is grown, and the growth of density trees.
#pragma once

#include <functional>

#include "tree/density/grow_data.hpp"
#include "tree/tree.hpp"

namespace boxwood {

struct GrownTree {
    Tree tree;
    // Exactly split columns get the bin edges of their own cuts; all others keep those that they were grown
    // on.
    std::vector<BinEdges> columns;
    std::vector<std::uint32_t> rows;  // the rows of each node stand side by side
    std::vector<std::size_t> begin;   // of each node, in `rows`
    std::vector<std::size_t> end;
    std::vector<double> gain;           // of each inner node's split
    std::vector<double> left_fraction;  // of each inner node's volume
    std::vector<double> log_volume;     // of each node
    // Bins of `rows`, in their order and `bin_stride` a row, where growth has kept them.
    std::vector<std::uint16_t> bins;
    std::size_t bin_stride = 0;
};

// Grows a tree by a density criterion; `interrupt` is called at every node and may throw.
GrownTree grow_density_tree(const GrowData& data, const GrowOptions& options,
                            const std::function<void()>& interrupt = {});

}  // namespace boxwood
