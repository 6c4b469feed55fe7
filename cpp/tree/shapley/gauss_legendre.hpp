// Gauss–Legendre quadrature on [0, 1].
#pragma once

#include <cstddef>
#include <vector>

namespace boxwood {

struct Quadrature {
    std::vector<double> points;
    std::vector<double> weights;  // their sum is 1
};

// Exact for polynomials of degree 2·n − 1.
Quadrature gauss_legendre(std::size_t n);

}  // namespace boxwood
