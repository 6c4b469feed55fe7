// Decision and regression trees as a dictionary of flat arrays, as Python keeps and saves them.
#pragma once

#include <vector>

#include "arrays.hpp"
#include "flat_trees.hpp"
#include "tree/supervised/flat_forest.hpp"

namespace boxwood::bindings {

// `fill`: what stands for missing numbers along directions, a column.
inline FlatTrees to_dict(FlatForest&& forest, const std::vector<double>& fill) {
    FlatTrees dict;
    dict["start"] = to_numpy(std::move(forest.nodes.start));
    dict["feature"] = to_numpy(std::move(forest.nodes.feature));
    dict["left"] = to_numpy(std::move(forest.nodes.left));
    dict["cut"] = to_numpy(std::move(forest.nodes.threshold));
    dict["missing_left"] = to_numpy(std::move(forest.responses.missing_left));
    dict["count"] = to_numpy(std::move(forest.nodes.count));
    dict["impurity"] = to_numpy(std::move(forest.responses.impurity));
    dict["response"] = to_numpy(std::move(forest.responses.response));
    dict["sets"] = to_numpy(std::move(forest.responses.sets));
    dict["threshold"] = to_numpy(std::move(forest.responses.threshold));
    FlatDirections directions = flatten_directions(forest.responses.directions);
    dict["direction_start"] = to_numpy(std::move(directions.start));
    dict["direction_column"] = to_numpy(std::move(directions.column));
    dict["direction_weight"] = to_numpy(std::move(directions.weight));
    dict["fill"] = to_numpy(std::vector<double>(fill));
    return dict;
}

}  // namespace boxwood::bindings
