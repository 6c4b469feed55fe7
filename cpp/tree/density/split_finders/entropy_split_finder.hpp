// The Gaussian-entropy criterion: H = ½·log det(2πe·Σ) of the rows of a node and of its halves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/density/candidate_splits.hpp"
#include "tree/density/node_context.hpp"

namespace boxwood {

class EntropySplitFinder {
  public:
    static constexpr bool per_node = true;
    static constexpr bool sees_volume = false;

    explicit EntropySplitFinder(const BinnedRows& data);

    void begin_node(const NodeContext& node);
    double node_weight() const { return node_[0]; }
    std::vector<double> bin_keys(const CandidateSplits& bins, std::span<const double> widths);

    template <class Report>
    void scan(const CandidateSplits& candidates, double /*best*/, Report&& report) {
        fill(candidates);
        std::vector<double> left(width_, 0.0);
        for (std::size_t c = 1; c < candidates.n_groups; ++c) {
            for (std::size_t k = 0; k < width_; ++k) left[k] += table_[(c - 1) * width_ + k];
            report(c, left[0], gain(left));
        }
    }

  private:
    void add_row(std::uint32_t row, double* sums) const;
    void fill(const CandidateSplits& candidates);
    double gain(const std::vector<double>& left) const;
    double entropy(const std::vector<double>& sums) const;

    const BinnedRows& data_;
    std::size_t n_columns_;
    std::size_t width_;  // weight, sums, products of pairs of columns
    std::span<const std::uint32_t> rows_;
    std::vector<double> node_;
    std::vector<double> table_;
};

}  // namespace boxwood
