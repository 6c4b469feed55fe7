#include "boosting/gaussian_steps.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "boosting/dot.hpp"

namespace boxwood {

namespace {

constexpr std::size_t block = 64;  // rows of which 36 columns fill half of the first cache

// Up to `block` rows from `begin` on, less a mean, column by column: a column has room for `block` of them.
void centre(const ScoreRows& rows, std::size_t begin, std::size_t n, const double* mean, double* centred) {
    const std::size_t d = rows.n_columns;
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t i = 0; i < n; ++i)
            centred[j * block + i] = rows.values[(begin + i) * d + j] - mean[j];
        std::fill(centred + j * block + n, centred + (j + 1) * block, 0.0);
    }
}

// Squared lengths of `n_lanes` rows from `first` on.
std::array<double, n_lanes> squares_of(const double* centred, const double* whitening, std::size_t d,
                                       std::size_t first) {
    std::array<double, n_lanes> squares{};
    for (std::size_t i = 0; i < d; ++i) {
        std::array<double, n_lanes> whitened{};
        for (std::size_t j = 0; j <= i; ++j)
            for (std::size_t lane = 0; lane < n_lanes; ++lane)
                whitened[lane] += whitening[i * d + j] * centred[j * block + first + lane];
        for (std::size_t lane = 0; lane < n_lanes; ++lane) squares[lane] += whitened[lane] * whitened[lane];
    }
    return squares;
}

}  // namespace

void gaussian_exponents(const ScoreRows& rows, std::span<const double> means, const double* whitening,
                        double* exponents) {
    const std::size_t d = rows.n_columns;
    const std::size_t n_components = means.size() / d;
    std::vector<double> centred(d * block);
    for (std::size_t begin = 0; begin < rows.n_rows; begin += block) {
        const std::size_t n = std::min(block, rows.n_rows - begin);
        for (std::size_t k = 0; k < n_components; ++k) {
            centre(rows, begin, n, means.data() + k * d, centred.data());
            for (std::size_t first = 0; first < n; first += n_lanes) {
                const auto squares = squares_of(centred.data(), whitening + k * d * d, d, first);
                for (std::size_t lane = 0; lane < std::min(n_lanes, n - first); ++lane)
                    exponents[(begin + first + lane) * n_components + k] = -0.5 * squares[lane];
            }
        }
    }
}

void gaussian_scatters(const ScoreRows& rows, std::span<const double> means, const double* weights,
                       double* scatters) {
    const std::size_t d = rows.n_columns;
    const std::size_t n_components = means.size() / d;
    std::vector<double> centred(d * block), weighted(d * block);
    std::fill(scatters, scatters + n_components * d * d, 0.0);
    for (std::size_t begin = 0; begin < rows.n_rows; begin += block) {
        const std::size_t n = std::min(block, rows.n_rows - begin);
        for (std::size_t k = 0; k < n_components; ++k) {
            double* scatter = scatters + k * d * d;
            centre(rows, begin, n, means.data() + k * d, centred.data());
            for (std::size_t j = 0; j < d; ++j)
                for (std::size_t i = 0; i < n; ++i)
                    weighted[j * block + i] =
                        centred[j * block + i] * weights[(begin + i) * n_components + k];
            for (std::size_t i = 0; i < d; ++i)
                for (std::size_t j = 0; j <= i; ++j)
                    scatter[i * d + j] += dot(weighted.data() + i * block, centred.data() + j * block, block);
        }
    }
    for (std::size_t k = 0; k < n_components; ++k)
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < i; ++j) scatters[(k * d + j) * d + i] = scatters[(k * d + i) * d + j];
}

}  // namespace boxwood
