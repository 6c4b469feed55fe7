#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "binning/bin_edges.hpp"
#include "tests/check.hpp"

using boxwood::BinEdges;

namespace {

BinEdges random_bin_edges(std::size_t n_bins, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    BinEdges bin_edges{{0.0, 1.0}};
    while (bin_edges.u.size() < n_bins + 1) bin_edges.u.push_back(uniform(random));
    std::sort(bin_edges.u.begin(), bin_edges.u.end());
    return bin_edges;
}

bool refused(const std::vector<double>& u) {
    try {
        boxwood::check_bin_edges({u});
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("the bin is that of a plain search", {
    for (std::size_t n : {1u, 2u, 3u, 5u, 64u, 100u, 1024u}) {
        const BinEdges bin_edges = random_bin_edges(n, n);
        std::vector<double> points = bin_edges.u;
        for (double x = -0.5; x < 1.5; x += 0.001) points.push_back(x);
        for (double edge : bin_edges.u) points.push_back(std::nextafter(edge, 0.0));
        points.push_back(INFINITY);
        points.push_back(-INFINITY);
        for (double x : points) {
            const auto above =
                std::upper_bound(bin_edges.u.begin(), bin_edges.u.end(), x) - bin_edges.u.begin();
            const auto expected =
                std::clamp<std::ptrdiff_t>(above - 1, 0, static_cast<std::ptrdiff_t>(n) - 1);
            CHECK(bin_edges.bin_of(x) == static_cast<std::uint32_t>(expected));
        }
    }
});

CASE("bins of whole columns, missing ones marked", {
    const BinEdges bin_edges{{0.0, 0.25, 0.5, 1.0}};
    const std::vector<double> points = {0.1, -1.0, 0.3, -1.0, std::nan(""), -1.0, 1.0, -1.0};
    std::vector<std::uint16_t> bins(12, 7);
    boxwood::find_bins(bin_edges, {points.data(), 4, 2}, bins.data(), 3);
    CHECK(bins == (std::vector<std::uint16_t>{0, 7, 7, 1, 7, 7, boxwood::missing_bin, 7, 7, 2, 7, 7}));
});

CASE("more bins than fit 16 bits are refused", {
    BinEdges bin_edges{{}};
    for (int k = 0; k <= 70000; ++k) bin_edges.u.push_back(k / 70000.0);
    boxwood::check_bin_edges(bin_edges);
    bool was_refused = false;
    const double point = 0.5;
    std::uint16_t bin = 0;
    try {
        boxwood::find_bins(bin_edges, {&point, 1, 1}, &bin, 1);
    } catch (const std::invalid_argument&) {
        was_refused = true;
    }
    CHECK(was_refused);
});

CASE("bin edges ascend from 0 to 1", {
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
