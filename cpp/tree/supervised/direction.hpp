// Oblique splits: the direction along which the numbers of a node predict its targets best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace boxwood {

// Columns with their weights: rows are parted by Σ weight·number.
using Direction = std::vector<std::pair<std::uint32_t, float>>;

// Where a row lies along a direction. `fill` takes the place of missing numbers.
template <class Columns>
double place_along(const Columns& direction, const double* row, const double* fill) {
    double sum = 0.0;
    for (const auto& [column, weight] : direction) {
        const double x = row[column];
        sum += static_cast<double>(weight) * (x == x ? x : fill[column]);
    }
    return sum;
}

// The least-squares direction of targets on columns, slightly shrunk: of two classes it is that of linear
// discriminant analysis. `numbers` has a row of columns.size() values for each target, row-major, nothing
// missing. Columns that hardly count are left out; empty where fewer than two are left.
Direction fit_direction(std::span<const std::uint32_t> columns, std::span<const double> numbers,
                        std::span<const double> targets, std::span<const double> weights);

}  // namespace boxwood
