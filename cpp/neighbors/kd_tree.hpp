// Exact nearest rows by a tree of boxes: eight children a node, sixteen points a leaf, both one vector wide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "neighbors/neighbor_list.hpp"
#include "neighbors/point_kernels.hpp"

namespace boxwood {

class KdTree {
  public:
    // A child is a node (≥ 0), a leaf (~leaf < 0) or nothing: its box then lies at infinity.
    struct Node {
        std::int32_t child[kChildren];
    };

    // Rows are n_rows × n_dims numbers, row-major and finite.
    KdTree(const double* rows, std::size_t n_rows, std::size_t n_dims, Norm norm, double p);

    // The k nearest rows of each query, nearest first, ties by row number; k is at most the number of rows.
    void query(const double* queries, std::size_t n_queries, std::size_t k, std::size_t n_threads,
               double* distances, std::int64_t* rows, const Watch& watch = {}) const;
    // Takes a row out; its number is not given again.
    void remove(std::size_t row);
    // The mean fraction of leaves that searches for k neighbours of some of its own rows look at.
    double visited_fraction(std::size_t n_probes, std::size_t k) const;

    std::size_t n_rows() const { return slot_.size(); }
    std::size_t n_dims() const { return n_dims_; }
    std::size_t n_leaves() const { return row_.size() / kLeaf; }
    const std::vector<Node>& nodes() const { return nodes_; }
    const double* boxes(std::size_t node) const { return boxes_.data() + node * 2 * kChildren * n_dims_; }
    const double* points(std::size_t leaf) const { return points_.data() + leaf * kLeaf * n_dims_; }
    // Row numbers of a leaf's lanes; −1 where a lane is empty.
    const std::int64_t* leaf_rows(std::size_t leaf) const { return row_.data() + leaf * kLeaf; }
    // A row's coordinates, copied.
    void copy_row(std::size_t row, double* out) const;

  private:
    struct Range {
        std::size_t begin;
        std::size_t end;
    };
    class Builder;
    class Search;

    std::vector<std::size_t> by_place(const double* queries, std::size_t n_queries) const;
    std::size_t nearest_leaf(const double* query) const;

    std::size_t n_dims_;
    Norm norm_;
    double p_;
    std::vector<Node> nodes_;
    std::vector<double> boxes_;        // [node][dim][low, high][child]
    std::vector<double> points_;       // [leaf][dim][lane]; empty lanes lie at infinity
    std::vector<std::int64_t> row_;    // [leaf][lane]
    std::vector<std::uint32_t> slot_;  // of each row: leaf·kLeaf + lane
};

}  // namespace boxwood
