// A tree as a map of the cube onto itself that takes a density to a more nearly uniform one.
//
// A node cuts its box across a column and gives the left part a fraction of the box's mass. The map stretches
// the left part to that fraction of the box's width, and the right part to the rest; going up from the leaf,
// every node on the way does so within its own box. Along each column the moves of a leaf are one straight
// line, and the product of the lines' slopes is the density of the leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace boxwood {

// A cut. Nodes of a tree stand in preorder and leaves have none: the left child, where it is cut too, is the
// next node. A tree without nodes is a single leaf. Single precision halves the size of a model; growth
// rounds to it before it goes on, so that nothing is lost afterwards.
struct MapNode {
    float cut;            // where the box is cut, in the coordinates of the cube
    float mass;           // fraction of the box's mass that the left part gets
    std::uint32_t right;  // the right child, 0 where it is a leaf
    std::uint16_t column;
    std::uint16_t left_is_node;  // 0 where the left child is a leaf
};

using TreeMap = std::span<const MapNode>;

// Every node but the first is one child; cuts lie inside of their boxes, masses in (0, 1). Throws
// std::invalid_argument where that does not hold.
void check_tree_map(TreeMap nodes, std::size_t n_columns);

// A side of a node's box, and what the nodes above make of it.
struct MapSide {
    double lower = 0.0;
    double upper = 1.0;
    double image_lower = 0.0;
    double image_upper = 1.0;
};

// What a part of a box does to the image y of a point: it becomes shift + stretch·y.
struct MapStep {
    double shift;
    double stretch;
};

// What a part of a node does, given the side of the node's box that it cuts.
MapStep step_of(const MapNode& node, const MapSide& side, bool right);
// The same side of the part's own box.
MapSide part_of(const MapNode& node, const MapSide& side, bool right);

// Moves points through trees. Holds what a descent needs to remember, so one a thread.
class Mover {
  public:
    explicit Mover(std::size_t n_columns) : sides_(n_columns), image_(n_columns) { touched_.reserve(64); }

    // Moves a point to its image and gives the density there.
    double move(TreeMap nodes, double* point);
    // Moves an image back to its point.
    void move_back(TreeMap nodes, double* point);

  private:
    void restore();

    std::vector<MapSide> sides_;
    std::vector<double> image_;
    std::vector<std::uint16_t> touched_;  // columns that were cut on the way, some of them twice
};

// The same for many rows at once, to the bit: a tree unfolded so that a step needs neither a division nor a
// branch. Measured on 40,000 rows and trees of 2,500 nodes: about a fourth of the Mover's time.
class UnfoldedTree {
  public:
    explicit UnfoldedTree(std::size_t n_columns) : n_columns_(n_columns), images_(abreast * n_columns) {}

    void unfold(TreeMap nodes);
    // Moves rows and adds to `log_density` that of each.
    void move(double* points, std::size_t n_rows, double* log_density);

  private:
    static constexpr std::size_t abreast = 8;  // rows that go down side by side

    struct Node {
        MapStep step[2];  // of the left and of the right part
        float cut;
        std::uint32_t column;
        std::uint32_t child[2];
    };

    void unfold_node(TreeMap nodes, std::uint32_t number);
    template <std::size_t n>
    void move_abreast(double* points, double* log_density);

    std::size_t n_columns_;
    std::vector<Node> nodes_;     // the last one stands for all leaves: it leads to itself, changing nothing
    std::vector<MapSide> sides_;  // of the box at hand, while unfolding
    std::vector<double> images_;  // of the rows that go down
};

// Moves many images back at once, to the bit as the Mover does: what a node needs to know of its box is found
// once for all rows.
class UnfoldedInverse {
  public:
    explicit UnfoldedInverse(std::size_t n_columns)
        : n_columns_(n_columns), images_(abreast * (n_columns + 1)) {}

    void unfold(TreeMap nodes);
    void move_back(double* points, std::size_t n_rows);

  private:
    static constexpr std::size_t abreast = 8;

    // A part of a box, which is whole when its node is reached, and of its image.
    struct Part {
        double image_lower, image_width;
        double lower, upper, width;
    };

    struct Node {
        Part part[2];  // found by the side and not by a branch, which would be guessed wrong half the time
        double image_cut;
        std::uint32_t column;
        std::uint32_t child[2];
    };

    void unfold_node(TreeMap nodes, std::uint32_t number);
    template <std::size_t n>
    void move_abreast(double* points);

    std::size_t n_columns_;
    std::vector<Node> nodes_;     // the last one stands for all leaves, and moves a column that is not there
    std::vector<MapSide> sides_;  // of the box at hand, while unfolding
    std::vector<double> images_;  // of the rows that go down, with that column
};

}  // namespace boxwood
