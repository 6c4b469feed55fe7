// Each column by itself within each class: weight, mean and variance, and the density of such normals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

// Rows of a row-major matrix, each of a class. NaN is missing.
struct ClassedRows {
    const double* values = nullptr;
    std::size_t n_rows = 0;
    std::size_t n_columns = 0;
    const std::uint32_t* classes = nullptr;
    std::size_t n_classes = 0;
    const double* weights = nullptr;  // null: every row counts once
};

// Of every class and column, class by class; variances are divided by the weight.
struct ColumnMoments {
    std::vector<double> weight;
    std::vector<double> mean;  // 0 where there is no weight
    std::vector<double> variance;
};

// One pass, shifted by the first value of each class and column: with n rows no value lies further than
// √n standard deviations from the mean, so that at most log10(n) digits of a variance are lost.
// `missing` tells whether there may be any NaN.
ColumnMoments column_moments(const ClassedRows& rows, bool missing);

// Independent normal columns of some classes, class by class.
struct ColumnNormals {
    const double* mean = nullptr;
    const double* scale = nullptr;      // one over the standard deviation
    const double* log_scale = nullptr;  // its logarithm, less log √2π
    std::size_t n_classes = 0;
};

// Writes the log-density of each row under each class (n_rows × n_classes); missing values are left out.
void column_log_density(const double* values, std::size_t n_rows, std::size_t n_columns,
                        const ColumnNormals& normals, bool missing, double* out);

}  // namespace boxwood
