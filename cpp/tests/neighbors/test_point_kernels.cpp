#include <limits>

#include "neighbors/point_kernels.hpp"
#include "tests/check.hpp"
#include "tests/neighbors/small_points.hpp"

using namespace boxwood;

namespace {

constexpr Norm kAll[] = {Norm::euclidean, Norm::manhattan, Norm::chebyshev, Norm::minkowski};

std::vector<double> transposed(const Points& points) {
    std::vector<double> lanes(points.values.size());
    for (std::size_t i = 0; i < points.n; ++i) {
        for (std::size_t d = 0; d < points.dims; ++d) lanes[d * points.n + i] = points.row(i)[d];
    }
    return lanes;
}

}  // namespace

CASE("every instruction set gives the same distances to the bit, and the mask of those within the bound", {
    CHECK(count_point_kernels() >= 1);
    for (std::size_t dims : {1u, 2u, 7u, 33u}) {
        const Points points = draw_points(kLeaf, dims, dims);
        const Points query = draw_points(1, dims, 99);
        const auto lanes = transposed(points);
        for (Norm norm : kAll) {
            const auto which = static_cast<std::size_t>(norm);
            double first[kLeaf];
            point_kernels_at(0).leaf[which](lanes.data(), dims, query.row(0), 3.0, 1.0, first);
            for (std::size_t i = 0; i < count_point_kernels(); ++i) {
                double out[kLeaf];
                const auto mask =
                    point_kernels_at(i).leaf[which](lanes.data(), dims, query.row(0), 3.0, 1.0, out);
                for (std::size_t lane = 0; lane < kLeaf; ++lane) {
                    const double reference =
                        reference_distance(norm, 3.0, points.row(lane), query.row(0), dims);
                    CHECK(out[lane] == first[lane]);
                    CHECK(norm == Norm::minkowski ? std::fabs(out[lane] - reference) < 1e-12
                                                  : out[lane] == reference);
                    CHECK(((mask >> lane) & 1u) == (out[lane] <= 1.0 ? 1u : 0u));
                }
            }
        }
    }
});

CASE("a box is never farther than a point inside it", {
    for (std::size_t dims : {1u, 3u, 8u}) {
        std::vector<double> boxes(2 * kChildren * dims);
        std::vector<Points> inside;
        for (std::size_t child = 0; child < kChildren; ++child) {
            inside.push_back(draw_points(20, dims, child + 1));
            for (std::size_t d = 0; d < dims; ++d) {
                double low = std::numeric_limits<double>::infinity();
                double high = -low;
                for (std::size_t i = 0; i < 20; ++i) {
                    low = std::min(low, inside.back().row(i)[d]);
                    high = std::max(high, inside.back().row(i)[d]);
                }
                boxes[2 * kChildren * d + child] = low;
                boxes[2 * kChildren * d + kChildren + child] = high;
            }
        }
        const Points query = draw_points(1, dims, 77);
        for (std::size_t i = 0; i < count_point_kernels(); ++i) {
            for (Norm norm : kAll) {
                double out[kChildren];
                point_kernels_at(i).boxes[static_cast<std::size_t>(norm)](boxes.data(), dims, query.row(0),
                                                                          3.0, 1.0, out);
                for (std::size_t child = 0; child < kChildren; ++child) {
                    for (std::size_t row = 0; row < 20; ++row) {
                        CHECK(out[child] <=
                              reference_distance(norm, 3.0, inside[child].row(row), query.row(0), dims));
                    }
                }
            }
        }
    }
});

CASE("products are right within single precision", {
    const std::size_t dims = 19;
    for (std::size_t i = 0; i < count_point_kernels(); ++i) {
        const PointKernels& kernels = point_kernels_at(i);
        const std::size_t n = kernels.panel_points;
        const std::size_t m = kernels.tile_queries;
        CHECK(m <= kLargestTile && n <= 32);
        const Points points = draw_points(n, dims, 1);
        const Points queries = draw_points(m, dims, 2);
        std::vector<float> panel(n * dims);
        std::vector<float> tile(m * dims);
        for (std::size_t d = 0; d < dims; ++d) {
            for (std::size_t j = 0; j < n; ++j) panel[d * n + j] = static_cast<float>(points.row(j)[d]);
            for (std::size_t q = 0; q < m; ++q) tile[d * m + q] = static_cast<float>(queries.row(q)[d]);
        }
        const std::vector<float> offsets(n, 1.0f);
        const std::vector<float> thresholds(m, 0.5f);
        std::uint32_t masks[kLargestTile];
        kernels.products(panel.data(), offsets.data(), tile.data(), dims, thresholds.data(), masks);
        for (std::size_t q = 0; q < m; ++q) {
            for (std::size_t j = 0; j < n; ++j) {
                double value = 1.0;
                for (std::size_t d = 0; d < dims; ++d) value -= points.row(j)[d] * queries.row(q)[d];
                if (std::fabs(value - 0.5) > 1e-4) CHECK(((masks[q] >> j) & 1u) == (value < 0.5 ? 1u : 0u));
            }
        }
    }
});

CHECK_MAIN()
