#include <cmath>
#include <limits>
#include <stdexcept>

#include "margins/place_atoms.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

SmoothCdf smooth() {
    const std::vector<double> values = {0.0, 1.0, 1.5, 2.0, 2.2, 3.0, 5.0};
    return fit_smooth_cdf(values, values, std::vector<double>(values.size(), 4.0));
}

bool is_refused(double mass, const std::vector<Atom>& atoms) {
    try {
        place_atoms(smooth(), mass, atoms);
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("without atoms nothing changes but the mass", {
    const auto cdf = smooth();
    const auto placed = place_atoms(cdf, 0.5, {});
    CHECK(placed.x() == cdf.x && std::abs(placed.total() - 0.5) < 1e-14);
    CHECK(placed.shape()[2].left == cdf.shape[2].left);
});

CASE("atoms within, at a knot, next to each other and beyond both ends", {
    const auto cdf = smooth();
    const double knot = cdf.x[3];
    const double next = std::nextafter(knot, 10.0);
    const std::vector<Atom> atoms = {
        {-1e9, -1e9, 0.1}, {knot, knot, 0.1}, {next, next, 0.1}, {2.1, 2.1, 0.1}, {1e300, 1e300, 0.1}};
    const auto placed = place_atoms(cdf, 0.5, atoms);
    CHECK(std::abs(placed.total() - 1.0) < 1e-12);
    for (const Atom& atom : atoms) {
        CHECK(std::abs(placed.log_density(atom.low) - std::log(0.1)) < 1e-15);
        CHECK(placed.decode(placed.encode(atom.low)) == atom.low);
    }
    CHECK(placed.left_mass() > 0.0 && placed.right_mass() > 0.0);
});

CASE("beside atoms the density is what it was", {
    const auto cdf = smooth();
    const auto plain = place_atoms(cdf, 1.0, {});
    const auto placed = place_atoms(cdf, 0.5, {{1.2, 1.2, 0.25}, {1.3, 1.3, 0.25}});
    for (double x = -2.0; x < 8.0; x += 0.0931)
        CHECK(std::abs(placed.log_density(x) - plain.log_density(x) - std::log(0.5)) < 1e-12);
});

CASE("an atom at the closed end of a uniform CDF", {
    const auto placed = place_atoms(uniform_cdf(0.0, 1.0), 0.5, {{0.0, 0.0, 0.25}, {1.0, 1.0, 0.25}});
    CHECK(placed.decode(0.1) == 0.0 && placed.decode(0.9) == 1.0 && placed.decode(1.0) == 1.0);
    CHECK(std::abs(placed.log_density(1.0) - std::log(0.25)) < 1e-15);
});

CASE("what are no atoms is refused", {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(is_refused(0.0, {}) && is_refused(nan, {}) && is_refused(0.5, {{nan, nan, 0.5}}));
    CHECK(is_refused(0.5, {{1.0, 1.0, 0.0}}) && is_refused(0.5, {{1.0, 1.0, nan}}));
    CHECK(is_refused(0.5, {{1.0, 1.0, 0.2}, {1.0, 1.0, 0.2}}) &&
          is_refused(0.5, {{2.0, 2.0, 0.2}, {1.0, 1.0, 0.2}}));
    CHECK(is_refused(0.5, {{1.0, 1.0, 0.9}}));
});

CASE("the interval of a lattice point has its mass and nothing of the smooth CDF", {
    const auto cdf = smooth();
    const auto placed = place_atoms(cdf, 0.4, {{0.5, 1.5, 0.2}, {1.5, 2.5, 0.3}, {40.5, 41.5, 0.1}});
    CHECK(std::abs(placed.total() - 1.0) < 1e-12);
    CHECK(std::abs(std::exp(placed.log_mass_between(0.5, 1.5)) - 0.2) < 1e-12);
    CHECK(std::abs(std::exp(placed.log_mass_between(1.5, 2.5)) - 0.3) < 1e-12);
    CHECK(std::abs(std::exp(placed.log_mass_between(40.5, 41.5)) - 0.1) < 1e-12);
    const auto plain = place_atoms(cdf, 1.0, {});
    const double scale = placed.log_density(0.2) - plain.log_density(0.2);
    CHECK(scale > std::log(0.4) &&
          std::abs(placed.log_density(3.0) - plain.log_density(3.0) - scale) < 1e-12);
});

CASE("intervals that leave nothing of a box have everything", {
    const auto placed = place_atoms(uniform_cdf(0.5, 2.5), 0.5, {{0.5, 1.5, 0.1}, {1.5, 2.5, 0.4}});
    CHECK(std::abs(placed.total() - 1.0) < 1e-12);
    CHECK(std::abs(std::exp(placed.log_mass_between(0.5, 1.5)) - 0.2) < 1e-12);
});

CHECK_MAIN()

CASE("atoms alone leave nothing between them or beyond them", {
    const PiecewiseCdf cdf = atoms_alone({atom_at(1.0, 0.5), atom_at(2.0, 0.25), atom_at(5.0, 0.25)});
    CHECK(cdf.total() == 1.0 && std::exp(cdf.log_density(5.0)) == 0.25);
    for (const double value : {0.0, 1.5, 3.0, 6.0}) CHECK(std::isinf(cdf.log_density(value)));
    CHECK(cdf.decode(0.0) == 1.0 && cdf.decode(0.5) == 2.0 && cdf.decode(1.0) == 5.0);
    CHECK(cdf.below(5.0) == 0.75 && std::isinf(cdf.log_mass_between(2.5, 4.5)));
});
