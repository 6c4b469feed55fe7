#include "margins/find_atoms.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace boxwood {

namespace {

constexpr double rows_a_value = 10.0;
constexpr double smallest_spike = 0.01;
constexpr double spike_over_neighbours = 5.0;
constexpr std::size_t n_neighbours = 4;
constexpr double virtual_rows = 0.5;

double mean_of_neighbours(const std::vector<double>& count, std::size_t k) {
    const std::size_t first = k - std::min(k, n_neighbours);
    const std::size_t last = std::min(k + n_neighbours, count.size() - 1);
    double sum = 0.0;
    for (std::size_t i = first; i <= last; ++i) sum += i == k ? 0.0 : count[i];
    return sum / static_cast<double>(last - first);
}

}  // namespace

double WeightedCells::total() const { return std::accumulate(count.begin(), count.end(), 0.0); }

WeightedCells weighted_cells(AdaptiveGrid grid, double unit) {
    WeightedCells cells{std::move(grid.low), std::move(grid.high), {}};
    cells.count.reserve(grid.count.size());
    for (std::int64_t n : grid.count) cells.count.push_back(static_cast<double>(n) * unit);
    return cells;
}

std::vector<char> find_atoms(const WeightedCells& cells) {
    const std::size_t n = cells.size();
    const double total = cells.total();
    std::vector<char> found(n);
    if (n == 1) {
        found[0] = cells.is_tie(0) && cells.count[0] > 1.0;
        return found;
    }
    const bool discrete = n <= most_atoms && total >= rows_a_value * static_cast<double>(n);
    const double heavy = std::max(smallest_spike * total, rows_a_value);
    for (std::size_t k = 0; k < n; ++k) {
        if (!cells.is_tie(k)) continue;
        found[k] = discrete || (cells.count[k] >= heavy &&
                                cells.count[k] >= spike_over_neighbours * mean_of_neighbours(cells.count, k));
    }
    return found;
}

CellsWithAtoms with_atoms(const WeightedCells& cells, const std::vector<double>& atoms, double unseen_rows) {
    CellsWithAtoms joined;
    const auto push = [&](double low, double high, double count, bool is_atom) {
        joined.cells.low.push_back(low);
        joined.cells.high.push_back(high);
        joined.cells.count.push_back(count);
        joined.is_atom.push_back(is_atom);
    };
    auto atom = atoms.begin();
    for (std::size_t k = 0; k < cells.size(); ++k) {
        // An atom at the lower end of a wider cell comes behind it.
        for (; atom != atoms.end() && *atom < cells.low[k]; ++atom) push(*atom, *atom, unseen_rows, true);
        const bool is_atom = atom != atoms.end() && *atom == cells.low[k] && cells.is_tie(k);
        push(cells.low[k], cells.high[k], cells.count[k], is_atom);
        if (is_atom) ++atom;
    }
    for (; atom != atoms.end(); ++atom) push(*atom, *atom, unseen_rows, true);
    return joined;
}

}  // namespace boxwood
