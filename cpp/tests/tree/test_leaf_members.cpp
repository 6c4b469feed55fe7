#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tests/check.hpp"
#include "tree/leaf_members.hpp"

using boxwood::AskedLeaves;
using boxwood::leaf_histograms;
using boxwood::LeafMembers;

namespace {

// Two trees: leaves 0 and 1, and leaf 2, which holds all three rows; leaf 3 has no members.
const std::vector<std::int64_t> start{0, 1, 3, 6, 6};
const std::vector<std::uint32_t> row{0, 1, 2, 0, 1, 2};
const std::vector<float> weight{1.0F, 1.0F, 3.0F, 1.0F, 1.0F, 2.0F};
const std::vector<std::uint32_t> codes{0, 1, 1};

std::vector<double> histograms(const std::vector<std::uint32_t>& leaves,
                               const std::vector<std::uint8_t>& skip) {
    return leaf_histograms({start, row, weight}, {leaves, skip, 2}, codes, 2, 1, {});
}

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

}  // namespace

CASE("the mean over trees of what leaves hold", {
    const std::vector<double> both = histograms({0, 2, 1, 2}, {});
    CHECK(near(both[0], 0.5 * (1.0 + 0.25)));
    CHECK(near(both[1], 0.5 * 0.75));
    const double first = 0.5 * (1.0 + 0.25), second = 0.5 * 0.25, third = 0.5 * 0.5;
    CHECK(near(both[2], first * first + second * second + third * third));
    CHECK(near(both[3] + both[4], 1.0));
});

CASE("trees that are skipped and leaves without members say nothing", {
    CHECK(near(histograms({0, 2}, {1, 0})[0], 0.25));
    const std::vector<double> none = histograms({0, 3}, {1, 0});
    CHECK(none[0] == 0.0 && none[1] == 0.0 && none[2] == 0.0);
});

CASE("a leaf beyond the last is refused", {
    bool thrown = false;
    try {
        histograms({0, 4}, {});
    } catch (const std::invalid_argument&) {
        thrown = true;
    }
    CHECK(thrown);
});

CHECK_MAIN()
