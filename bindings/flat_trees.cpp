#include "flat_trees.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

#include "arrays.hpp"

namespace boxwood::bindings {

namespace {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

const char* const kind_names[] = {"uniform", "histogram", "gaussian"};

template <class T>
void append(std::vector<T>& all, const std::vector<T>& part) {
    all.insert(all.end(), part.begin(), part.end());
}

// The arrays are read where they lie: copies of all of them at once would double the memory of a large
// forest.
template <class T>
std::span<const T> read(const nb::dict& flat, const char* name) {
    // Not converted: the copy would be gone before it is read.
    const auto array = nb::cast<Input<T>>(flat[name], false);
    return {array.data(), array.shape(0)};
}

template <class T>
std::vector<T> slice(std::span<const T> all, std::size_t begin, std::size_t end) {
    if (begin > end || end > all.size()) throw std::invalid_argument("a tree's arrays are too short");
    return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

void check_starts(std::span<const std::int64_t> starts, std::size_t n, const char* what) {
    const bool fits = starts.size() >= 2 && starts.front() == 0 &&
                      starts.back() == static_cast<std::int64_t>(n) &&
                      std::is_sorted(starts.begin(), starts.end());
    if (!fits) throw std::invalid_argument(what);
}

}  // namespace

const char* name_of(LeafKind kind) { return kind_names[static_cast<int>(kind)]; }

FlatTrees flatten(std::span<const MixtureTree> trees) {
    std::vector<std::int64_t> node_start = {0};
    std::vector<std::int64_t> set_start = {0};
    std::vector<std::int32_t> feature;
    std::vector<std::uint32_t> left;
    std::vector<std::uint32_t> cut;
    std::vector<double> mass;
    std::vector<double> count;
    std::vector<std::uint64_t> sets;
    std::vector<std::uint8_t> levels;
    std::vector<float> mean;
    std::vector<float> deviation;
    std::size_t n_nodes = 0;
    std::size_t n_levels = 0;
    for (const auto& [tree, leaves] : trees) {
        n_nodes += tree.nodes.size();
        n_levels += leaves.levels.size();
    }
    // Without room made at once the arrays would grow by doubling, and take twice their size.
    feature.reserve(n_nodes);
    left.reserve(n_nodes);
    cut.reserve(n_nodes);
    mass.reserve(n_nodes);
    count.reserve(n_nodes);
    levels.reserve(n_levels);
    for (const auto& [tree, leaves] : trees) {
        for (const TreeNode& node : tree.nodes) {
            feature.push_back(node.feature);
            left.push_back(node.is_leaf() ? 0 : node.left);
            cut.push_back(node.is_leaf() ? 0 : node.cut);
            mass.push_back(node.mass);
            count.push_back(node.count);
        }
        append(sets, tree.sets);
        append(levels, leaves.levels);
        append(mean, leaves.mean);
        append(deviation, leaves.deviation);
        node_start.push_back(static_cast<std::int64_t>(feature.size()));
        set_start.push_back(static_cast<std::int64_t>(sets.size()));
    }
    FlatTrees flat;
    flat["node_start"] = to_numpy(std::move(node_start));
    flat["set_start"] = to_numpy(std::move(set_start));
    flat["feature"] = to_numpy(std::move(feature));
    flat["left"] = to_numpy(std::move(left));
    flat["cut"] = to_numpy(std::move(cut));
    flat["mass"] = to_numpy(std::move(mass));
    flat["count"] = to_numpy(std::move(count));
    flat["sets"] = to_numpy(std::move(sets));
    flat["words_per_set"] = trees.front().tree.words_per_set;
    flat["leaf_kind"] = name_of(trees.front().leaves.kind);
    flat["n_bins"] = trees.front().leaves.n_leaf_bins;
    flat["levels"] = to_numpy(std::move(levels));
    flat["mean"] = to_numpy(std::move(mean));
    flat["deviation"] = to_numpy(std::move(deviation));
    return flat;
}

void unflatten(const FlatTrees& flat, std::vector<Tree>& trees, std::vector<Leaves>& leaves) {
    const auto node_start = read<std::int64_t>(flat, "node_start");
    const auto set_start = read<std::int64_t>(flat, "set_start");
    const auto feature = read<std::int32_t>(flat, "feature");
    const auto left = read<std::uint32_t>(flat, "left");
    const auto cut = read<std::uint32_t>(flat, "cut");
    const auto mass = read<double>(flat, "mass");
    const auto count = read<double>(flat, "count");
    const auto sets = read<std::uint64_t>(flat, "sets");
    const auto levels = read<std::uint8_t>(flat, "levels");
    const auto mean = read<float>(flat, "mean");
    const auto deviation = read<float>(flat, "deviation");
    const auto n_leaf_bins = nb::cast<std::size_t>(flat["n_bins"]);
    const auto kind_name = nb::cast<std::string>(flat["leaf_kind"]);
    const auto found = std::find(std::begin(kind_names), std::end(kind_names), kind_name);
    if (found == std::end(kind_names)) throw std::invalid_argument("unknown kind of leaf");
    const std::size_t n = feature.size();
    if (left.size() != n || cut.size() != n || mass.size() != n || count.size() != n) {
        throw std::invalid_argument("the arrays of nodes differ in length");
    }
    check_starts(node_start, n, "node_start does not fit the nodes");
    check_starts(set_start, sets.size(), "set_start does not fit the sets");
    if (set_start.size() != node_start.size()) throw std::invalid_argument("node_start and set_start differ");
    std::size_t n_leaves = 0;
    for (std::int32_t f : feature) n_leaves += f < 0 ? 1 : 0;
    const std::size_t bytes = n_leaves == 0 ? 0 : levels.size() / n_leaves;
    const std::size_t gaussians = n_leaves == 0 ? 0 : mean.size() / n_leaves;
    if (mean.size() != deviation.size() || bytes * n_leaves != levels.size() ||
        gaussians * n_leaves != mean.size()) {
        throw std::invalid_argument("the payload does not fit the number of leaves");
    }
    std::size_t leaf = 0;
    for (std::size_t t = 0; t + 1 < node_start.size(); ++t) {
        Tree tree;
        tree.nodes.reserve(static_cast<std::size_t>(node_start[t + 1] - node_start[t]));
        for (auto i = static_cast<std::size_t>(node_start[t]);
             i < static_cast<std::size_t>(node_start[t + 1]); ++i) {
            TreeNode node;
            node.feature = feature[i];
            node.left = left[i];
            node.cut = cut[i];
            node.mass = mass[i];
            node.count = count[i];
            tree.nodes.push_back(node);
        }
        tree.sets =
            slice(sets, static_cast<std::size_t>(set_start[t]), static_cast<std::size_t>(set_start[t + 1]));
        tree.words_per_set = nb::cast<std::size_t>(flat["words_per_set"]);
        if (tree.words_per_set > 1024) throw std::invalid_argument("sets are too long");
        number_leaves(tree);
        const std::size_t end = leaf + tree.n_leaves;
        Leaves payload;
        payload.kind = static_cast<LeafKind>(found - std::begin(kind_names));
        payload.n_leaf_bins = n_leaf_bins;
        payload.levels = slice(levels, leaf * bytes, end * bytes);
        payload.mean = slice(mean, leaf * gaussians, end * gaussians);
        payload.deviation = slice(deviation, leaf * gaussians, end * gaussians);
        leaf = end;
        trees.push_back(std::move(tree));
        leaves.push_back(std::move(payload));
    }
}

}  // namespace boxwood::bindings
