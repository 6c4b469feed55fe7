#include "mixture/gaussian/normal_box_mass.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "base/normal_distribution.hpp"

namespace boxwood {

namespace {

constexpr double widest_panel = 0.5;  // of the quadrature, in deviations
constexpr double farthest = 8.5;      // beyond so many deviations there is less than 1e-16

// Gauss–Legendre with eight points on [−1, 1].
constexpr std::array<double, 4> nodes = {0.18343464249564980494, 0.52553240991632898582,
                                         0.79666647741362673959, 0.96028985649753623168};
constexpr std::array<double, 4> node_weights = {0.36268378337836198297, 0.31370664587788728734,
                                                0.22238103445337447054, 0.10122853629037625915};

double square_root_of_prime(std::size_t k) {
    static const std::vector<double> roots = [] {
        std::vector<double> found;
        for (int candidate = 2; found.size() < 1024; ++candidate) {
            bool prime = true;
            for (int divisor = 2; divisor * divisor <= candidate && prime; ++divisor)
                prime = candidate % divisor != 0;
            if (prime) found.push_back(std::sqrt(static_cast<double>(candidate)));
        }
        return found;
    }();
    return roots[k % roots.size()];
}

// The limits and the factor with the coordinates in another order.
struct OrderedBox {
    std::vector<double> factor;
    std::vector<double> low;
    std::vector<double> high;
    std::size_t n() const { return low.size(); }
};

std::vector<double> covariance_of(std::span<const double> factor, std::size_t n) {
    std::vector<double> covariance(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (std::size_t k = 0; k <= j; ++k)
                sum += factor[row_of_triangle(i) + k] * factor[row_of_triangle(j) + k];
            covariance[i * n + j] = covariance[j * n + i] = sum;
        }
    }
    return covariance;
}

// The narrowest coordinates first: later ones then vary least from point to point.
OrderedBox narrowest_first(std::span<const double> factor, std::span<const double> low,
                           std::span<const double> high) {
    const std::size_t n = low.size();
    const std::vector<double> covariance = covariance_of(factor, n);
    std::vector<double> mass(n);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = 0; i < n; ++i) {
        const double deviation = std::sqrt(covariance[i * n + i]);
        mass[i] = normal_mass(low[i] / deviation, high[i] / deviation);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return mass[a] < mass[b]; });
    OrderedBox box;
    box.factor.resize(row_of_triangle(n));
    for (std::size_t i = 0; i < n; ++i) {
        box.low.push_back(low[order[i]]);
        box.high.push_back(high[order[i]]);
        for (std::size_t j = 0; j <= i; ++j) {
            double rest = covariance[order[i] * n + order[j]];
            const double* row = box.factor.data() + row_of_triangle(i);
            const double* other = box.factor.data() + row_of_triangle(j);
            for (std::size_t k = 0; k < j; ++k) rest -= row[k] * other[k];
            // Rounding alone can make the rest of a near-singular covariance vanish.
            box.factor[row_of_triangle(i) + j] =
                i == j ? std::sqrt(std::max(rest, 1e-14 * covariance[order[i] * n + order[i]]))
                       : rest / other[j];
        }
    }
    return box;
}

double mass_of_two(const OrderedBox& box) {
    const double deviation = box.factor[0];
    const double slope = box.factor[1];
    const double rest = box.factor[2];
    const double from = std::max(box.low[0] / deviation, -farthest);
    const double to = std::min(box.high[0] / deviation, farthest);
    if (!(from < to)) return 0.0;
    const auto integrand = [&](double z) {
        const double inside = normal_mass((box.low[1] - slope * z) / rest, (box.high[1] - slope * z) / rest);
        return std::exp(-0.5 * z * z) * inside;
    };
    // The mass inside changes from 0 to 1 within about rest/slope.
    const double panel_width = std::min(widest_panel, 1.5 * rest / std::max(std::abs(slope), 1e-300));
    const auto n_panels = static_cast<std::size_t>(std::ceil(std::min((to - from) / panel_width, 1e5)));
    const double half = 0.5 * (to - from) / static_cast<double>(n_panels);
    double sum = 0.0;
    for (std::size_t panel = 0; panel < n_panels; ++panel) {
        const double middle = from + half * (2.0 * static_cast<double>(panel) + 1.0);
        for (std::size_t k = 0; k < nodes.size(); ++k)
            sum +=
                node_weights[k] * (integrand(middle - half * nodes[k]) + integrand(middle + half * nodes[k]));
    }
    return half * sum / std::sqrt(2.0 * std::numbers::pi);
}

double mass_of_many(const OrderedBox& box, std::size_t n_points) {
    const std::size_t n = box.n();
    std::vector<double> z(n);
    double sum = 0.0;
    double total = 0.0;
    for (std::size_t point = 1; point <= n_points; ++point) {
        double product = 1.0;
        for (std::size_t i = 0; i < n && product > 0.0; ++i) {
            const double* row = box.factor.data() + row_of_triangle(i);
            double shift = 0.0;
            for (std::size_t k = 0; k < i; ++k) shift += row[k] * z[k];
            const NormalInterval inside((box.low[i] - shift) / row[i], (box.high[i] - shift) / row[i]);
            product *= inside.mass();
            if (i + 1 == n || !(product > 0.0)) break;
            // A Richtmyer lattice, folded so that the integrand is periodic.
            const double place = static_cast<double>(point) * square_root_of_prime(i);
            z[i] = inside.quantile(std::abs(2.0 * (place - std::floor(place)) - 1.0));
        }
        // Weights that rise from 0 and fall again take the ends of the sequence out of the error: it is
        // ten times less than by equal weights.
        const double t = static_cast<double>(point) / static_cast<double>(n_points + 1);
        const double weight = t * t * (1.0 - t) * (1.0 - t);
        sum += weight * product;
        total += weight;
    }
    return sum / total;
}

}  // namespace

double normal_box_mass(std::span<const double> factor, std::span<const double> low,
                       std::span<const double> high, std::size_t n_points) {
    if (low.empty()) return 1.0;
    if (low.size() == 1) return normal_mass(low[0] / factor[0], high[0] / factor[0]);
    const OrderedBox box = narrowest_first(factor, low, high);
    return box.n() == 2 ? mass_of_two(box) : mass_of_many(box, n_points);
}

}  // namespace boxwood
