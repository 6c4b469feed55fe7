// The two steps of expectation–maximisation for a mixture of Gaussians, on few rows and columns.
#pragma once

#include <cstddef>
#include <span>

namespace boxwood {

// Rows by row; `n_columns` a row.
struct ScoreRows {
    const double* values;
    std::size_t n_rows;
    std::size_t n_columns;
};

// Writes for each row and component −½·|W·(x − mean)|² (n_rows × n_components).
//
// `means`: n_components × n_columns; `whitening`: a lower triangle a component, n_columns² values each.
void gaussian_exponents(const ScoreRows& rows, std::span<const double> means, const double* whitening,
                        double* exponents);

// Writes for each component Σ weight·(x − mean)(x − mean)ᵀ (n_columns² values each).
//
// `weights`: n_rows × n_components.
void gaussian_scatters(const ScoreRows& rows, std::span<const double> means, const double* weights,
                       double* scatters);

}  // namespace boxwood
