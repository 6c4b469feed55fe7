#include <cmath>
#include <limits>
#include <vector>

#include "linear/column_moments.hpp"
#include "tests/check.hpp"

using boxwood::ClassedRows;
using boxwood::column_log_density;
using boxwood::column_moments;
using boxwood::ColumnNormals;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

bool close(double a, double b, double tolerance = 1e-12) {
    return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

}  // namespace

CASE("two classes, weights, and a class without rows", {
    const std::vector<double> values = {1.0, 10.0, 3.0, 30.0, 5.0, 50.0};
    const std::vector<std::uint32_t> classes = {0, 2, 0};
    const std::vector<double> weights = {1.0, 2.0, 3.0};
    const ClassedRows rows{values.data(), 3, 2, classes.data(), 3, weights.data()};
    for (bool missing : {false, true}) {
        const auto found = column_moments(rows, missing);
        CHECK(found.weight == (std::vector<double>{4.0, 4.0, 0.0, 0.0, 2.0, 2.0}));
        CHECK(close(found.mean[0], 4.0) && close(found.mean[1], 40.0) && close(found.mean[4], 3.0));
        CHECK(close(found.variance[0], 3.0) && close(found.variance[1], 300.0) && found.variance[5] == 0.0);
        CHECK(found.mean[2] == 0.0 && found.variance[2] == 0.0);
    }
});

CASE("missing values are left out, column by column", {
    const std::vector<double> values = {nan_value, 1.0, 2.0, nan_value, 4.0, nan_value};
    const std::vector<std::uint32_t> classes = {0, 0, 0};
    const auto found = column_moments({values.data(), 3, 2, classes.data(), 1, nullptr}, true);
    CHECK(found.weight == (std::vector<double>{2.0, 1.0}));
    CHECK(close(found.mean[0], 3.0) && close(found.variance[0], 1.0));
    CHECK(close(found.mean[1], 1.0) && found.variance[1] == 0.0);
});

CASE("digits survive far from zero, and an odd first row", {
    const std::size_t n = 100'000;
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = 1e9 + (i % 2 == 0 ? 1.0 : -1.0);
    const std::vector<std::uint32_t> classes(n, 0);
    auto found = column_moments({values.data(), n, 1, classes.data(), 1, nullptr}, false);
    CHECK(close(found.mean[0], 1e9, 1e-15) && close(found.variance[0], 1.0));
    values[0] = 1e9 + 300.0;
    found = column_moments({values.data(), n, 1, classes.data(), 1, nullptr}, false);
    const double shift = 299.0 / static_cast<double>(n);
    CHECK(
        close(found.variance[0], 1.0 + (300.0 * 300.0 - 1.0) / static_cast<double>(n) - shift * shift, 1e-9));
});

CASE("log-densities, whole rows and rows with gaps", {
    const std::vector<double> mean = {0.0, 1.0, 2.0, 3.0, 4.0};
    const std::vector<double> scale = {1.0, 0.5, 2.0, 1.0, 4.0};
    std::vector<double> log_scale;
    for (double s : scale) log_scale.push_back(std::log(s) - 0.5 * std::log(2.0 * std::acos(-1.0)));
    const std::vector<double> row = {1.0, 1.5, 2.5, 2.0, 4.5};
    double expected = 0.0;
    for (std::size_t j = 0; j < 5; ++j) {
        const double z = (row[j] - mean[j]) * scale[j];
        expected += log_scale[j] - 0.5 * z * z;
    }
    const ColumnNormals normals{mean.data(), scale.data(), log_scale.data(), 1};
    for (bool missing : {false, true}) {
        double out = 0.0;
        column_log_density(row.data(), 1, 5, normals, missing, &out);
        CHECK(close(out, expected));
    }
    std::vector<double> gap = row;
    gap[4] = nan_value;
    double out = 0.0;
    column_log_density(gap.data(), 1, 5, normals, true, &out);
    CHECK(close(out, expected - (log_scale[4] - 0.5 * 4.0)));
});

CHECK_MAIN()
