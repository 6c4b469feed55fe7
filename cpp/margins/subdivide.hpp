// Bayesian subdivision of a partition of the line: the step that makes the smooth margin adaptive.
#pragma once

#include <cstddef>
#include <vector>

namespace boxwood {

// Sorted cells as the fit sees them: real counts (weights), centres and running totals.
struct CellView {
    std::vector<double> low;
    std::vector<double> high;
    std::vector<double> centre;
    std::vector<double> below;  // below[i]: total count of cells before i; one entry more than cells

    std::size_t size() const { return low.size(); }
    double total() const { return below.back(); }
};

// Bins between edges x with masses; bin b holds the cells from first_cell[b] up to first_cell[b + 1].
// `n_splits` counts the halvings that made them, and `n_cubic` those for which the cubic was right, by the
// learnt prior.
struct Partition {
    std::vector<double> x;
    std::vector<double> mass;
    std::vector<std::size_t> first_cell;
    double n_splits = 0.0;
    double n_cubic = 0.0;
};

// The middle of a and b, rounded so that it lies above a.
double middle(double a, double b);

// Bisects bins level by level. The mass of a left half is a posterior mean over "the cubic through the
// current masses is right" and Beta deviations from it of six strengths; how common each is, is learnt per
// level by EM.
Partition subdivide(const CellView& cells, Partition partition);

}  // namespace boxwood
