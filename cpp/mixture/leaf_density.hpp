// The 1-D pieces of a leaf: densities, probabilities and draws along one column of its box.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "base/log_product.hpp"
#include "base/random.hpp"
#include "mixture/leaves.hpp"
#include "mixture/mixture.hpp"

namespace boxwood {

// A column of a leaf: which leaf of which tree, and its range of bins there.
struct LeafColumn {
    const Leaves* leaves;
    std::size_t leaf;
    const Box* box;
    std::size_t column;
};

// What the piece's weights integrate to over the box, before normalising.
double normalizer(const LeafColumn& piece);

// log(mass) less the logarithm of what all pieces of a leaf integrate to; std::invalid_argument where that is
// nothing.
double log_scale_of(const Leaves& leaves, std::size_t leaf, double mass, const Box& box);

// Of a Gaussian of full covariance.
double full_log_scale(const Leaves& leaves, std::size_t leaf, double mass, const Box& box);

// The same, where normalizer_of(column) is known.
template <class NormalizerOf>
double log_scale_of(const Leaves& leaves, std::size_t leaf, double mass, const Box& box,
                    const NormalizerOf& normalizer_of) {
    if (leaves.kind == LeafKind::gaussian_full) return full_log_scale(leaves, leaf, mass, box);
    LogProduct product(mass);
    for (std::size_t j = 0; j < box.n_columns(); ++j) {
        const double integral = normalizer_of(j);
        if (!(integral > 0.0 && std::isfinite(integral)))
            throw std::invalid_argument("a leaf has no mass inside its box");
        product.divide_by(integral);
    }
    return product.log();
}

// Log-weight (not normalised) of a leaf at a point of its box.
double log_weight_at(const Leaves& leaves, std::size_t leaf, const Box& box, const double* point);

// log ∫ p² over the box of a leaf of this mass.
double log_squared_integral(const Leaves& leaves, std::size_t leaf, double mass, const Box& box);

// Probability of an event under the piece.
double probability_of(const LeafColumn& piece, const ColumnEvent& event);

// Adds mass times the piece's probability of each bin.
void add_bin_masses(const LeafColumn& piece, double mass, double* bins);

// A random point of the piece.
double draw_from(const LeafColumn& piece, Draws& draws);

// A random point of a leaf, all columns of it.
void draw_point(const Leaves& leaves, std::size_t leaf, const Box& box, Draws& draws, double* point);

// Weight (not normalised) of the Gaussian piece at a point.
double gaussian_log_weight(double point, double mean, double deviation);

}  // namespace boxwood
