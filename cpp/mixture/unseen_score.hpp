// What trees say of rows that they have not seen.
#pragma once

#include <cstddef>
#include <functional>

namespace boxwood {

// The fraction of a row that a tree has not seen: (tree, row) → [0, 1]. A tree counts for that much.
using LeftOut = std::function<double(std::size_t, std::size_t)>;

// Log of the mean density of the trees that did not see a row, and how it falls with fewer of them: the mean
// of such logs of two halves of them, and of four quarters. NaN where there are too few trees. `n_trees` is
// how many trees of equal weight they are worth.
struct UnseenScore {
    double n_trees;
    double all;
    double of_halves;
    double of_quarters;
};

}  // namespace boxwood
