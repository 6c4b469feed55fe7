#include "mixture/flat_mixture.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace boxwood {

namespace {

constexpr std::array<std::string_view, 4> kind_names = {"uniform", "histogram", "gaussian", "gaussian_full"};

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& part) {
    all.insert(all.end(), part.begin(), part.end());
}

template <class T>
std::vector<T> slice(std::span<const T> all, std::size_t begin, std::size_t end) {
    require(begin <= end && end <= all.size(), "a tree's arrays are too short");
    const auto part = all.subspan(begin, end - begin);
    return {part.begin(), part.end()};
}

void check_starts(std::span<const std::int64_t> starts, std::size_t n, const char* what) {
    require(starts.size() >= 2 && starts.front() == 0 && starts.back() == static_cast<std::int64_t>(n) &&
                std::is_sorted(starts.begin(), starts.end()),
            what);
}

void check_lengths(const FlatMixtureView& flat) {
    const std::size_t n = flat.feature.size();
    require(flat.left.size() == n && flat.threshold.size() == n && flat.mass.size() == n &&
                flat.count.size() == n,
            "the arrays of nodes differ in length");
    check_starts(flat.node_start, n, "node_start does not fit the nodes");
    check_starts(flat.set_start, flat.sets.size(), "set_start does not fit the sets");
    require(flat.set_start.size() == flat.node_start.size(), "node_start and set_start differ");
    require(flat.words_per_set <= 1024, "sets are too long");
}

Tree unflatten_tree(const FlatMixtureView& flat, std::size_t t) {
    Tree tree;
    const auto begin = static_cast<std::size_t>(flat.node_start[t]);
    const auto end = static_cast<std::size_t>(flat.node_start[t + 1]);
    tree.nodes.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
        TreeNode node;
        node.feature = flat.feature[i];
        node.left = flat.left[i];
        node.threshold = flat.threshold[i];
        node.mass = flat.mass[i];
        node.count = flat.count[i];
        tree.nodes.push_back(node);
    }
    tree.sets = slice(flat.sets, static_cast<std::size_t>(flat.set_start[t]),
                      static_cast<std::size_t>(flat.set_start[t + 1]));
    tree.words_per_set = flat.words_per_set;
    number_leaves(tree);
    return tree;
}

}  // namespace

FlatMixture flatten(std::span<const MixtureTree> trees) {
    require(!trees.empty(), "a mixture has one or more trees");
    FlatMixture flat;
    std::size_t n_nodes = 0;
    std::size_t n_quantised = 0;
    for (const auto& [tree, leaves] : trees) {
        n_nodes += tree.nodes.size();
        n_quantised += leaves.quantised.size();
    }
    flat.nodes.reserve(n_nodes);
    flat.mass.reserve(n_nodes);
    flat.leaves.quantised.reserve(n_quantised);
    for (const auto& [tree, leaves] : trees) {
        flat.nodes.add(tree);
        for (const TreeNode& node : tree.nodes) flat.mass.push_back(node.mass);
        append(flat.sets, tree.sets);
        append(flat.leaves.quantised, leaves.quantised);
        append(flat.leaves.mean, leaves.mean);
        append(flat.leaves.deviation, leaves.deviation);
        flat.set_start.push_back(static_cast<std::int64_t>(flat.sets.size()));
    }
    flat.words_per_set = trees.front().tree.words_per_set;
    flat.leaves.kind = trees.front().leaves.kind;
    flat.leaves.n_leaf_bins = trees.front().leaves.n_leaf_bins;
    return flat;
}

std::vector<MixtureTree> unflatten(const FlatMixtureView& flat) {
    check_lengths(flat);
    const auto is_leaf = [](std::int32_t feature) { return feature < 0; };
    const auto n_leaves =
        static_cast<std::size_t>(std::count_if(flat.feature.begin(), flat.feature.end(), is_leaf));
    const std::size_t bytes = n_leaves == 0 ? 0 : flat.quantised.size() / n_leaves;
    const std::size_t means = n_leaves == 0 ? 0 : flat.mean.size() / n_leaves;
    const std::size_t deviations = n_leaves == 0 ? 0 : flat.deviation.size() / n_leaves;
    require(bytes * n_leaves == flat.quantised.size() && means * n_leaves == flat.mean.size() &&
                deviations * n_leaves == flat.deviation.size() &&
                (flat.kind == LeafKind::gaussian_full || means == deviations),
            "the payload does not fit the number of leaves");
    std::vector<MixtureTree> trees;
    std::size_t leaf = 0;
    for (std::size_t t = 0; t + 1 < flat.node_start.size(); ++t) {
        MixtureTree made{unflatten_tree(flat, t), {}};
        const std::size_t end = leaf + made.tree.n_leaves;
        made.leaves.kind = flat.kind;
        made.leaves.n_leaf_bins = flat.n_leaf_bins;
        made.leaves.quantised = slice(flat.quantised, leaf * bytes, end * bytes);
        made.leaves.mean = slice(flat.mean, leaf * means, end * means);
        made.leaves.deviation = slice(flat.deviation, leaf * deviations, end * deviations);
        leaf = end;
        trees.push_back(std::move(made));
    }
    return trees;
}

std::string_view name_of(LeafKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

LeafKind leaf_kind_of(std::string_view name) {
    const auto found = std::find(kind_names.begin(), kind_names.end(), name);
    require(found != kind_names.end(), "unknown kind of leaf");
    return static_cast<LeafKind>(found - kind_names.begin());
}

}  // namespace boxwood
