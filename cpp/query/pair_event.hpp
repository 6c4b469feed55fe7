// An event across two columns: a region of their square, as its area in every pair of bins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "query/cube_event.hpp"
#include "query/leaf_table.hpp"

namespace boxwood {

// A stretch of bins along which a leaf's piece has one density in u.
struct Stretch {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    double density = 0.0;
};

// The stretches of a leaf along an ordered column; a Gaussian has its mean density in every bin.
void find_stretches(const ColumnLeaves& column, std::size_t leaf, std::vector<Stretch>& found);

// Sums over rectangles of bins by look-ups: areas are summed below and left of every corner.
class PairEvent {
  public:
    // `areas` is row-major, a row for each bin of column a: how much of the pair of bins the event has.
    // `event_a` and `event_b` are what it asks of each column alone. Throws std::invalid_argument where
    // something does not fit the leaves.
    PairEvent(const LeafTable& leaves, std::size_t a, std::size_t b, const double* areas,
              std::shared_ptr<const CubeEvent> event_a, std::shared_ptr<const CubeEvent> event_b);

    std::size_t a() const { return a_; }
    std::size_t b() const { return b_; }

    // Probability within a leaf.
    double probability(const LeafTable& leaves, std::size_t leaf) const;
    // A pair of bins by its probability within a leaf, and a point of it: uniform on what each column alone
    // allows, so that where the event has but a part of the pair of bins the point may lie outside it.
    void draw(const LeafTable& leaves, std::size_t leaf, Draws& draws, double* point) const;

  private:
    double area(std::uint32_t a0, std::uint32_t a1, std::uint32_t b0, std::uint32_t b1) const {
        const double* const low = below_.data() + a0 * stride_;
        const double* const high = below_.data() + a1 * stride_;
        return (high[b1] - high[b0]) - (low[b1] - low[b0]);
    }

    std::size_t a_;
    std::size_t b_;
    std::size_t stride_;
    std::vector<double> below_;
    std::shared_ptr<const CubeEvent> event_a_;
    std::shared_ptr<const CubeEvent> event_b_;
};

// Adds a leaf's joint density of two columns to a table of differences with a row and a column more than
// there are bins: sums along both ways are densities.
void add_pair_density(const ColumnLeaves& a, const ColumnLeaves& b, std::size_t leaf, double mass,
                      double* differences);

}  // namespace boxwood
