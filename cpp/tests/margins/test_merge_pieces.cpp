#include <cmath>
#include <limits>

#include "margins/merge_pieces.hpp"
#include "tests/check.hpp"

using boxwood::merge_pieces;

namespace {

struct Merge {
    std::size_t at;
    double loss;
};

// The best merge and its loss, by trying all: the reference implementation.
Merge cheapest(const std::vector<double>& x, const std::vector<double>& mass,
               const std::vector<double>& lost) {
    double best = std::numeric_limits<double>::infinity();
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < mass.size(); ++i) {
        const double density = (mass[i] + mass[i + 1]) / (x[i + 2] - x[i]);
        const double loss = lost[i] + lost[i + 1] +
                            mass[i] * std::log(mass[i] / (x[i + 1] - x[i]) / density) +
                            mass[i + 1] * std::log(mass[i + 1] / (x[i + 2] - x[i + 1]) / density);
        if (loss < best) {
            best = loss;
            at = i;
        }
    }
    return {at, best};
}

}  // namespace

CASE("the greedy merges are those of the reference implementation", {
    std::vector<double> start_x = {0.0};
    std::vector<double> start_mass;
    for (int i = 0; i < 40; ++i) {
        start_x.push_back(start_x.back() + 0.1 + (i * 37 % 11) / 7.0);
        start_mass.push_back(0.01 + (i * 53 % 17) / 900.0);
    }
    for (const std::size_t most : {std::size_t{7}, std::size_t{40}}) {
        for (const double small : {-1.0, 0.01, 0.05}) {
            auto reference_x = start_x;
            auto reference_mass = start_mass;
            std::vector<double> lost(start_mass.size(), 0.0);
            while (reference_mass.size() > 1) {
                const Merge best = cheapest(reference_x, reference_mass, lost);
                if (reference_mass.size() <= most && best.loss > small) break;
                const auto next = static_cast<std::ptrdiff_t>(best.at) + 1;
                reference_mass[best.at] += reference_mass[best.at + 1];
                lost[best.at] = best.loss;
                reference_mass.erase(reference_mass.begin() + next);
                lost.erase(lost.begin() + next);
                reference_x.erase(reference_x.begin() + next);
            }
            auto x = start_x;
            auto mass = start_mass;
            merge_pieces(x, mass, most, small);
            CHECK(x == reference_x && mass.size() == reference_mass.size());
            CHECK(mass.size() <= most && (small < 0.0 || most < 40 || mass.size() < 40));
            for (std::size_t i = 0; i < mass.size(); ++i)
                CHECK(std::abs(mass[i] - reference_mass[i]) < 1e-15);
        }
    }
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
