// The logarithm of the gamma function for positive arguments.
#pragma once

#include <cmath>
#include <cstddef>

namespace boxwood {

// Stirling's series, for x from 8 on.
inline double stirling(double x, double log_x) {
    const double inverse = 1.0 / x;
    const double square = inverse * inverse;
    const double series =
        inverse *
        (1.0 / 12.0 - square * (1.0 / 360.0 -
                                square * (1.0 / 1260.0 -
                                          square * (1.0 / 1680.0 -
                                                    square * (1.0 / 1188.0 - square * (691.0 / 360360.0))))));
    constexpr double half_log_two_pi = 0.91893853320467274178;
    return (x - 0.5) * log_x - x + half_log_two_pi + series;
}

// std::lgamma writes a global (signgam), which threads must not share, and differs between C libraries.
// Stirling's series from 8 on, reached by the recurrence: error below 2e-14, relative where the value
// exceeds 1.
inline double log_gamma(double x) {
    double product = 1.0;
    while (x < 8.0) product *= x++;
    const double large = stirling(x, std::log(x));
    return product == 1.0 ? large : large - std::log(product);
}

// Replaces many arguments by their log-gammas, to the bit those of `log_gamma`: nothing branches on how far
// an argument is from 8, and all but the logarithms runs in vectors.
void log_gammas(double* x, std::size_t n);

// The same by one instruction set, for tests: 0 is portable, the last is what `log_gammas` uses.
std::size_t n_log_gammas_kernels();
void log_gammas_by(std::size_t kernel, double* x, std::size_t n);

}  // namespace boxwood
