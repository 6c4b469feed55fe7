#include <cmath>
#include <limits>

#include "margins/category_margin.hpp"
#include "tests/check.hpp"

using namespace boxwood;

CASE("masses are counts with half a row each beside the unseen ones, and sum to 1", {
    const CategoryMargin margin = fit_category_margin({3.0, 2.0, 4.0}, Labels::open);
    CHECK(std::abs(margin.mass()[0] - 5.0 / 9.0 * 6.0 / 7.0 * 3.5 / 6.0) < 1e-15);
    CHECK(std::abs(margin.unseen_mass() - 5.0 / 9.0 / 7.0) < 1e-15);
    CHECK(std::abs(margin.missing_mass() - 4.0 / 9.0) < 1e-15);
    CHECK(std::abs(margin.mass()[0] + margin.mass()[1] + margin.unseen_mass() + margin.missing_mass() - 1.0) <
          1e-15);
    CHECK(fit_category_margin({3.0, 2.0, 4.0}, Labels::boolean).unseen_mass() == 0.0);
    const CategoryMargin closed = fit_category_margin({3.0, 2.0, 0.0, 4.0}, Labels::closed);
    CHECK(closed.unseen_mass() == 0.0 && closed.mass()[2] > 0.0);
    CHECK(std::abs(closed.mass()[0] + closed.mass()[1] + closed.mass()[2] - 5.0 / 9.0) < 1e-12);
    CHECK(margin.knots().size() == 5 &&
          fit_category_margin({3.0, 2.0, 0.0}, Labels::boolean).knots().size() == 3);
});

CASE("codes go to the middles of their intervals and come back; unseen ones fall to their neighbour", {
    const CategoryMargin margin = fit_category_margin({3.0, 2.0, 4.0}, Labels::open);
    const std::vector<std::int32_t> codes = {1, 0, missing_code, 2};
    std::vector<double> u(4);
    std::vector<std::int32_t> again(4);
    margin.encode({codes.data(), 4, 1}, u.data(), 1);
    CHECK(u[1] < u[0] && u[0] < u[3] && u[3] < u[2]);
    CHECK(margin.decode({u.data(), 4, 1}, again.data()) == 1);
    CHECK(again == (std::vector<std::int32_t>{1, 0, missing_code, 1}));
});

CASE("without missing values in the fit a missing one is NaN, and nothing decodes to it", {
    const CategoryMargin margin = fit_category_margin({3.0, 2.0, 0.0}, Labels::open);
    const std::int32_t code = missing_code;
    double u = 0.0;
    margin.encode({&code, 1, 1}, &u, 1);
    CHECK(std::isnan(u));
    std::vector<double> points = {1.0, std::numeric_limits<double>::quiet_NaN()};
    std::vector<std::int32_t> codes(2);
    CHECK(margin.decode({points.data(), 2, 1}, codes.data()) == 1);
    CHECK(codes == (std::vector<std::int32_t>{1, missing_code}));
});

CASE("a column that knows no category has missing values alone", {
    const CategoryMargin margin = fit_category_margin({5.0}, Labels::open);
    const double u = 0.01;
    std::int32_t code = 7;
    CHECK(margin.decode({&u, 1, 1}, &code) == 1 && code == missing_code);
});

CHECK_MAIN()
