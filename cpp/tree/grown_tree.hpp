// What growth leaves behind, whatever its policy; a policy's own kind of grown tree derives from it.
#pragma once

#include <cstddef>
#include <vector>

#include "tree/tree.hpp"

namespace boxwood {

struct GrownTree {
    Tree tree;
    std::vector<std::size_t>
        begin;  // of each node, in the rows of the sample: those of a node stand side by side
    std::vector<std::size_t> end;
    std::vector<double> gain;  // of each inner node's split
};

}  // namespace boxwood
