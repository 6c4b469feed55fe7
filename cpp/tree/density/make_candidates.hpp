// The candidate splits of a column that a node considers.
#pragma once

#include <span>

#include "base/random.hpp"
#include "tree/density/candidate_splits.hpp"
#include "tree/density/grow_box.hpp"
#include "tree/grow_options.hpp"

namespace boxwood {

// The bins of a node's rows along one column.
struct NodeColumn {
    const std::uint16_t* bins;
    std::size_t stride;
    std::size_t n_rows;

    std::uint16_t operator[](std::size_t i) const { return bins[i * stride]; }
};

// Even fractions of an ordered column's bins, or random ones where the options ask for it.
void candidates_of_bins(const BinnedRows& data, const GrowBox& box, const GrowOptions& options, std::size_t j,
                        const NodeColumn& column, Draws& draws, CandidateSplits& candidates);

// Between any two neighbouring points, and between the outermost points and those ends of the box whose
// margins are open.
void candidates_of_points(const BinnedRows& data, const GrowBox& box, const GrowOptions& options,
                          std::size_t j, std::span<const std::uint32_t> rows, CandidateSplits& candidates);

// The bins of a categorical column as bins, in their own order; `widths` gets their widths.
void candidates_of_categories(const BinnedRows& data, const GrowBox& box, std::size_t j,
                              const NodeColumn& column, CandidateSplits& candidates,
                              std::vector<double>& widths);

// Puts the bins of a categorical column into the order of ascending keys.
void order_categories(std::span<const double> keys, std::span<const double> widths,
                      CandidateSplits& candidates);

}  // namespace boxwood
