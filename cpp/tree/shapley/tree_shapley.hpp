// Exact Shapley values of what fitted trees predict (path-dependent: a column that is not known sends rows
// both ways, by the weights of the children).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "tree/shapley/gauss_legendre.hpp"
#include "tree/supervised/traversal.hpp"

namespace boxwood {

// On the way to a leaf each column f that was split lets through a fraction z_f of the rows where it is not
// known, and o_f ∈ {0, 1} of the row itself. A set S of known columns is worth value · ∏_{f∈S} o_f · ∏_{f∉S}
// z_f, and the Shapley value of f in this game is the integral over t ∈ [0, 1] of
//     value · (o_f − z_f) · ∏_{g≠f} q_g(t),  q_g(t) = (1 − t)·z_g + t·o_g,
// a polynomial, which Gauss–Legendre quadrature with half as many points as columns integrates exactly.
// Products are kept along the way down, sums over leaves on the way up, so that a tree costs nodes × points
// (after Yu, Xu, Zhu and Zhang, 2022, who keep polynomials). q_g is positive inside the interval: nothing
// divides by zero.
class TreeShapley {
  public:
    // `counts`: the weight of each node's rows; `responses`: n_outputs numbers a node. Throws
    // std::invalid_argument where the trees are none, or have directions.
    TreeShapley(FittedTrees trees, std::vector<double> counts, std::vector<double> responses,
                std::size_t n_outputs);

    std::size_t n_columns() const { return trees_.n_columns(); }
    std::size_t n_outputs() const { return n_outputs_; }

    // The mean over trees of what they predict where no column is known.
    std::vector<double> expected() const;
    // Row-major: n_columns × n_outputs values a row.
    void values(const double* rows, std::size_t n_rows, double* out, std::size_t n_threads,
                const Watch& watch) const;

  private:
    struct Edge {  // to a node, from its parent
        std::uint32_t feature = 0;
        std::uint32_t before =
            0;  // the node of the last edge above that splits the same column; itself where none is
        double fraction = 1.0;  // z of the column from here on
        bool is_left = false;
    };
    struct Frame {
        std::uint32_t node;
        std::uint32_t n_visited;  // of its children
    };
    struct Workspace;

    void add_edges();
    void add_tree(std::uint32_t root, const double* row, double* out, Workspace& work) const;
    void enter(std::uint32_t child, bool known, Workspace& work) const;
    void leave(const Frame& frame, double* out, Workspace& work) const;
    void add_edge(std::uint32_t node, double sign, const double* sums, double* out,
                  const Workspace& work) const;

    FittedTrees trees_;
    std::vector<double> counts_;
    std::vector<double> responses_;
    std::size_t n_outputs_;
    std::vector<Edge> edges_;
    std::size_t max_depth_ = 0;
    Quadrature rule_;
};

}  // namespace boxwood
