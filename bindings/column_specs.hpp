// Columns as they cross the seam: their bin edges, and whether their bins are categories.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "arrays.hpp"
#include "binning/bin_edges.hpp"

namespace boxwood::bindings {

using ColumnSpec = std::pair<Vector, bool>;

inline std::vector<BinEdges> to_bin_edges(const std::vector<ColumnSpec>& specs) {
    std::vector<BinEdges> columns;
    for (const auto& [u, categorical] : specs) {
        columns.push_back({to_vector(u), categorical});
        check_bin_edges(columns.back());
    }
    return columns;
}

inline std::vector<std::pair<Array<double>, bool>> from_bin_edges(const std::vector<BinEdges>& columns) {
    std::vector<std::pair<Array<double>, bool>> specs;
    for (const BinEdges& bin_edges : columns)
        specs.emplace_back(to_numpy(std::vector<double>(bin_edges.u)), bin_edges.categorical);
    return specs;
}

}  // namespace boxwood::bindings
