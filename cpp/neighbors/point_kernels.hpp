// The inner loops of neighbour search, in one version for every instruction set; the best one is chosen at
// load.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxwood {

enum class Norm { euclidean, manhattan, chebyshev, minkowski };
constexpr std::size_t kNorms = 4;

constexpr std::size_t kLeaf = 16;     // points a leaf
constexpr std::size_t kChildren = 8;  // boxes a node

// Distances are kept in the form that is cheapest to compare: squared for Euclid, as they are for the others.
//
// A point's coordinates are added up one after the other, without fused steps. Rounding is monotone, so that
// the distance of a box, added up in the same order, is never above that of a point inside: a search may cut
// off what lies beyond its bound without a margin, and ties stay ties.
struct PointKernels {
    using Leaf = std::uint32_t (*)(const double* points, std::size_t n_dims, const double* query, double p,
                                   double bound, double* distances);
    using Boxes = std::uint32_t (*)(const double* boxes, std::size_t n_dims, const double* query, double p,
                                    double bound, double* distances);
    // Distances of the kLeaf points of a leaf, points[dim][lane]; bit i is set where the i-th is within
    // `bound`.
    Leaf leaf[kNorms];
    // Least distances of kChildren boxes, boxes[dim][low, high][lane].
    Boxes boxes[kNorms];
    // offsets[point] − query·point for a panel of points, panel[dim][point], and a tile of queries,
    // tile[dim][query]; bit i of masks[query] is set where that of point i is at most thresholds[query].
    void (*products)(const float* panel, const float* offsets, const float* tile, std::size_t n_dims,
                     const float* thresholds, std::uint32_t* masks);
    std::size_t panel_points;
    std::size_t tile_queries;
    const char* name;
};

constexpr std::size_t kLargestTile = 16;

// The kernels for this machine.
const PointKernels& point_kernels();

// All that this machine can run, the most portable first: for tests.
std::size_t count_point_kernels();
const PointKernels& point_kernels_at(std::size_t i);

// Between the kept form of a distance and the distance itself.
double to_distance(Norm norm, double kept);

}  // namespace boxwood
