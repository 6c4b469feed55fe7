#include "mixture/levels/top_leaves.hpp"

#include <algorithm>
#include <utility>

#include "mixture/fitting/leaf_fitter.hpp"

namespace boxwood {

namespace {

// A table without rows: all that leaves need to know is in the counts.
BinnedRows no_rows(const std::vector<BinEdges>& columns) {
    BinnedRows nothing;
    nothing.columns = &columns;
    return nothing;
}

class OriginWriter : public LeafFitter {
  public:
    OriginWriter(GrownDensityTree& grown, const BinnedRows& nothing, const LeafOptions& options,
                 std::vector<char> wanted)
        : LeafFitter(grown, nothing, options), wanted_(std::move(wanted)), origins_(wanted_.size()) {}

    std::vector<LeafOrigin> take() { return std::move(origins_); }

  private:
    void arrive(const Step& step, const TreeNode& node) override {
        if (wanted_[step.node] == 0) return;
        LeafOrigin& origin = origins_[step.node];
        for (std::size_t j = 0; j < n_columns_; ++j) origin.box.push_back(step.box->part(j));
        origin.fractions = step.fractions;
        origin.mass = node.mass;
        origin.parent_count = step.parent_count;
    }

    std::vector<char> wanted_;
    std::vector<LeafOrigin> origins_;
};

class TopWriter : public LeafFitter {
  public:
    TopWriter(GrownDensityTree& grown, const BinnedRows& nothing, const LeafOptions& options,
              const std::vector<char>& handed_over)
        : LeafFitter(grown, nothing, options),
          handed_over_(handed_over),
          leaves_(empty_leaves(grown.tree.n_leaves)) {}

    Leaves take() { return std::move(leaves_); }

  private:
    void arrive(const Step& step, const TreeNode& node) override {
        if (node.is_leaf() && handed_over_[step.node] == 0) write_leaf(step, node, leaves_, node.leaf);
    }

    const std::vector<char>& handed_over_;
    Leaves leaves_;
};

}  // namespace

std::vector<LeafOrigin> leaf_origins(const LevelTree& tree, const std::vector<BinEdges>& columns,
                                     const LeafOptions& options) {
    std::vector<char> wanted(tree.tree.nodes.size(), 0);
    for (std::uint32_t node : tree.open) wanted[node] = tree.handed_over[node];
    if (std::find(wanted.begin(), wanted.end(), 1) == wanted.end())
        return std::vector<LeafOrigin>(wanted.size());
    GrownDensityTree grown = tree.grown(columns);
    const BinnedRows nothing = no_rows(columns);
    OriginWriter writer(grown, nothing, options, std::move(wanted));
    writer.use_counts(tree.counts);
    writer.walk();
    return writer.take();
}

Leaves fit_top_leaves(GrownDensityTree& grown, const LevelTree& tree, const LeafOptions& options) {
    const BinnedRows nothing = no_rows(grown.columns);
    TopWriter writer(grown, nothing, options, tree.handed_over);
    writer.use_counts(tree.counts);
    writer.walk();
    return writer.take();
}

}  // namespace boxwood
