#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "table/distinct_rows.hpp"
#include "tests/check.hpp"

using boxwood::find_distinct_rows;

namespace {

using Row = std::vector<std::uint16_t>;

std::vector<std::uint16_t> random_rows(std::size_t n, std::size_t d, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::uint16_t> rows(n * d);
    for (auto& bin : rows) bin = static_cast<std::uint16_t>(random() % 3);
    return rows;
}

Row row_at(const std::vector<std::uint16_t>& rows, std::size_t i, std::size_t d) {
    return {rows.begin() + static_cast<std::ptrdiff_t>(i * d),
            rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * d)};
}

}  // namespace

CASE("weights of equal rows are added", {
    for (std::size_t d : {1u, 2u, 3u, 4u, 5u, 9u}) {
        const std::size_t n = 200;
        const auto rows = random_rows(n, d, d);
        std::vector<double> weights(n);
        std::iota(weights.begin(), weights.end(), 1.0);
        std::map<Row, double> expected;
        for (std::size_t i = 0; i < n; ++i) expected[row_at(rows, i, d)] += weights[i];
        const auto distinct = find_distinct_rows(rows.data(), 2 * d, n, weights.data());
        CHECK(distinct.first.size() == expected.size());
        CHECK(distinct.number.size() == n);
        for (std::size_t k = 0; k < distinct.first.size(); ++k) {
            CHECK(distinct.weight[k] == expected[row_at(rows, distinct.first[k], d)]);
        }
        for (std::size_t i = 0; i < n; ++i) {
            CHECK(row_at(rows, distinct.first[distinct.number[i]], d) == row_at(rows, i, d));
        }
        CHECK(std::is_sorted(distinct.key.begin(), distinct.key.end()));
    }
});

CASE("neither the order nor the repetition of rows leaves a trace", {
    const std::size_t d = 3;
    const std::size_t n = 300;
    const auto rows = random_rows(n, d, 9);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
    std::vector<std::uint16_t> shuffled;
    for (std::size_t i : order) {
        for (std::uint16_t bin : row_at(rows, i, d)) shuffled.push_back(bin);
    }
    const auto a = find_distinct_rows(rows.data(), 2 * d, n, nullptr);
    const auto b = find_distinct_rows(shuffled.data(), 2 * d, n, nullptr);
    CHECK(a.key == b.key);
    CHECK(a.weight == b.weight);
    for (std::size_t k = 0; k < a.first.size(); ++k) {
        CHECK(row_at(rows, a.first[k], d) == row_at(shuffled, b.first[k], d));
    }
    CHECK(std::accumulate(a.weight.begin(), a.weight.end(), 0.0) == static_cast<double>(n));
});

CASE("no rows, and rows of doubles", {
    CHECK(find_distinct_rows(nullptr, 8, 0, nullptr).first.empty());
    const std::vector<double> points = {0.5, 0.25, 0.5, 0.25};
    CHECK(find_distinct_rows(points.data(), 8, 4, nullptr).first.size() == 2);
    CHECK(find_distinct_rows(points.data(), 16, 2, nullptr).weight == std::vector<double>{2.0});
});

CHECK_MAIN()
