// Tables of points for tests of neighbour search, and all distances as the reference.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "neighbors/neighbor_list.hpp"
#include "neighbors/point_kernels.hpp"

namespace boxwood {

struct Points {
    std::size_t n;
    std::size_t dims;
    std::vector<double> values;

    const double* row(std::size_t i) const { return values.data() + i * dims; }
};

// Uniform on [−1, 1), or on few integers so that many are tied.
inline Points draw_points(std::size_t n, std::size_t dims, std::uint64_t seed, bool ties = false) {
    Draws draws(seed);
    Points points{n, dims, std::vector<double>(n * dims)};
    for (double& x : points.values)
        x = ties ? static_cast<double>(draws.below(4)) : 2.0 * draws.uniform() - 1.0;
    return points;
}

inline double reference_distance(Norm norm, double p, const double* a, const double* b, std::size_t dims) {
    double sum = 0.0;
    for (std::size_t d = 0; d < dims; ++d) {
        const double size = std::fabs(a[d] - b[d]);
        if (norm == Norm::euclidean) sum += size * size;
        if (norm == Norm::manhattan) sum += size;
        if (norm == Norm::chebyshev) sum = std::max(sum, size);
        if (norm == Norm::minkowski) sum += std::pow(size, p);
    }
    return norm == Norm::minkowski ? std::pow(sum, 1.0 / p) : sum;
}

inline std::vector<Neighbor> reference_neighbors(const Points& rows, const double* query, std::size_t k,
                                                 Norm norm, double p = 3.0) {
    std::vector<Neighbor> all;
    for (std::size_t i = 0; i < rows.n; ++i) {
        all.push_back(
            {reference_distance(norm, p, rows.row(i), query, rows.dims), static_cast<std::int64_t>(i)});
    }
    std::sort(all.begin(), all.end());
    all.resize(k);
    return all;
}

}  // namespace boxwood
