#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include "mixture/ruled_mixture.hpp"
#include "tests/check.hpp"
#include "tests/tree/small_tree.hpp"

using boxwood::Leaves;
using boxwood::Mixture;
using boxwood::RuleComponent;
using boxwood::RuledMixture;

namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

Mixture small_mixture() { return Mixture(small_columns(), {{small_tree(), Leaves{}}}, {1.0}); }

// Categories 1 and 4 of the last column: with the first, column 0 is at 0.2; with the other, below 0.4.
RuleComponent small_component() {
    return {2, {0.25, 0.95, nan}, {0.1, 0.1, 0.0}, {{0, {0.2, 0.0, nan}, {0.2, 0.4, nan}}}};
}

bool is_near(double a, double b) { return std::abs(a - b) < 1e-12; }

bool is_refused(const std::function<void()>& make) {
    try {
        make();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("agreement by hand", {
    const Mixture mixture = small_mixture();
    const auto found = RuledMixture(mixture, {small_component()}).agreement(0);
    // Of the two leaves that know category 1, one with 0.25·0.1 lies above 0.4 and one with 0.25·0.5 below.
    CHECK(is_near(found.log_all[0], std::log(0.125 / 0.4 / 0.15)));
    CHECK(is_near(found.log_all[1], std::log(0.125 / 0.15)));
    CHECK(is_near(found.log_all[2], 0.0));
    for (double log_but : found.log_but) CHECK(is_near(log_but, 0.0));
});

CASE("draws keep to the rules, and roots have their probabilities", {
    const Mixture mixture = small_mixture();
    const RuledMixture ruled(mixture, {small_component()});
    const std::size_t n = 40'000;
    std::vector<double> points(3 * n);
    ruled.sample(n, 7, points.data());
    std::size_t n_first = 0;
    std::size_t n_second = 0;
    bool kept = true;
    for (std::size_t i = 0; i < n; ++i) {
        const double root = points[3 * i + 2];
        const bool first = root > 0.2 && root < 0.3;
        const bool second = root > 0.9;
        kept = kept && (!first || points[3 * i] == 0.2) && (!second || points[3 * i] < 0.4);
        n_first += first ? 1 : 0;
        n_second += second ? 1 : 0;
    }
    CHECK(kept);
    CHECK(std::abs(static_cast<double>(n_first) / static_cast<double>(n) - 0.15) < 0.01);
    CHECK(std::abs(static_cast<double>(n_second) / static_cast<double>(n) - 0.15) < 0.01);
});

CASE("components that do not fit are refused", {
    const Mixture mixture = small_mixture();
    RuleComponent twice = small_component();
    twice.columns.push_back(twice.columns[0]);
    CHECK(is_refused([&] { RuledMixture(mixture, {twice}); }));
    CHECK(is_refused([&] { RuledMixture(mixture, {small_component(), small_component()}); }));
    RuleComponent outside = small_component();
    outside.point[0] = 1.5;
    CHECK(is_refused([&] { RuledMixture(mixture, {outside}); }));
    RuleComponent short_column = small_component();
    short_column.columns[0].low.pop_back();
    CHECK(is_refused([&] { RuledMixture(mixture, {short_column}); }));
});

CHECK_MAIN()
