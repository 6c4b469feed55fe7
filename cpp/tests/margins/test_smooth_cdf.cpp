#include <cmath>
#include <limits>
#include <stdexcept>

#include "margins/smooth_cdf.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

void check_is_cdf(const SmoothCdf& cdf) {
    double sum = cdf.left_mass + cdf.right_mass;
    for (std::size_t i = 0; i < cdf.mass.size(); ++i) {
        sum += cdf.mass[i];
        CHECK(cdf.mass[i] > 0.0 && cdf.x[i] < cdf.x[i + 1] && std::isfinite(cdf.x[i + 1] - cdf.x[i]));
        CHECK(is_positive(cdf.shape[i]));
    }
    CHECK(std::abs(sum - 1.0) < 1e-12);
    CHECK(cdf.left_mass > 0.0 && cdf.left_rate > 0.0 && std::isfinite(cdf.left_rate));
    CHECK(cdf.right_mass > 0.0 && cdf.right_rate > 0.0 && std::isfinite(cdf.right_rate));
}

SmoothCdf fit(const std::vector<double>& values, double count = 1.0, std::size_t max_bin_edges = 1024) {
    return fit_smooth_cdf(values, values, std::vector<double>(values.size(), count), max_bin_edges);
}

template <class Body>
bool is_refused(Body body) {
    try {
        body();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

std::vector<double> logistic(std::size_t n) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
        const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
        values.push_back(std::log(u / (1.0 - u)));
    }
    return values;
}

}  // namespace

CASE("any number of rows, at any size, has a CDF", {
    for (std::size_t n : {1u, 2u, 3u, 5u, 50u, 3000u}) {
        for (int exponent : {0, -1000, -300, 300, 990}) {
            auto values = logistic(n);
            for (double& v : values) v = std::ldexp(v, exponent);
            check_is_cdf(fit(values));
        }
    }
});

CASE("denormals, neighbouring doubles and both at once", {
    const double next = std::nextafter(1.0, 2.0);
    check_is_cdf(fit({0.0, 5e-324}));
    check_is_cdf(fit({5e-324, 1e-323, 1.5e-323}, 40.0));
    check_is_cdf(fit({-5e-324, 0.0, 1e-310, 1.0, next}, 20.0));
    check_is_cdf(fit({1.0, next}, 1e6));
    check_is_cdf(fit({-0x1p996, 5e-324, 0x1p996}, 30.0));
});

CASE("weights from next to nothing to all but infinite", {
    for (double weight : {5e-324, 1e-9, 0.3, 1.0, 1e6, 1e12, 1e100, 1e305})
        check_is_cdf(fit(logistic(100), weight));
});

CASE("one cell of several values spans them", {
    const auto cdf = fit_smooth_cdf({1.0}, {2.0}, {7.0});
    check_is_cdf(cdf);
    CHECK(cdf.x.front() < 1.0 && cdf.x.back() > 2.0);
});

CASE("knots are as many as asked for, at most", {
    for (std::size_t knots : {8u, 20u, 200u}) {
        const auto cdf = fit(logistic(5000), 1.0, knots);
        check_is_cdf(cdf);
        CHECK(cdf.x.size() <= knots);
    }
});

CASE("what is no column is refused, not crashed on", {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(is_refused([] { fit({}); }));
    CHECK(is_refused([] { fit({2.0, 1.0}); }));
    CHECK(is_refused([&] { fit({1.0, nan}); }));
    CHECK(is_refused([] { fit({1.0, 2.0}, 0.0); }));
    CHECK(is_refused([&] { fit({1.0, 2.0}, nan); }));
    CHECK(is_refused([] { fit({1.0, 2.0}, 1e308); }));
    CHECK(is_refused([] { fit({1.0, 2.0}, 1.0, 7); }));
    CHECK(is_refused([] { fit_smooth_cdf({1.0}, {1.0, 2.0}, {1.0}); }));
    CHECK(is_refused([] { uniform_cdf(1.0, 1.0); }));
});

CHECK_MAIN()
