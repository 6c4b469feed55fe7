#include <cmath>
#include <vector>

#include "tests/check.hpp"
#include "tree/supervised/conditional_entropy.hpp"

using namespace boxwood;

namespace {

double entropy(const std::vector<ClassGaussian>& classes) { return gaussian_conditional_entropy(classes); }

}  // namespace

CASE("one class leaves nothing", {
    CHECK(entropy({}) == 0.0);
    CHECK(entropy({{1.0, 5.0, 2.0}}) == 0.0);
    CHECK(entropy({{0.0, 1.0, 1.0}, {1.0, 5.0, 2.0}}) == 0.0);
});

CASE("a feature that says nothing leaves the entropy of the classes", {
    CHECK(std::abs(entropy({{0.5, 0.0, 1.0}, {0.5, 0.0, 1.0}}) - 1.0) < 1e-12);
    CHECK(std::abs(entropy({{0.25, 9.0, 3.0}, {0.75, 9.0, 3.0}}) - 0.8112781244591328) < 1e-12);
});

CASE("classes far apart leave nothing", { CHECK(entropy({{0.5, 0.0, 1.0}, {0.5, 60.0, 1.0}}) < 1e-9); });

// By scipy.integrate.quad over the posterior's entropy.
CASE("a narrow class inside a wide one",
     { CHECK(std::abs(entropy({{0.5, 0.0, 1.0}, {0.5, 0.2, 0.01}}) - 0.07466007172988345) < 1e-10); });

CHECK_MAIN()
