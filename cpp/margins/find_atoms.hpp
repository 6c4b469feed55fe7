// Atoms: values that many rows share, which get an interval of their own.
#pragma once

#include <cstddef>
#include <vector>

#include "margins/adaptive_grid.hpp"

namespace boxwood {

// A column's sorted cells with real counts: the weight of each cell's rows.
struct WeightedCells {
    std::vector<double> low;
    std::vector<double> high;
    std::vector<double> count;

    std::size_t size() const { return count.size(); }
    bool is_tie(std::size_t k) const { return low[k] == high[k]; }
    double total() const;
};

// The cells of counts, each of which stands for `unit`.
WeightedCells weighted_cells(AdaptiveGrid grid, double unit);

// A column of more distinct values is never discrete: an atom takes two of a column's 1,024 knots.
inline constexpr std::size_t most_atoms = 500;

// Which cells are atoms. A column is discrete, and all its values are atoms, where these have ten rows each
// on average (and where it is constant). Otherwise an atom is a spike: a value with at least 1% and ten of
// the rows, and five times as many as its neighbours, four on either side. A cell of several rare values is
// never an atom.
std::vector<char> find_atoms(const WeightedCells& cells);

// Cells that have every one of the given atoms (ascending), and which cells these are. An atom that no row
// has counts as `unseen_rows`.
struct CellsWithAtoms {
    WeightedCells cells;
    std::vector<char> is_atom;
};
CellsWithAtoms with_atoms(const WeightedCells& cells, const std::vector<double>& atoms, double unseen_rows);

}  // namespace boxwood
