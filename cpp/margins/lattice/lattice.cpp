#include "margins/lattice/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace boxwood {

namespace {

constexpr double largest_place = 1e300;
constexpr double slack_of_step = 1e-6;
constexpr double slack_in_ulps = 4.0;
constexpr int most_digits = 15;
constexpr double largest_numerator = 0x1p53;

bool is_decimal(double value, double power) {
    const double whole = std::rint(value * power);
    return std::abs(whole) < largest_numerator && whole / power == value;
}

double power_of_ten(double origin, double step) {
    double power = 1.0;
    for (int digits = 0; digits <= most_digits; ++digits, power *= 10.0) {
        if (is_decimal(origin, power) && is_decimal(step, power)) return power;
    }
    return 0.0;
}

double ulp(double value) {
    const double size = std::abs(value);
    return std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
}

}  // namespace

Lattice::Lattice(double origin, double step) : origin_(origin), step_(step) {
    if (!std::isfinite(origin) || !(step > 0.0) || !std::isfinite(step))
        throw std::invalid_argument("a lattice has a finite origin and a positive step");
    power_ = power_of_ten(origin, step);
}

double Lattice::place(double value) const {
    const double exact = std::clamp((value - origin_) / step_, -largest_place, largest_place);
    const double floor = std::floor(exact);
    return exact - floor >= 0.5 ? floor + 1.0 : floor;
}

double Lattice::point(double place) const {
    const double value = origin_ + place * step_;
    const double whole = std::rint(value * power_);
    return power_ > 0.0 && std::abs(whole) < largest_numerator ? whole / power_ : value;
}

bool Lattice::holds(double value, double place) const {
    const double nearest = point(place);
    if (std::abs(value - nearest) <= slack_of_step * step_ + slack_in_ulps * ulp(value)) return true;
    constexpr double largest_single = std::numeric_limits<float>::max();
    return std::abs(nearest) <= largest_single && value == static_cast<double>(static_cast<float>(nearest));
}

}  // namespace boxwood
