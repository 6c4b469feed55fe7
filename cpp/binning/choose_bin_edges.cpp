#include "binning/choose_bin_edges.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/row_blocks.hpp"
#include "base/sort_points.hpp"
#include "margins/lattice/integer_intervals.hpp"

namespace boxwood {

namespace {

using Points = std::vector<double>;

// Bins of a column at the most, so that marginals and distances are sums over few of them.
constexpr std::size_t most_column_bins = 1024;
// Bin edges nearer to each other than this are one.
constexpr double closest = 1e-12;
// How far a saved bin edge may lie from where it should.
constexpr double tolerance = 1e-9;

void sort_distinct(Points& points) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
}

// All points inside (0, 1), sorted, without near duplicates, and the two ends.
Points joined(Points points) {
    sort_distinct(points);
    Points kept = {0.0};
    double previous = 0.0;
    for (double point : points) {
        if (!(point > closest && point < 1.0 - closest)) continue;
        if (point - previous > closest) kept.push_back(point);
        previous = point;
    }
    kept.push_back(1.0);
    return kept;
}

// n numbers from 0 to 1, evenly spaced.
Points even_grid(std::size_t n) {
    const double step = 1.0 / static_cast<double>(n - 1);
    Points grid(n, 1.0);
    for (std::size_t i = 0; i + 1 < n; ++i) grid[i] = static_cast<double>(i) * step;
    return grid;
}

// Keeps at most `most_column_bins` bins: neighbours share one, but nothing one with missing values, which
// begin at `total`.
Points thinned(Points points, double total) {
    points = joined(std::move(points));
    if (points.size() <= most_column_bins + 1) return points;
    const auto distance = [total](double a, double b) { return std::abs(a - total) < std::abs(b - total); };
    Points kept = {*std::min_element(points.begin(), points.end(), distance)};
    const std::size_t last = points.size() - 1;
    const double step = static_cast<double>(last) / static_cast<double>(most_column_bins - 1);
    for (std::size_t i = 0; i + 1 < most_column_bins; ++i)
        kept.push_back(points[static_cast<std::size_t>(static_cast<double>(i) * step)]);
    kept.push_back(points[last]);
    return joined(std::move(kept));
}

// Places of all values, or of so many that lie at equal fractions of the rows.
std::vector<std::size_t> at_equal_fractions(const std::vector<double>& counts, std::size_t most) {
    const std::size_t n = counts.size();
    std::vector<std::size_t> chosen(std::min(n, most));
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    if (n <= most) return chosen;
    std::vector<double> below(n);
    std::partial_sum(counts.begin(), counts.end(), below.begin());
    const double total = below.back();
    for (double& b : below) b /= total;
    for (std::size_t i = 0; i < most; ++i) {
        const double wanted = static_cast<double>(i + 1) / static_cast<double>(most + 1);
        const auto found = std::lower_bound(below.begin(), below.end(), wanted);
        chosen[i] = std::min(static_cast<std::size_t>(found - below.begin()), n - 1);
    }
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

// Both ends of every atom's interval, and where missing values begin.
Points atom_edges(const PiecewiseCdf& cdf) {
    Points edges;
    for (std::size_t i = 0; i < cdf.mass().size(); ++i) {
        if (!cdf.is_atom(i)) continue;
        edges.push_back(cdf.u()[i]);
        edges.push_back(cdf.u()[i + 1]);
    }
    edges.push_back(cdf.total());
    return edges;
}

std::ptrdiff_t piece_at(const PiecewiseCdf& cdf, double point) {
    const std::vector<double>& u = cdf.u();
    return std::upper_bound(u.begin(), u.end(), point) - u.begin() - 1;
}

bool is_inside_atom(const PiecewiseCdf& cdf, double point) {
    const std::ptrdiff_t piece = piece_at(cdf, point);
    const auto n = static_cast<std::ptrdiff_t>(cdf.mass().size());
    return piece >= 0 && piece < n && cdf.is_atom(static_cast<std::size_t>(piece));
}

void append_outside_atoms(const PiecewiseCdf& cdf, const Points& points, Points& out) {
    for (double point : points) {
        if (!is_inside_atom(cdf, point) && point < cdf.total()) out.push_back(point);
    }
}

Points smooth_edges(const PiecewiseCdf& cdf) {
    Points edges = atom_edges(cdf);
    const std::size_t n_edges = edges.size();
    const std::size_t n = n_edges + 1 < most_column_bins ? most_column_bins + 1 - n_edges : 2;
    append_outside_atoms(cdf, even_grid(n), edges);
    return joined(std::move(edges));
}

Points linear_edges(const PiecewiseCdf& cdf, const Runs& runs) {
    Points edges = atom_edges(cdf);
    Points middles;
    const std::size_t most = most_column_bins - 1 - std::min(edges.size(), most_column_bins - 1);
    for (std::size_t k : at_equal_fractions(runs.weight, most)) {
        if (k + 1 < runs.value.size()) middles.push_back(0.5 * runs.value[k] + 0.5 * runs.value[k + 1]);
    }
    append_outside_atoms(cdf, middles, edges);
    return joined(std::move(edges));
}

// Edges on either side of the integers at some points.
Points integer_edges(const PiecewiseCdf& cdf, const Points& at) {
    Points integers;
    for (double point : at) {
        if (point < cdf.total()) integers.push_back(point);
    }
    decode_integers(cdf, {integers.data(), integers.size(), 1}, integers.data());
    sort_distinct(integers);
    const std::size_t n = integers.size();
    for (std::size_t k = 0; k < n; ++k) integers.push_back(integers[k] + 1.0);
    sort_distinct(integers);
    Points edges;
    for (double k : integers) edges.push_back(cdf.below(integer_edge(k)));
    edges.push_back(cdf.total());
    return joined(std::move(edges));
}

// Where integer columns are cut: at even steps, or under linear margins at equal fractions of the rows.
Points integer_places(MarginKind kind, const Runs& runs) {
    if (kind == MarginKind::smooth) {
        const Points grid = even_grid(most_column_bins + 1);
        return {grid.begin() + 1, grid.end() - 1};
    }
    Points at;
    for (std::size_t k : at_equal_fractions(runs.weight, most_column_bins)) at.push_back(runs.value[k]);
    return at;
}

BinEdges edges_of_column(const Margin& margin, Strided points, const double* weights, MarginKind kind) {
    if (const auto* category = std::get_if<CategoryMargin>(&margin))
        return {thinned(category->knots(), 1.0 - category->missing_mass()), true};
    const auto& number = std::get<NumberMargin>(margin);
    const Runs runs = kind == MarginKind::linear ? runs_of(points, weights) : Runs{};
    if (number.lattice)
        return {thinned(integer_edges(number.cdf, integer_places(kind, runs)), number.cdf.total()), false};
    return {kind == MarginKind::linear ? linear_edges(number.cdf, runs) : smooth_edges(number.cdf), false};
}

// Whether some points lie near values, which ascend.
bool are_near(const Points& values, const Points& points) {
    return std::all_of(points.begin(), points.end(), [&](double point) {
        const auto above = std::lower_bound(values.begin() + 1, values.end() - 1, point);
        return std::min(std::abs(*above - point), std::abs(point - *(above - 1))) <= tolerance;
    });
}

}  // namespace

std::vector<BinEdges> choose_bin_edges(const Margins& margins, const double* points, std::size_t n_rows,
                                       const double* weights, MarginKind kind, std::size_t n_threads,
                                       const Watch& watch) {
    const std::size_t d = margins.n_columns();
    std::vector<BinEdges> columns(d);
    in_tasks(d, n_threads, (n_rows + most_column_bins) * d, watch, [&](std::size_t j) {
        const Strided column{points + j, n_rows, static_cast<std::ptrdiff_t>(d)};
        columns[j] = edges_of_column(margins.columns()[j], column, weights, kind);
    });
    return columns;
}

void join_ordered_bins(std::vector<BinEdges>& columns) {
    for (BinEdges& column : columns) {
        if (!column.categorical) column.u = {0.0, 1.0};
    }
}

std::vector<std::uint16_t> find_bins(const std::vector<BinEdges>& columns, const double* points,
                                     std::size_t n_rows, std::size_t n_threads, const Watch& watch) {
    const std::size_t d = columns.size();
    std::vector<std::uint16_t> bins(n_rows * d);
    in_row_blocks(n_rows, d, n_threads, watch, [&](std::size_t first, std::size_t n) {
        for (std::size_t j = 0; j < d; ++j) {
            const Strided column{points + first * d + j, n, static_cast<std::ptrdiff_t>(d)};
            find_bins(columns[j], column, bins.data() + first * d + j, d);
        }
    });
    return bins;
}

bool bin_edges_fit(const Margin& margin, const BinEdges& bin_edges) {
    const auto* category = std::get_if<CategoryMargin>(&margin);
    if (bin_edges.categorical != (category != nullptr)) return false;
    const Points inner(bin_edges.u.begin() + 1, bin_edges.u.end() - 1);
    if (category != nullptr) return are_near(category->knots(), inner);
    const auto& number = std::get<NumberMargin>(margin);
    for (double point : inner) {
        if (point > number.cdf.total() + tolerance) return false;
    }
    if (number.lattice) return are_near(integer_edges(number.cdf, inner), inner);
    return std::none_of(inner.begin(), inner.end(), [&](double point) {
        const double below = point - tolerance;  // in the next atom if nothing lies between two of them
        return is_inside_atom(number.cdf, below) &&
               piece_at(number.cdf, below) == piece_at(number.cdf, point + tolerance);
    });
}

}  // namespace boxwood
