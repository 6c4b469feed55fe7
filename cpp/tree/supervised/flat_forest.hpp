// Decision or regression trees joined into flat arrays, as Python keeps and saves them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/flat_nodes.hpp"
#include "tree/supervised/supervised_tree.hpp"

namespace boxwood {

// The nodes of all trees and what they hold. Features count the columns and then the directions of all trees;
// a categorical node's threshold is the place of its set among all.
struct FlatForest {
    FlatNodes nodes;
    Responses responses;
};

// Directions as flat arrays.
struct FlatDirections {
    std::vector<std::int64_t> start = {0};  // of each direction, and the end of the last
    std::vector<std::uint32_t> column;
    std::vector<float> weight;
};

// Each tree lets go of its own memory as it is joined: two copies of a forest are large.
FlatForest join(std::vector<SupervisedTree>&& trees, const SupervisedData& data);

FlatDirections flatten_directions(std::span<const Direction> directions);

// The directions of such arrays; std::invalid_argument where they are none.
std::vector<Direction> unflatten_directions(std::span<const std::int64_t> start,
                                            std::span<const std::uint32_t> column,
                                            std::span<const float> weight);

}  // namespace boxwood
