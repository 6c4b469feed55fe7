// What a split finder gets to know of a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tree/density/grow_box.hpp"
#include "tree/density/node_counts.hpp"
#include "tree/density/row_partition.hpp"

namespace boxwood {

struct NodeContext {
    const RowPartition& partition;
    std::size_t begin;                    // of the node's rows, in the partition
    std::span<const std::uint32_t> rows;  // their numbers in the table
    double weight;                        // of the rows
    const GrowBox& box;
    std::size_t step = 1;  // every so many of the rows are looked at
    // Counts of the bins that the node has from its parent, or none; a split finder may make them.
    NodeCounts::Handle counts = {};
};

}  // namespace boxwood
