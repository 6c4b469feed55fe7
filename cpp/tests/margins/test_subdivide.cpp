#include <cmath>

#include "margins/subdivide.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

CellView cells_of(const std::vector<double>& values, double count = 1.0) {
    CellView cells;
    cells.low = cells.high = cells.centre = values;
    cells.below.push_back(0.0);
    for (std::size_t i = 0; i < values.size(); ++i) cells.below.push_back(cells.below.back() + count);
    return cells;
}

Partition one_bin(const CellView& cells, double low, double high) {
    return {{low, high}, {1.0}, {0, cells.size()}};
}

}  // namespace

CASE("the middle lies above the lower bound and does not overflow", {
    CHECK(middle(1.0, 2.0) == 1.5 && middle(-1e308, 1e308) == 0.0 && middle(1e308, 1.2e308) == 1.1e308);
    const double next = std::nextafter(1.0, 2.0);
    CHECK(middle(1.0, next) == next && middle(0.0, 5e-324) == 5e-324);
});

CASE("few rows are not divided", {
    const auto cells = cells_of({0.1, 0.5, 0.9});
    CHECK(subdivide(cells, one_bin(cells, 0.0, 1.0)).mass.size() == 1);
});

CASE("masses stay positive and sum to what they were, edges ascend", {
    std::vector<double> values;
    for (int i = 0; i < 500; ++i) values.push_back(std::pow(i / 500.0, 3.0) + 1e-9 * i);
    const auto cells = cells_of(values);
    const auto fit = subdivide(cells, one_bin(cells, -0.1, 1.1));
    double sum = 0.0;
    for (std::size_t i = 0; i < fit.mass.size(); ++i) {
        CHECK(fit.mass[i] > 0.0 && fit.x[i] < fit.x[i + 1]);
        sum += fit.mass[i];
    }
    CHECK(std::abs(sum - 1.0) < 1e-12 && fit.mass.size() > 20);
    for (std::size_t b = 0; b < fit.mass.size(); ++b) {
        for (std::size_t c = fit.first_cell[b]; c < fit.first_cell[b + 1]; ++c)
            CHECK(values[c] >= fit.x[b] && values[c] < fit.x[b + 1]);
    }
});

CASE("an even column is left even", {
    std::vector<double> values;
    for (int i = 0; i < 4096; ++i) values.push_back((i + 0.5) / 4096);
    const auto cells = cells_of(values);
    const auto fit = subdivide(cells, one_bin(cells, 0.0, 1.0));
    for (std::size_t i = 0; i < fit.mass.size(); ++i) {
        const double density = fit.mass[i] / (fit.x[i + 1] - fit.x[i]);
        CHECK(density > 0.95 && density < 1.05);
    }
});

CASE("neighbouring doubles are divided down to one ulp and no further", {
    std::vector<double> values = {1.0};
    while (values.size() < 40) values.push_back(std::nextafter(values.back(), 2.0));
    const auto cells = cells_of(values, 10.0);
    const auto fit = subdivide(cells, one_bin(cells, 0.5, 1.5));
    for (std::size_t i = 0; i < fit.mass.size(); ++i) CHECK(fit.x[i] < fit.x[i + 1]);
});

CHECK_MAIN()
