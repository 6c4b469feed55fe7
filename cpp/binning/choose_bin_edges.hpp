// Bin edges that a table's columns share among all trees: where these may cut a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "binning/bin_edges.hpp"
#include "margins/margins.hpp"

namespace boxwood {

// Under smooth margins rows are uniform on [0, 1], and so are the bin edges; under linear ones they lie at
// equal fractions of the rows, between neighbouring values. Categories, atoms, integers and missing values
// are never cut: the density of one is that of its whole interval. `points` are the encoded rows, row-major;
// `weights` (null: all 1) theirs.
std::vector<BinEdges> choose_bin_edges(const Margins& margins, const double* points, std::size_t n_rows,
                                       const double* weights, MarginKind kind, std::size_t n_threads,
                                       const Watch& watch = {});

// One bin for each column that is cut between any two points; categories keep theirs.
void join_ordered_bins(std::vector<BinEdges>& columns);

// The bin of every point, row-major.
std::vector<std::uint16_t> find_bins(const std::vector<BinEdges>& columns, const double* points,
                                     std::size_t n_rows, std::size_t n_threads, const Watch& watch = {});

// Whether bin edges are of a column's kind and cut nothing that has an interval of its own, up to rounding.
bool bin_edges_fit(const Margin& margin, const BinEdges& bin_edges);

}  // namespace boxwood
