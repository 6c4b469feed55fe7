// What is asked of one column: disjoint intervals of u, or one point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/bin_edges.hpp"

namespace boxwood {

// Intervals ascend and do not overlap. `floor` is what holds beside them: the event happens with probability
// floor + (1 − floor)·P(intervals), as where a gap that training did not show has a probability of its own.
// At a point probabilities are densities.
class CubeEvent {
  public:
    // Throws std::invalid_argument where intervals do not ascend within [0, 1] or floor is no probability.
    CubeEvent(const BinEdges& bin_edges, std::vector<double> low, std::vector<double> high, double floor);
    static CubeEvent at_point(const BinEdges& bin_edges, double point, double factor);

    bool is_point() const { return is_point_; }
    double point() const { return low_.front(); }
    std::uint32_t point_bin() const { return point_bin_; }
    double floor() const { return floor_; }
    double factor() const { return factor_; }
    const std::vector<double>& low() const { return low_; }
    const std::vector<double>& high() const { return high_; }

    // What a bin counts, in place of its width, and the sum of all below it.
    const std::vector<double>& cover() const { return cover_; }
    const std::vector<double>& below() const { return below_; }
    // A bit for every bin that counts.
    const std::vector<std::uint64_t>& covered() const { return covered_; }
    // Whether it is one interval and nothing beside it; then its bins from the first to the last.
    bool is_range() const { return is_range_; }
    std::uint32_t first_bin() const { return first_bin_; }
    std::uint32_t last_bin() const { return last_bin_; }
    // Length of the intervals between two u, 0 where none reaches between them, and the point at which they
    // have so much of it: a difference of lengths from 0 on would leave rounding where there is nothing.
    double length_between(double from, double to) const;
    double point_between(double from, double to, double length) const;

  private:
    CubeEvent() = default;
    void find_cover(const BinEdges& bin_edges);

    bool is_point_ = false;
    bool is_range_ = false;
    std::uint32_t first_bin_ = 0;
    std::uint32_t last_bin_ = 0;
    std::uint32_t point_bin_ = 0;
    double floor_ = 0.0;
    double factor_ = 1.0;
    std::vector<double> low_;
    std::vector<double> high_;
    std::vector<double> cover_;
    std::vector<double> below_;
    std::vector<std::uint64_t> covered_;
};

}  // namespace boxwood
