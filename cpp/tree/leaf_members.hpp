// The rows in the leaves of a forest, and how their targets are distributed around other rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"

namespace boxwood {

// Members of the leaves, leaf by leaf: those of leaf k are from start[k] to start[k + 1].
struct LeafMembers {
    std::span<const std::int64_t> start;
    std::span<const std::uint32_t> row;
    std::span<const float> weight;  // of each member in its tree's sample

    // Throws std::invalid_argument where the arrays are no members of leaves, or name a row beyond the last.
    void check(std::size_t n_rows) const;
};

// The leaves of rows that are asked: n_trees a row, row by row. `skip` leaves out the trees that saw a row;
// empty, none is.
struct AskedLeaves {
    std::span<const std::uint32_t> leaf;
    std::span<const std::uint8_t> skip;
    std::size_t n_trees = 0;

    std::size_t n_rows() const { return n_trees == 0 ? 0 : leaf.size() / n_trees; }
};

// The mean over the trees of the distributions of codes (< n_codes) in each row's leaves: row-major, n_codes
// a row. Leaves without members count for nothing; a row without any leaf that has some gets zeros. The last
// number of a row, the (n_codes + 1)-th, is the sum of the squares of the members' weights, summed over equal
// members: its inverse is how many rows the distribution is worth.
std::vector<double> leaf_histograms(const LeafMembers& members, const AskedLeaves& asked,
                                    std::span<const std::uint32_t> codes, std::size_t n_codes,
                                    std::size_t n_threads, const Watch& watch);

}  // namespace boxwood
