#include "mixture/fit_leaves.hpp"

#include <stdexcept>
#include <utility>

#include "mixture/fitting/leaf_fitter.hpp"

namespace boxwood {

namespace {

class LeafWriter : public LeafFitter {
  public:
    LeafWriter(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
               const LeafOrigin* origin)
        : LeafFitter(grown, data, options, origin), leaves_(empty_leaves(grown.tree.n_leaves)) {}

    Leaves take() { return std::move(leaves_); }

  private:
    void arrive(const Step& step, const TreeNode& node) override {
        if (node.is_leaf()) write_leaf(step, node, leaves_, node.leaf);
    }

    Leaves leaves_;
};

}  // namespace

void check_leaf_options(const LeafOptions& options, std::size_t n_columns) {
    if (options.kind == LeafKind::histogram && (options.n_leaf_bins < 1 || options.n_leaf_bins > 1024))
        throw std::invalid_argument("a histogram has 1 to 1024 bins");
    for (std::size_t j : options.constant_columns) {
        if (j >= n_columns) throw std::invalid_argument("a constant column is not there");
    }
    for (const auto& [j, bin] : options.unseen_bins) {
        if (j >= n_columns) throw std::invalid_argument("a column of unseen categories is not there");
    }
}

Leaves fit_leaves(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
                  const LeafOrigin* origin) {
    check_leaf_options(options, data.n_columns());
    LeafWriter writer(grown, data, options, origin);
    writer.walk();
    return writer.take();
}

}  // namespace boxwood
