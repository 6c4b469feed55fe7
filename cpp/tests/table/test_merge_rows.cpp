#include <algorithm>
#include <limits>
#include <vector>

#include "table/merge_rows.hpp"
#include "tests/check.hpp"

using boxwood::merge_rows;

CASE("weights of equal rows are added without rounding on the way", {
    const std::vector<double> rows(4, 1.0);
    std::vector<double> weights = {1.0, 0x1p-53, 0x1p-53, 0x1p-52};
    std::sort(weights.begin(), weights.end());
    do {
        const auto merged = merge_rows(rows.data(), 4, 1, weights.data());
        CHECK(merged.weight == std::vector<double>{1.0 + 0x1p-51});
    } while (std::next_permutation(weights.begin(), weights.end()));
});

CASE("zeros of either sign are equal, and so are gaps", {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> rows = {0.0, nan, -0.0, -nan, 0.0, 1.0};
    const auto merged = merge_rows(rows.data(), 3, 2, nullptr);
    CHECK(merged.first.size() == 2);
    CHECK(merged.number[0] == merged.number[1]);
    CHECK(merged.kish[merged.number[0]] == 2.0);
    CHECK(std::is_sorted(merged.key.begin(), merged.key.end()));
});

CASE("a table may have no rows or no columns", {
    CHECK(merge_rows(nullptr, 0, 3, nullptr).first.empty());
    CHECK(merge_rows(nullptr, 5, 0, nullptr).weight == std::vector<double>{5.0});
});

CHECK_MAIN()
