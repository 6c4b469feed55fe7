#include "tree/supervised/flat_forest.hpp"

#include <stdexcept>
#include <utility>

namespace boxwood {

namespace {

template <class T>
void append(std::vector<T>& all, std::vector<T>& part) {
    all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
}

// Numbers the sets and directions of a tree behind those that are there.
void renumber(Tree& tree, const SupervisedData& data, const Responses& before) {
    for (TreeNode& node : tree.nodes) {
        if (node.is_leaf()) continue;
        const auto j = static_cast<std::size_t>(node.feature);
        if (j >= data.n_columns()) {
            node.feature += static_cast<std::int32_t>(before.directions.size());
        } else if (data.columns[j].categorical) {
            node.threshold += static_cast<std::uint32_t>(before.sets.size());
        }
    }
}

FlatForest with_room_for(const std::vector<SupervisedTree>& trees) {
    std::size_t n_nodes = 0;
    std::size_t n_responses = 0;
    std::size_t n_thresholds = 0;
    std::size_t n_sets = 0;
    for (const auto& [tree, leaves] : trees) {
        n_nodes += tree.nodes.size();
        n_responses += leaves.response.size();
        n_thresholds += leaves.threshold.size();
        n_sets += leaves.sets.size();
    }
    FlatForest forest;
    forest.nodes.reserve(n_nodes);
    forest.responses.missing_left.reserve(n_nodes);
    forest.responses.impurity.reserve(n_nodes);
    forest.responses.response.reserve(n_responses);
    forest.responses.threshold.reserve(n_thresholds);
    forest.responses.sets.reserve(n_sets);
    return forest;
}

}  // namespace

FlatForest join(std::vector<SupervisedTree>&& trees, const SupervisedData& data) {
    FlatForest forest = with_room_for(trees);
    Responses& all = forest.responses;
    for (SupervisedTree& joined : trees) {
        SupervisedTree own = std::move(joined);
        renumber(own.tree, data, all);
        forest.nodes.add(own.tree);
        append(all.missing_left, own.leaves.missing_left);
        append(all.impurity, own.leaves.impurity);
        append(all.response, own.leaves.response);
        append(all.threshold, own.leaves.threshold);
        append(all.directions, own.leaves.directions);
        append(all.sets, own.leaves.sets);
    }
    return forest;
}

FlatDirections flatten_directions(std::span<const Direction> directions) {
    FlatDirections flat;
    for (const Direction& direction : directions) {
        for (const auto& [column, weight] : direction) {
            flat.column.push_back(column);
            flat.weight.push_back(weight);
        }
        flat.start.push_back(static_cast<std::int64_t>(flat.column.size()));
    }
    return flat;
}

std::vector<Direction> unflatten_directions(std::span<const std::int64_t> start,
                                            std::span<const std::uint32_t> column,
                                            std::span<const float> weight) {
    if (start.empty() || column.size() != weight.size())
        throw std::invalid_argument("the arrays of directions differ in length");
    std::vector<Direction> directions;
    for (std::size_t k = 0; k + 1 < start.size(); ++k) {
        if (start[k] < 0 || start[k + 1] < start[k] ||
            start[k + 1] > static_cast<std::int64_t>(column.size()))
            throw std::invalid_argument("a direction is not there");
        Direction direction;
        for (auto i = static_cast<std::size_t>(start[k]); i < static_cast<std::size_t>(start[k + 1]); ++i)
            direction.emplace_back(column[i], weight[i]);
        directions.push_back(std::move(direction));
    }
    return directions;
}

}  // namespace boxwood
