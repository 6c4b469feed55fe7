// A walk through the leaves of a tree that knows what each of their pieces integrates to.
#pragma once

#include <cstddef>
#include <vector>

#include "mixture/leaf_density.hpp"
#include "tree/box_walk.hpp"

namespace boxwood {

// Two leaves side by side differ in few columns: the widths of a histogram's bins are found again only where
// the box has changed. Found for every leaf, they took three quarters of the time of reading a model.
class LeafWalk {
  public:
    // Keeps references to all of them.
    LeafWalk(const Tree& tree, const Leaves& leaves, const std::vector<BinEdges>& columns)
        : tree_(tree),
          leaves_(leaves),
          boxes_(tree, columns),
          stale_(columns.size(), 1),
          ranges_(columns.size()),
          widths_(leaves.kind == LeafKind::histogram ? columns.size() * leaves.n_leaf_bins : 0) {}

    // Calls visit(node, box, normalizer_of) for every leaf; normalizer_of(column) is what `normalizer` gives.
    template <class Visit>
    void for_each_leaf(Visit&& visit) {
        const auto enter = [&](std::uint32_t at, const Box& box) {
            const TreeNode& node = tree_.nodes[at];
            if (node.is_leaf()) visit(node, box, [&](std::size_t j) { return integral(node.leaf, box, j); });
        };
        boxes_.for_each_node(enter, [&](std::size_t column) { stale_[column] = 1; });
    }

  private:
    double integral(std::size_t leaf, const Box& box, std::size_t j) {
        if (leaves_.kind != LeafKind::histogram) return normalizer({&leaves_, leaf, &box, j});
        double* const widths = widths_.data() + j * leaves_.n_leaf_bins;
        if (stale_[j] != 0) {
            ranges_[j] = leaf_bins_of_column(box, j, leaves_.n_leaf_bins);
            leaf_bin_widths(box, j, ranges_[j], widths);
            stale_[j] = 0;
        }
        return histogram_integral(leaves_.quantised_of(leaf, j, box.n_columns()), widths,
                                  ranges_[j].n_leaf_bins);
    }

    const Tree& tree_;
    const Leaves& leaves_;
    BoxWalk boxes_;
    std::vector<char> stale_;
    std::vector<LeafBinRange> ranges_;
    std::vector<double> widths_;
};

}  // namespace boxwood
