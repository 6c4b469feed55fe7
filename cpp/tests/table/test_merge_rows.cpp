#include <algorithm>
#include <limits>
#include <vector>

#include "table/merge_rows.hpp"
#include "tests/check.hpp"

using boxwood::merge_rows;
using boxwood::Strided;
using boxwood::StridedCodes;
using boxwood::TableView;

namespace {

TableView view_of(const std::vector<double>& rows, std::size_t n_columns) {
    TableView table{{}, rows.size() / n_columns};
    for (std::size_t j = 0; j < n_columns; ++j)
        table.columns.emplace_back(
            Strided{rows.data() + j, table.n_rows, static_cast<std::ptrdiff_t>(n_columns)});
    return table;
}

}  // namespace

CASE("weights of equal rows are added without rounding on the way", {
    const std::vector<double> rows(4, 1.0);
    std::vector<double> weights = {1.0, 0x1p-53, 0x1p-53, 0x1p-52};
    std::sort(weights.begin(), weights.end());
    do {
        const auto merged = merge_rows(view_of(rows, 1), weights.data());
        CHECK(merged.weight == std::vector<double>{1.0 + 0x1p-51});
    } while (std::next_permutation(weights.begin(), weights.end()));
});

CASE("zeros of either sign are equal, and so are gaps", {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> rows = {0.0, nan, -0.0, -nan, 0.0, 1.0};
    const auto merged = merge_rows(view_of(rows, 2), nullptr);
    CHECK(merged.first.size() == 2);
    CHECK(merged.number[0] == merged.number[1]);
    CHECK(merged.kish[merged.number[0]] == 2.0);
    CHECK(std::is_sorted(merged.key.begin(), merged.key.end()));
});

CASE("codes are the numbers that they are, and a gap among them is one", {
    const std::vector<std::int32_t> codes = {2, -1, 2};
    const std::vector<double> numbers = {2.0, std::numeric_limits<double>::quiet_NaN(), 2.0};
    const auto of_codes = merge_rows(TableView{{StridedCodes{codes.data(), 3}}, 3}, nullptr);
    const auto of_numbers = merge_rows(view_of(numbers, 1), nullptr);
    CHECK(of_codes.key == of_numbers.key);
    CHECK(of_codes.number == of_numbers.number);
});

CASE("a table may have no rows or no columns", {
    CHECK(merge_rows(view_of({}, 3), nullptr).first.empty());
    CHECK(merge_rows(TableView{{}, 5}, nullptr).weight == std::vector<double>{5.0});
});

CHECK_MAIN()
