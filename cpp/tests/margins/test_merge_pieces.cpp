#include <cmath>
#include <limits>

#include "margins/merge_pieces.hpp"
#include "tests/check.hpp"

using boxwood::merge_pieces;

namespace {

// The loss of the best merge, by trying all: the reference implementation.
std::size_t cheapest(const std::vector<double>& x, const std::vector<double>& mass) {
    double best = std::numeric_limits<double>::infinity();
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < mass.size(); ++i) {
        const double density = (mass[i] + mass[i + 1]) / (x[i + 2] - x[i]);
        const double loss = mass[i] * std::log(mass[i] / (x[i + 1] - x[i]) / density) +
                            mass[i + 1] * std::log(mass[i + 1] / (x[i + 2] - x[i + 1]) / density);
        if (loss < best) {
            best = loss;
            at = i;
        }
    }
    return at;
}

}  // namespace

CASE("the greedy merges are those of the reference implementation", {
    std::vector<double> x = {0.0};
    std::vector<double> mass;
    for (int i = 0; i < 40; ++i) {
        x.push_back(x.back() + 0.1 + (i * 37 % 11) / 7.0);
        mass.push_back(0.01 + (i * 53 % 17) / 900.0);
    }
    auto reference_x = x;
    auto reference_mass = mass;
    while (reference_mass.size() > 7) {
        const std::size_t i = cheapest(reference_x, reference_mass);
        reference_mass[i] += reference_mass[i + 1];
        reference_mass.erase(reference_mass.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        reference_x.erase(reference_x.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    merge_pieces(x, mass, 7);
    CHECK(x == reference_x && mass.size() == 7);
    for (std::size_t i = 0; i < mass.size(); ++i) CHECK(std::abs(mass[i] - reference_mass[i]) < 1e-15);
});

CASE("few pieces stay as they are", {
    std::vector<double> x = {0.0, 1.0, 4.0};
    std::vector<double> mass = {0.5, 0.5};
    merge_pieces(x, mass, 2);
    CHECK(x.size() == 3);
    merge_pieces(x, mass, 1);
    CHECK((x == std::vector<double>{0.0, 4.0}) && mass == std::vector<double>{1.0});
});

CASE("pieces of denormal width do not stop the merge", {
    std::vector<double> x = {0.0, 5e-324, 1e-323, 1.0, 2.0};
    std::vector<double> mass = {0.25, 0.25, 0.25, 0.25};
    merge_pieces(x, mass, 2);
    CHECK(mass.size() == 2 && std::abs(mass[0] + mass[1] - 1.0) < 1e-15);
});

CHECK_MAIN()
