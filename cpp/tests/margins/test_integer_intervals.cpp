#include <cmath>

#include "margins/lattice/integer_intervals.hpp"
#include "margins/place_atoms.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

double decoded(const PiecewiseCdf& cdf, double u) {
    double out = 0.0;
    decode_integers(cdf, {&u, 1, 1}, &out);
    return out;
}

double encoded(const PiecewiseCdf& cdf, double k) {
    double out = 0.0;
    encode_integers(cdf, {&k, 1, 1}, &out, 1);
    return out;
}

double log_mass(const PiecewiseCdf& cdf, double k) {
    double out = 0.0;
    log_mass_of_integers(cdf, {&k, 1, 1}, &out);
    return out;
}

}  // namespace

CASE("edges ascend, also where k - 1/2 is no double", {
    CHECK(integer_edge(3.0) == 2.5 && integer_edge(0x1p52) == 0x1p52 - 0.5);
    for (double start : {-0x1p53, -0x1p52 - 5.0, -5.0, 0x1p52 - 5.0, 0x1p53 - 12.0}) {
        for (double k = start; k < start + 10.0; k += 1.0)
            CHECK(integer_edge(k) < integer_edge(k + 1.0) && integer_edge(k) <= k);
    }
});

CASE("integers come back and have a probability", {
    for (double start : {-0x1p53, -0x1p52 - 3.0, -3.0, 0x1p52 - 3.0, 0x1p53 - 6.0}) {
        std::vector<double> values;
        for (int i = 0; i < 7; ++i) values.push_back(start + i);
        const auto smooth = fit_smooth_cdf(values, values, std::vector<double>(7, 3.0));
        const auto cdf = place_atoms(smooth, 0.9, {atom_at(values[1], 0.05), atom_at(values[4], 0.05)});
        for (double k : values) {
            CHECK(decoded(cdf, encoded(cdf, k)) == k);
            CHECK(std::isfinite(log_mass(cdf, k)));
        }
        CHECK(log_mass(cdf, values[1]) > std::log(0.05) && log_mass(cdf, values[4]) > std::log(0.05));
    }
});

CASE("the double below one half belongs to zero", {
    const double below_half = std::nextafter(0.5, 0.0);
    const auto cdf = place_atoms(uniform_cdf(-1.0, 2.0), 0.5, {atom_at(below_half, 0.5)});
    CHECK(decoded(cdf, 0.5) == 0.0);
});

CASE("the closed end belongs to the last number", {
    const auto cdf = place_atoms(uniform_cdf(-0.5, 4.5), 1.0, {});
    CHECK(decoded(cdf, 1.0) == 4.0 && decoded(cdf, 0.0) == 0.0);
    CHECK(std::abs(log_mass(cdf, 4.0) - std::log(0.2)) < 1e-15 && std::isinf(log_mass(cdf, 1.5)));
});

CHECK_MAIN()
