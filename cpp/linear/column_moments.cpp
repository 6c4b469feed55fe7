#include "linear/column_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace boxwood {

namespace {

// Sums of a block are added up apart: a sum of few terms keeps its digits.
constexpr std::size_t smallest_block = 1024;

struct Sums {
    explicit Sums(std::size_t size) : weight(size), first(size), second(size) {}

    void add(Sums& block) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            weight[i] += block.weight[i];
            first[i] += block.first[i];
            second[i] += block.second[i];
            block.weight[i] = block.first[i] = block.second[i] = 0.0;
        }
    }

    std::vector<double> weight;
    std::vector<double> first;
    std::vector<double> second;
};

// The first value of each class and column that is there; NaN where none is.
std::vector<double> first_values(const ClassedRows& rows) {
    const std::size_t d = rows.n_columns;
    std::vector<double> found(rows.n_classes * d, std::numeric_limits<double>::quiet_NaN());
    std::size_t left = found.size();
    for (std::size_t i = 0; i < rows.n_rows && left > 0; ++i) {
        double* of_class = found.data() + rows.classes[i] * d;
        for (std::size_t j = 0; j < d; ++j) {
            if (!std::isnan(of_class[j]) || std::isnan(rows.values[i * d + j])) continue;
            of_class[j] = rows.values[i * d + j];
            --left;
        }
    }
    return found;
}

// Without NaN all columns of a class have the same weight: it is kept in the first.
void add_row(const double* row, std::size_t d, const double* shift, double weight, double* first,
             double* second) {
    for (std::size_t j = 0; j < d; ++j) {
        const double delta = row[j] - shift[j];
        const double weighted = weight * delta;
        first[j] += weighted;
        second[j] += weighted * delta;
    }
}

void add_row_with_gaps(const double* row, std::size_t d, const double* shift, double weight, double* weights,
                       double* first, double* second) {
    for (std::size_t j = 0; j < d; ++j) {
        if (std::isnan(row[j])) continue;
        const double delta = row[j] - shift[j];
        weights[j] += weight;
        first[j] += weight * delta;
        second[j] += weight * delta * delta;
    }
}

Sums sum_rows(const ClassedRows& rows, const std::vector<double>& shift, bool missing) {
    const std::size_t d = rows.n_columns;
    // Emptying a block's sums must not cost more than filling them.
    const std::size_t block_size = std::max(smallest_block, 4 * rows.n_classes);
    Sums total(rows.n_classes * d);
    Sums block(rows.n_classes * d);
    for (std::size_t begin = 0; begin < rows.n_rows; begin += block_size) {
        const std::size_t end = std::min(rows.n_rows, begin + block_size);
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t at = rows.classes[i] * d;
            const double weight = rows.weights == nullptr ? 1.0 : rows.weights[i];
            const double* row = rows.values + i * d;
            if (missing) {
                add_row_with_gaps(row, d, shift.data() + at, weight, block.weight.data() + at,
                                  block.first.data() + at, block.second.data() + at);
            } else {
                block.weight[at] += weight;
                add_row(row, d, shift.data() + at, weight, block.first.data() + at, block.second.data() + at);
            }
        }
        total.add(block);
    }
    return total;
}

// Four sums side by side, so that the order of additions does not hang on the machine's vectors.
double half_square_distance(const double* row, const double* mean, const double* scale, std::size_t d) {
    double lanes[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t j = 0;
    for (; j + 4 <= d; j += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const double z = (row[j + lane] - mean[j + lane]) * scale[j + lane];
            lanes[lane] += z * z;
        }
    }
    for (; j < d; ++j) {
        const double z = (row[j] - mean[j]) * scale[j];
        lanes[0] += z * z;
    }
    return 0.5 * ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
}

double log_density_with_gaps(const double* row, const double* mean, const double* scale,
                             const double* log_scale, std::size_t d) {
    double sum = 0.0;
    for (std::size_t j = 0; j < d; ++j) {
        if (std::isnan(row[j])) continue;
        const double z = (row[j] - mean[j]) * scale[j];
        sum += log_scale[j] - 0.5 * z * z;
    }
    return sum;
}

}  // namespace

ColumnMoments column_moments(const ClassedRows& rows, bool missing) {
    const std::size_t d = rows.n_columns;
    const std::vector<double> shift = first_values(rows);
    Sums sums = sum_rows(rows, shift, missing);
    ColumnMoments moments;
    moments.weight = std::move(sums.weight);
    moments.mean.resize(rows.n_classes * d);
    moments.variance.resize(rows.n_classes * d);
    for (std::size_t i = 0; i < moments.mean.size(); ++i) {
        if (!missing) moments.weight[i] = moments.weight[i - i % d];
        if (moments.weight[i] == 0.0) continue;
        const double offset = sums.first[i] / moments.weight[i];
        moments.mean[i] = shift[i] + offset;
        // This way round a NaN, of numbers too large to square, stays one.
        moments.variance[i] = std::max(sums.second[i] / moments.weight[i] - offset * offset, 0.0);
    }
    return moments;
}

void column_log_density(const double* values, std::size_t n_rows, std::size_t n_columns,
                        const ColumnNormals& normals, bool missing, double* out) {
    const std::size_t d = n_columns;
    std::vector<double> whole(normals.n_classes);
    for (std::size_t k = 0; k < normals.n_classes; ++k) {
        for (std::size_t j = 0; j < d; ++j) whole[k] += normals.log_scale[k * d + j];
    }
    for (std::size_t i = 0; i < n_rows; ++i) {
        const double* row = values + i * d;
        for (std::size_t k = 0; k < normals.n_classes; ++k, ++out) {
            const double* mean = normals.mean + k * d;
            const double* scale = normals.scale + k * d;
            *out = missing ? log_density_with_gaps(row, mean, scale, normals.log_scale + k * d, d)
                           : whole[k] - half_square_distance(row, mean, scale, d);
        }
    }
}

}  // namespace boxwood
