#include "query/leaf_event.hpp"

#include <cmath>
#include <limits>

namespace boxwood {

double gaussian_probability(const ColumnLeaves& column, std::size_t leaf, const CubeEvent& event) {
    if (event.is_point()) {
        if (!column.holds(leaf, event.point_bin())) return 0.0;
        return gaussian_weight(column, leaf, event.point()) * event.factor() * column.scale[leaf];
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < event.low().size(); ++i)
        sum += gaussian_integral(column, leaf, event.low()[i], event.high()[i]);
    return (1.0 - event.floor()) * sum * column.scale[leaf] + event.floor();
}

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double draw_gaussian(const ColumnLeaves& column, std::size_t leaf, const CubeEvent& event, Draws& draws) {
    double total = 0.0;
    for (std::size_t i = 0; i < event.low().size(); ++i)
        total += gaussian_integral(column, leaf, event.low()[i], event.high()[i]);
    if (!(total > 0.0)) return nan;
    double left = draws.uniform() * total;
    double low = 0.0;
    double high = 0.0;
    for (std::size_t i = 0; i < event.low().size(); ++i) {
        const double mass = gaussian_integral(column, leaf, event.low()[i], event.high()[i]);
        if (!(mass > 0.0)) continue;
        low = event.low()[i];
        high = event.high()[i];
        if (left < mass) break;
        left -= mass;
    }
    const double start = low;
    const double end = high;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (gaussian_integral(column, leaf, start, middle) < left ? low : high) = middle;
    }
    return std::clamp(0.5 * (low + high), start, std::nextafter(end, start));
}

}  // namespace

double draw_from(const ColumnLeaves& column, std::size_t leaf, const CubeEvent& event, Draws& draws) {
    if (event.is_point()) return event.point();
    if (column.gaussian()) return draw_gaussian(column, leaf, event, draws);
    const std::vector<double>& u = column.bin_edges->u;
    double total = 0.0;
    column.for_each_stretch(leaf, [&](std::uint32_t first, std::uint32_t end, double weight) {
        total += weight * event.length_between(u[first], u[end]);
    });
    if (!(total > 0.0)) return nan;
    double left = draws.uniform() * total;
    double point = nan;
    bool found = false;
    column.for_each_stretch(leaf, [&](std::uint32_t first, std::uint32_t end, double weight) {
        if (found) return;
        const double length = event.length_between(u[first], u[end]);
        if (!(length > 0.0)) return;
        found = left < weight * length;
        // Rounding may leave something behind the last stretch, of which the end is taken then.
        point = event.point_between(u[first], u[end], found ? left / weight : length);
        left -= weight * length;
    });
    return point;
}

}  // namespace boxwood
