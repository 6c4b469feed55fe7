#include "mixture/levels/level_tree.hpp"

#include <algorithm>
#include <cmath>

namespace boxwood {

namespace {

// The split of an inner node as growth knows it.
Split split_of(const LevelTree& tree, const std::vector<BinEdges>& columns, std::uint32_t node) {
    const TreeNode& inner = tree.tree.nodes[node];
    Split split;
    split.feature = static_cast<std::size_t>(inner.feature);
    split.left_fraction = tree.left_fraction[node];
    split.threshold_bin = inner.threshold;
    if (!columns[split.feature].categorical) return split;
    for (std::uint32_t bin = 0; bin < columns[split.feature].n_bins(); ++bin) {
        if (tree.tree.in_set(inner.threshold, bin)) split.left_bins.push_back(bin);
    }
    return split;
}

}  // namespace

LevelTree LevelTree::root(const std::vector<BinEdges>& columns, std::size_t number, double unit) {
    LevelTree made;
    made.plant(number, unit);
    std::size_t longest = 0;
    for (const BinEdges& column : columns)
        longest = std::max(longest, column.categorical ? column.n_bins() : 0);
    made.tree.words_per_set = (longest + 63) / 64;
    for (std::vector<double>* values : {&made.gain, &made.left_fraction, &made.log_volume})
        values->assign(1, 0.0);
    return made;
}

void LevelTree::split(std::uint32_t node, const Split& found, const std::vector<BinEdges>& columns) {
    add_halves(node, found.feature);
    TreeNode& inner = tree.nodes[node];
    inner.threshold = found.threshold_bin;
    if (columns[found.feature].categorical) {
        const std::size_t first = tree.sets.size();
        inner.threshold = static_cast<std::uint32_t>(first / tree.words_per_set);
        tree.sets.resize(first + tree.words_per_set, 0);
        for (std::uint32_t bin : found.left_bins)
            tree.sets[first + bin / 64] |= std::uint64_t{1} << (bin % 64);
    }
    gain[node] = found.gain;
    left_fraction[node] = found.left_fraction;
    const double volume = log_volume[node];
    log_volume.push_back(volume + std::log(found.left_fraction));
    log_volume.push_back(volume + std::log1p(-found.left_fraction));
    gain.resize(tree.nodes.size(), 0.0);
    left_fraction.resize(tree.nodes.size(), 0.0);
}

LevelTree LevelTree::skeleton() const {
    LevelTree bare = *this;
    bare.counts.clear();
    return bare;
}

GrownDensityTree LevelTree::grown(const std::vector<BinEdges>& columns) const {
    GrownDensityTree made;
    made.tree = tree;
    made.begin.assign(tree.nodes.size(), 0);
    made.end.assign(n_rows.begin(), n_rows.end());
    made.gain = gain;
    made.columns = columns;
    made.left_fraction = left_fraction;
    made.log_volume = log_volume;
    number_leaves(made.tree);
    return made;
}

LevelNode node_of(const LevelTree& tree, const std::vector<BinEdges>& columns, std::uint32_t node,
                  std::uint64_t seed) {
    BinnedRows nothing;
    nothing.columns = &columns;
    const NodeStart start = tree.start_of(node, seed);
    LevelNode found{GrowBox::whole(nothing), start.depth, start.key};
    const std::vector<std::uint32_t> path = tree.path_to(node);
    for (std::size_t k = 1; k < path.size(); ++k) {
        const bool left = path[k] == tree.tree.nodes[path[k - 1]].left;
        found.box = box_of_half(nothing, found.box, split_of(tree, columns, path[k - 1]), left);
    }
    return found;
}

Box box_of(const LevelTree& tree, const std::vector<BinEdges>& columns, std::uint32_t node) {
    Box box(columns);
    const std::vector<std::uint32_t> path = tree.path_to(node);
    for (std::size_t k = 1; k < path.size(); ++k) {
        const TreeNode& above = tree.tree.nodes[path[k - 1]];
        box.shrink(tree.tree, above, path[k] == above.left);
    }
    return box;
}

}  // namespace boxwood
