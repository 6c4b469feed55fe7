#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "binning/bin_edges.hpp"
#include "tests/check.hpp"

using boxwood::Knots;

namespace {

Knots random_knots(std::size_t n_cells, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    Knots knots{{0.0, 1.0}};
    while (knots.u.size() < n_cells + 1) knots.u.push_back(uniform(random));
    std::sort(knots.u.begin(), knots.u.end());
    return knots;
}

bool refused(const std::vector<double>& u) {
    try {
        boxwood::check_knots({u});
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("the cell is that of a plain search", {
    for (std::size_t n : {1u, 2u, 3u, 5u, 64u, 100u, 1024u}) {
        const Knots knots = random_knots(n, n);
        std::vector<double> points = knots.u;
        for (double x = -0.5; x < 1.5; x += 0.001) points.push_back(x);
        for (double edge : knots.u) points.push_back(std::nextafter(edge, 0.0));
        points.push_back(INFINITY);
        points.push_back(-INFINITY);
        for (double x : points) {
            const auto above = std::upper_bound(knots.u.begin(), knots.u.end(), x) - knots.u.begin();
            const auto expected =
                std::clamp<std::ptrdiff_t>(above - 1, 0, static_cast<std::ptrdiff_t>(n) - 1);
            CHECK(knots.cell_of(x) == static_cast<std::uint32_t>(expected));
        }
    }
});

CASE("cells of whole columns, missing ones marked", {
    const Knots knots{{0.0, 0.25, 0.5, 1.0}};
    const std::vector<double> points = {0.1, -1.0, 0.3, -1.0, std::nan(""), -1.0, 1.0, -1.0};
    std::vector<std::uint16_t> cells(12, 7);
    boxwood::find_cells(knots, {points.data(), 4, 2}, cells.data(), 3);
    CHECK(cells == (std::vector<std::uint16_t>{0, 7, 7, 1, 7, 7, boxwood::missing_cell, 7, 7, 2, 7, 7}));
});

CASE("more cells than fit 16 bits are refused", {
    Knots knots{{}};
    for (int k = 0; k <= 70000; ++k) knots.u.push_back(k / 70000.0);
    boxwood::check_knots(knots);
    bool was_refused = false;
    const double point = 0.5;
    std::uint16_t cell = 0;
    try {
        boxwood::find_cells(knots, {&point, 1, 1}, &cell, 1);
    } catch (const std::invalid_argument&) {
        was_refused = true;
    }
    CHECK(was_refused);
});

CASE("knots ascend from 0 to 1", {
    CHECK(!refused({0.0, 1.0}));
    CHECK(!refused({0.0, 1e-300, 1.0}));
    for (const auto& u : {std::vector<double>{}, {0.0}, {1.0}, {0.0, 0.5}, {0.1, 1.0}, {0.0, 0.5, 0.5, 1.0}})
        CHECK(refused(u));
    CHECK(refused({0.0, 0.6, 0.4, 1.0}));
    CHECK(refused({0.0, std::nan(""), 1.0}));
    CHECK(refused({std::nan(""), 1.0}));
    CHECK(refused({0.0, INFINITY, 1.0}));
});

CHECK_MAIN()
