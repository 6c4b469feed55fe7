// Which cuts of a column a node considers.
#pragma once

#include <span>

#include "base/random.hpp"
#include "tree/density/candidate_splits.hpp"
#include "tree/density/grow_box.hpp"

namespace boxwood {

// The cells of a node's rows along one column.
struct NodeColumn {
    const std::uint16_t* cells;
    std::size_t stride;
    std::size_t n_rows;

    std::uint16_t operator[](std::size_t i) const { return cells[i * stride]; }
};

// Even fractions of an ordered column's cells, or random ones where the options ask for it.
void cut_cells(const GrowData& data, const GrowBox& box, const GrowOptions& options, std::size_t j,
               const NodeColumn& column, Draws& draws, Cuts& cuts);

// Between any two neighbouring points, and between the outermost points and the box's edges.
void cut_points(const GrowData& data, const GrowBox& box, std::size_t j, std::span<const std::uint32_t> rows,
                Cuts& cuts);

// The cells of a categorical column as bins, in their own order; `widths` gets their widths.
void cut_categories(const GrowData& data, const GrowBox& box, std::size_t j, const NodeColumn& column,
                    Cuts& cuts, std::vector<double>& widths);

// Puts the bins of a categorical column into the order of ascending keys.
void order_categories(std::span<const double> keys, std::span<const double> widths, Cuts& cuts);

}  // namespace boxwood
