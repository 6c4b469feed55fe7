// One tree of a forest: its sample of the rows, and the growing and fitting on it.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "mixture/density_forest.hpp"
#include "mixture/fitting/held_out_leaves.hpp"

namespace boxwood {

inline RowsToSample rows_to_sample(const BinnedRows& data) {
    return {data.n_rows, data.keys, data.weights, data.observations};
}

class SampledTree {
  public:
    SampledTree(const BinnedRows& data, const DensityForestOptions& options, std::size_t tree,
                std::function<void()> interrupt = {})
        : options_(options),
          interrupt_(std::move(interrupt)),
          grow_(options.grow_of(tree)),
          weights_(draw_sample(options, tree, rows_to_sample(data))) {
        sample_ = data;
        sample_.weights = weights_.data();
        if (options.bootstrap) {
            for (std::size_t row = 0; row < data.n_rows; ++row) {
                const double own = data.leave_out == nullptr ? 1.0 : data.leave_out[row];
                const double weight = data.weight(row);
                copies_.push_back(weight > 0.0 ? own * (weights_[row] / weight) : own);
            }
            sample_.leave_out = copies_.data();
        }
    }

    GrownDensityTree grow(double min_samples_split) {
        grow_.min_samples_split = min_samples_split;
        return grow_density_tree(sample_, grow_, interrupt_);
    }

    Leaves fit(GrownDensityTree& grown) { return fit_leaves(grown, sample_, options_.leaf); }

    void score(GrownDensityTree& grown, HeldOut& held_out) {
        score_held_out(grown, sample_, options_.leaf, held_out);
    }

    // Grows no further than these rows need it: most leaves of a deep tree of many rows hold none of them.
    void watch(const std::vector<std::uint32_t>& rows) { sample_.held_out = &rows; }

  private:
    const DensityForestOptions& options_;
    std::function<void()> interrupt_;
    GrowOptions grow_;
    BinnedRows sample_;
    std::vector<double> weights_;
    std::vector<double> copies_;
};

}  // namespace boxwood
