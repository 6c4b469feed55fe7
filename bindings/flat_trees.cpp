#include "flat_trees.hpp"

#include <nanobind/stl/string.h>

#include <span>
#include <string>

#include "arrays.hpp"

namespace boxwood::bindings {

namespace {

// The arrays are read where they lie: the dictionary holds them.
template <class T>
std::span<const T> read(const nb::dict& flat, const char* name) {
    // Not converted: the copy would be gone before it is read.
    const auto array = nb::cast<Input<T>>(flat[name], false);
    return {array.data(), array.shape(0)};
}

}  // namespace

FlatTrees to_dict(FlatMixture&& flat) {
    FlatTrees dict;
    dict["node_start"] = to_numpy(std::move(flat.nodes.start));
    dict["set_start"] = to_numpy(std::move(flat.set_start));
    dict["feature"] = to_numpy(std::move(flat.nodes.feature));
    dict["left"] = to_numpy(std::move(flat.nodes.left));
    dict["cut"] = to_numpy(std::move(flat.nodes.threshold));
    dict["mass"] = to_numpy(std::move(flat.mass));
    dict["count"] = to_numpy(std::move(flat.nodes.count));
    dict["sets"] = to_numpy(std::move(flat.sets));
    dict["words_per_set"] = flat.words_per_set;
    dict["leaf_kind"] = std::string(name_of(flat.leaves.kind));
    dict["n_bins"] = flat.leaves.n_leaf_bins;
    dict["levels"] = to_numpy(std::move(flat.leaves.quantised));
    dict["mean"] = to_numpy(std::move(flat.leaves.mean));
    dict["deviation"] = to_numpy(std::move(flat.leaves.deviation));
    return dict;
}

std::vector<MixtureTree> from_dict(const FlatTrees& flat) {
    FlatMixtureView view;
    view.node_start = read<std::int64_t>(flat, "node_start");
    view.set_start = read<std::int64_t>(flat, "set_start");
    view.feature = read<std::int32_t>(flat, "feature");
    view.left = read<std::uint32_t>(flat, "left");
    view.threshold = read<std::uint32_t>(flat, "cut");
    view.mass = read<double>(flat, "mass");
    view.count = read<double>(flat, "count");
    view.sets = read<std::uint64_t>(flat, "sets");
    view.words_per_set = nb::cast<std::size_t>(flat["words_per_set"]);
    view.kind = leaf_kind_of(nb::cast<std::string>(flat["leaf_kind"]));
    view.n_leaf_bins = nb::cast<std::size_t>(flat["n_bins"]);
    view.quantised = read<std::uint8_t>(flat, "levels");
    view.mean = read<float>(flat, "mean");
    view.deviation = read<float>(flat, "deviation");
    return unflatten(view);
}

FlatTrees to_dict(FlatForest&& forest, const std::vector<double>& fill) {
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
