#include <algorithm>
#include <cmath>

#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/uniformity.hpp"

using boxwood::GrowBox;
using boxwood::kolmogorov_p_value;

namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-12; }

// The statistic that Stephens' correction turns into t.
double distance_for(double t, double n) {
    const double root = std::sqrt(n);
    return t / (root + 0.12 + 0.11 / root);
}

}  // namespace

CASE("Kolmogorov's distribution: values of scipy.special.kolmogorov", {
    const double known[][2] = {{0.3, 0.9999906941986655},    {0.5, 0.9639452436648751},
                               {0.8, 0.5441424115741981},    {1.0, 0.26999967167735456},
                               {1.36, 0.049485876755377876}, {1.63, 0.009846364888486529},
                               {2.0, 0.0006709252557796953}, {3.0, 3.045995948942526e-08}};
    for (const auto& [t, p] : known) {
        for (double n : {5.0, 100.0, 1e6}) CHECK(close(kolmogorov_p_value(distance_for(t, n), n), p));
    }
    CHECK(kolmogorov_p_value(0.0, 10.0) == 1.0);
    CHECK(kolmogorov_p_value(1.0, 1e6) == 0.0);
});

CASE("p-values descend with the distance", {
    double before = 1.0;
    for (double d = 0.0; d <= 1.0; d += 0.001) {
        const double p = kolmogorov_p_value(d, 20.0);
        CHECK(p <= before + 1e-12 && p >= 0.0);
        before = p;
    }
});

CASE("exactly even points are uniform, crowded ones are not", {
    SmallTable table(200, 2, 0, 1, true);
    for (std::size_t i = 0; i < 200; ++i) {
        table.points[2 * i] = (static_cast<double>(i) + 0.5) / 200.0;
        table.points[2 * i + 1] = (static_cast<double>(i * 7 % 200) + 0.5) / 200.0;
    }
    const auto rows = table.all_rows();
    const auto data = table.data(false);
    CHECK(boxwood::uniformity_p_value(data, GrowBox::whole(data), rows) == 1.0);
    for (std::size_t i = 0; i < 200; ++i) table.points[2 * i] *= 0.5;
    CHECK(boxwood::uniformity_p_value(data, GrowBox::whole(data), rows) < 1e-10);
});

CASE("the smallest p-value times the number of columns that can be split", {
    SmallTable table(50, 3, 1, 3);
    const auto rows = table.all_rows();
    const auto data = table.data();
    double total = 0.0;
    for (double w : table.weights) total += w;
    double largest = 0.0;
    for (std::size_t j = 0; j < 4; ++j) {
        double below = 0.0;
        for (std::size_t bin = 0; bin < table.columns[j].n_bins(); ++bin) {
            for (std::size_t i = 0; i < 50; ++i)
                below += data.bin(i, j) == bin ? data.weight(i) / total : 0.0;
            largest = std::max(largest, std::abs(below - table.columns[j].u[bin + 1]));
        }
    }
    const double expected = std::min(1.0, 4.0 * kolmogorov_p_value(largest, total));
    CHECK(std::abs(boxwood::uniformity_p_value(data, GrowBox::whole(data), rows) - expected) < 1e-12);
});

CASE("without rows or without columns to split there is nothing to reject", {
    const SmallTable table(5, 1, 0, 1, false, 1);
    const auto data = table.data();
    CHECK(boxwood::uniformity_p_value(data, GrowBox::whole(data), table.all_rows()) == 1.0);
    CHECK(boxwood::uniformity_p_value(data, GrowBox::whole(data), {}) == 1.0);
});

CHECK_MAIN()
