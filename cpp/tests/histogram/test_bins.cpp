#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "histogram/bins.hpp"
#include "tests/check.hpp"

using boxwood::Bins;

namespace {

// The obvious way: a search among the edges.
std::int32_t reference_bin(const std::vector<double>& edges, double x) {
    const auto n = static_cast<std::int32_t>(edges.size()) - 1;
    if (!(x >= edges.front() && x <= edges.back())) return n;
    const auto above = std::upper_bound(edges.begin(), edges.end(), x) - edges.begin();
    return std::min(n - 1, static_cast<std::int32_t>(above) - 1);
}

std::vector<double> linspace(double low, double high, std::size_t n_bins) {
    std::vector<double> edges;
    const double step = (high - low) / static_cast<double>(n_bins);
    for (std::size_t m = 0; m < n_bins; ++m) edges.push_back(static_cast<double>(m) * step + low);
    edges.push_back(high);
    return edges;
}

// Values that find out: the edges, their neighbours, what lies between and what lies outside.
std::vector<double> probes(const std::vector<double>& edges) {
    const double inf = std::numeric_limits<double>::infinity();
    std::vector<double> values = {inf, -inf, std::numeric_limits<double>::quiet_NaN(), 0.0, -0.0};
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> fraction(-0.1, 1.1);
    for (double edge : edges) {
        values.insert(values.end(), {edge, std::nextafter(edge, inf), std::nextafter(edge, -inf)});
        values.push_back(edges.front() + fraction(random) * (edges.back() - edges.front()));
    }
    values.resize(std::min(values.size(), boxwood::bin_block));
    return values;
}

void check_all(const std::vector<double>& edges) {
    const Bins bins(edges);
    const auto values = probes(edges);
    std::vector<std::int32_t> found(values.size());
    bins.find(values.data(), values.size(), found.data());
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(found[i] == reference_bin(edges, values[i]));
}

bool refused(std::vector<double> edges) {
    try {
        const Bins bins(std::move(edges));
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("uniform bins agree with a search among the edges", {
    for (std::size_t n : {1u, 2u, 3u, 7u, 10u, 100u, 200u}) {
        check_all(linspace(0.0, 1.0, n));
        check_all(linspace(-1.0, 1.0, n));
        check_all(linspace(-1e300, 1e300, n));
        check_all(linspace(1e9, 1e9 + 1.0, n));
        check_all(linspace(0.1, 0.7, n));
    }
    CHECK(Bins(linspace(-6.0, 6.0, 100)).is_uniform());
});

CASE("bins of any width agree with a search among the edges", {
    std::mt19937_64 random(2);
    std::normal_distribution<double> normal;
    for (std::size_t n : {2u, 5u, 50u, 200u}) {
        std::vector<double> edges;
        for (std::size_t m = 0; m <= n; ++m) edges.push_back(normal(random));
        std::sort(edges.begin(), edges.end());
        check_all(edges);
        for (double& edge : edges) edge = std::exp(20.0 * edge);  // all but a few in the first cell
        check_all(edges);
    }
    CHECK(!Bins({0.0, 1.0, 3.0}).is_uniform());
    for (int n : {2, 3, 4, 7, 8, 9, 200}) {
        std::vector<double> ratios = {0.0};
        for (int m = 0; m < n; ++m) ratios.push_back(std::exp(-0.5 * (n - m)));
        check_all(ratios);
    }
});

CASE("bins of a few floats, and of denormals", {
    const double one = 1.0;
    const double next = std::nextafter(one, 2.0);
    check_all({one, next});
    check_all({one, next, std::nextafter(next, 2.0)});
    check_all({0.0, 5e-324, 1e-323, 1e-300});
    check_all({0.0, 5e-324});
});

CASE("every kernel gives the same bins", {
    const auto edges = linspace(-3.0, 3.0, 37);
    const auto values = probes(edges);
    const boxwood::LinearMap map{-3.0, 3.0, 37.0 / 6.0, 37};
    std::size_t count = 0;
    const auto* kernels = boxwood::all_bin_kernels(count);
    std::vector<std::int32_t> first(values.size());
    std::vector<std::int32_t> other(values.size());
    const bool doubt = kernels[0].uniform(values.data(), values.size(), map, 1e-12, first.data());
    for (std::size_t k = 1; k < count; ++k) {
        CHECK(kernels[k].uniform(values.data(), values.size(), map, 1e-12, other.data()) == doubt);
        CHECK(first == other);
    }
});

CASE("edges that are none are refused", {
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(refused({}));
    CHECK(refused({1.0}));
    CHECK(refused({1.0, 1.0}));
    CHECK(refused({2.0, 1.0}));
    CHECK(refused({0.0, std::nan("")}));
    CHECK(refused({0.0, inf}));
    CHECK(refused({-1.7e308, 1.7e308}));
});

CHECK_MAIN()
