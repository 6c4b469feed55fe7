// Gabriel editing: which rows have a Gabriel neighbour of another class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "neighbors/kd_tree.hpp"

namespace boxwood {

// Rows a and b are Gabriel neighbours where no row c lies inside the ball that has them as its ends, that is,
// where no Σ (a_d − c_d)·(b_d − c_d) is negative. Rows on the ball's surface, and copies of a or b, do not
// part them. `rows` are those that the tree was made of.
std::vector<std::uint8_t> has_gabriel_enemy(const KdTree& tree, const double* rows,
                                            const std::int64_t* classes, std::size_t n_threads,
                                            const Watch& watch = {});

}  // namespace boxwood
