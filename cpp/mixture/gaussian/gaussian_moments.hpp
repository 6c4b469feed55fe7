// Mean and variance of a column of a node, shrunk towards those that its parent's Gaussian has in its box.
#pragma once

namespace boxwood {

struct GaussianMoments {
    double mean;
    double variance;
};

// Moments of a Gaussian inside an interval of [0, 1]; those of the uniform density where it has next to no
// mass there, or hardly any curvature.
GaussianMoments moments_inside(const GaussianMoments& gaussian, double low, double high);

// Moments of n rows and of `prior` more that have the moments of `expected`.
GaussianMoments pooled_moments(const GaussianMoments& rows, double n, const GaussianMoments& expected,
                               double prior);

}  // namespace boxwood
