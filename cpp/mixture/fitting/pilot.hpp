// The trees that choose `min_samples_split`: by the density at observations that none of them has seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mixture/density_forest.hpp"
#include "mixture/fitting/held_out_leaves.hpp"

namespace boxwood {

// Of all rows of a table.
double n_observations(const BinnedRows& data);

// A few trees are grown down to the smallest candidate; what they say tells how deep the others go. Trees
// may be grown anywhere, in any order: what one says depends on its number alone.
class Pilot {
  public:
    // `data` must outlive it.
    Pilot(const BinnedRows& data, const DensityForestOptions& options);
    // The same of a part of the rows, all of which are so many observations.
    Pilot(const BinnedRows& data, const DensityForestOptions& options, double n_observations);

    std::size_t n_trees() const;
    std::size_t n_first() const;  // how many are grown down to the smallest candidate
    // Of a tree with so many densities.
    std::size_t n_candidates_of(std::size_t n_densities) const;

    // Grows trees from begin to end, down to the candidate of a number: the densities of each at the held-out
    // rows, for that candidate and all larger ones.
    std::vector<HeldOut> grow(std::size_t begin, std::size_t end, std::size_t candidate,
                              const Watch& watch) const;

    // Mean log of the trees' mean density at the held-out rows, for every candidate that all of them know;
    // trees that know the larger ones only have the last of their densities.
    std::vector<double> score(std::span<const HeldOut> held) const;

    // The candidate down to which the others are grown, by what the first say,
    std::size_t candidate_of_others(const std::vector<double>& scores) const;
    // and what all of them choose.
    double chosen(const std::vector<double>& scores) const;

    // The rows without what is held out of them,
    BinnedRows left() const;
    // and those of which something is.
    const std::vector<std::uint32_t>& held_rows() const { return rows_; }

  private:
    const BinnedRows& data_;
    DensityForestOptions options_;
    std::vector<std::uint32_t> rows_;  // with observations that are held out,
    std::vector<double> held_;         // the weight of these
    std::vector<double> weights_;      // of what is left of all rows
    std::vector<double> observations_;
};

}  // namespace boxwood
