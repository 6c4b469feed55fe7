// Grows the tree of one round of boosting and moves the rows through it.
//
// This is not the engine of the other trees: there rows stay, on cells that never change; here every round
// has new points, a node's candidates are fractions of its own box, and rows lie in memory in the order of
// the leaves, so that counting, parting and moving read memory from front to back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "boosting/tree_map.hpp"

namespace boxwood {

struct MapGrowOptions {
    double learning_rate = 0.1;
    double depth_decay = 1.0;    // γ: how fast steps shrink with −log₂ of a box's volume
    double split_penalty = 3.0;  // nats that a cut must gain to survive pruning
    std::uint32_t max_depth = 30;
    double min_samples_split = 10.0;
    std::uint32_t max_features = 0;  // columns tried at a node; 0 for all
    std::uint64_t seed = 0;
};

// Rows on the cube, one after another, with weights (empty: 1 each).
struct CubeRows {
    std::size_t n_columns = 0;
    std::vector<double> points;
    std::vector<double> weights;

    std::size_t size() const { return points.size() / n_columns; }
    double weight() const;
};

class MapGrower {
  public:
    // Keeps a reference to the rows, whose order it changes.
    MapGrower(CubeRows& rows, const MapGrowOptions& options);

    // Grows, prunes and moves the rows; adds each column's gain to `importance` (one entry a column).
    std::vector<MapNode> grow(std::uint64_t round, double* importance);

  private:
    static constexpr std::size_t n_parts = 32;          // of a box's width
    static constexpr std::size_t stride = n_parts + 1;  // a point on the upper edge falls one beyond

    // Cuts of nodes of twice as many rows or more are chosen by a part of them, taken at equal distances:
    // their order is that of the last round's leaves. What a cut gains and its mass are always those of all
    // rows.
    static constexpr std::size_t enough_rows = 4'096;

    static constexpr std::uint32_t no_node = 0xffffffff;

    // Which rows a node has and how much they weigh.
    struct Rows {
        std::size_t begin, end;
        double weight;
    };
    // What a node on the way to a leaf does.
    struct Step {
        std::uint16_t column;
        MapStep move;
    };
    struct Cut {
        double gain = 0.0;
        std::uint16_t column = 0;
        std::uint32_t part = 0;  // the cut lies below this part; 0: none was found
    };

    double grow_node(const Rows& rows, std::uint32_t depth, double log2_volume, std::uint64_t key);
    void choose_columns(std::uint64_t key);
    double count_rows(const Rows& rows);
    template <class Count>
    void count_rows(const Rows& rows, std::size_t step, std::vector<Count>& counts);
    static double gain_of(double left, double right, double part);
    Cut best_cut(double weight) const;
    Rows part_rows(const Rows& rows, std::uint16_t column, double cut);
    void part_blocks(std::size_t& front, std::size_t& back, std::uint16_t column, double cut);
    void swap_rows(std::size_t one, std::size_t other);
    float mass_of(double fraction, double part, double log2_volume) const;
    void move_rows(std::uint32_t number, std::size_t begin, std::size_t end);
    void move_leaf(std::size_t begin, std::size_t end);

    CubeRows& rows_;
    MapGrowOptions options_;
    std::vector<MapNode> nodes_;
    std::vector<double> gains_;           // of the nodes
    std::vector<std::size_t> middles_;    // of the nodes: the first row of the right part
    std::vector<double> lower_, upper_;   // the box at hand
    std::vector<std::uint16_t> columns_;  // those tried at the node at hand stand first
    std::vector<double> scale_, origin_;  // of the columns tried: from a point to its part
    std::vector<std::uint32_t> whole_counts_;
    std::vector<double> counts_;
    std::array<double, n_parts> log_part_{};  // log(k/32)
    std::vector<MapSide> sides_;              // of the box at hand, while rows move
    std::vector<Step> path_;                  // down to it
};

}  // namespace boxwood
