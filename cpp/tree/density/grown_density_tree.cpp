#include "tree/density/grown_density_tree.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace boxwood {

namespace {

// Takes a set of categories over; returns its number there.
std::uint32_t copy_set(const Tree& from, std::uint32_t set, Tree& to) {
    const auto begin = from.sets.begin() + static_cast<std::ptrdiff_t>(set * from.words_per_set);
    to.sets.insert(to.sets.end(), begin, begin + static_cast<std::ptrdiff_t>(from.words_per_set));
    return static_cast<std::uint32_t>(to.sets.size() / to.words_per_set - 1);
}

}  // namespace

GrownDensityTree collapse(const GrownDensityTree& grown, const std::vector<char>& is_leaf) {
    GrownDensityTree small;
    small.columns = grown.columns;
    small.rows = grown.rows;
    small.bins = grown.bins;
    small.bin_stride = grown.bin_stride;
    small.tree.words_per_set = grown.tree.words_per_set;
    const auto copy = [&](std::size_t i) {
        TreeNode node = grown.tree.nodes[i];
        if (is_leaf[i]) node.feature = -1;
        if (!node.is_leaf() && grown.columns[static_cast<std::size_t>(node.feature)].categorical)
            node.threshold = copy_set(grown.tree, node.threshold, small.tree);
        small.tree.nodes.push_back(node);
        small.begin.push_back(grown.begin[i]);
        small.end.push_back(grown.end[i]);
        small.gain.push_back(is_leaf[i] ? 0.0 : grown.gain[i]);
        small.left_fraction.push_back(grown.left_fraction[i]);
        small.log_volume.push_back(grown.log_volume[i]);
    };
    std::vector<std::size_t> source = {0};
    copy(0);
    for (std::size_t k = 0; k < source.size(); ++k) {
        if (small.tree.nodes[k].is_leaf()) continue;
        const std::size_t left = grown.tree.nodes[source[k]].left;
        small.tree.nodes[k].left = static_cast<std::uint32_t>(small.tree.nodes.size());
        for (std::size_t side : {0u, 1u}) {
            source.push_back(left + side);
            copy(left + side);
        }
    }
    number_leaves(small.tree);
    return small;
}

void check_grown_on(const GrownDensityTree& grown, const BinnedRows& rows) {
    bool same = grown.columns.size() == rows.n_columns();
    for (std::size_t j = 0; same && j < rows.n_columns(); ++j)
        same = rows.exact(j) || grown.columns[j].u == (*rows.columns)[j].u;
    for (std::uint32_t row : grown.rows) same = same && row < rows.n_rows;
    if (!same) throw std::invalid_argument("the tree was not grown on this table");
}

std::vector<std::uint32_t> leaves_of_rows(const GrownDensityTree& grown, const BinnedTable& table) {
    check_grown_on(grown, table.data());
    std::vector<std::uint32_t> leaf_of_distinct(table.data().n_rows,
                                                std::numeric_limits<std::uint32_t>::max());
    for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
        if (!grown.tree.nodes[i].is_leaf()) continue;
        for (std::size_t k = grown.begin[i]; k < grown.end[i]; ++k)
            leaf_of_distinct[grown.rows[k]] = grown.tree.nodes[i].leaf;
    }
    std::vector<std::uint32_t> leaves(table.n_rows());
    for (std::size_t row = 0; row < leaves.size(); ++row) leaves[row] = leaf_of_distinct[table.distinct(row)];
    return leaves;
}

std::vector<double> gains_of_columns(const GrownDensityTree& grown, std::size_t n_columns) {
    std::vector<double> gains(n_columns, 0.0);
    for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
        const TreeNode& node = grown.tree.nodes[i];
        if (!node.is_leaf()) gains[static_cast<std::size_t>(node.feature)] += std::max(grown.gain[i], 0.0);
    }
    return gains;
}

}  // namespace boxwood
