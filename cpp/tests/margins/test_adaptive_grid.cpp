#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include "margins/adaptive_grid.hpp"
#include "tests/check.hpp"

using boxwood::AdaptiveGrid;
using boxwood::CellCounter;
using boxwood::count_cells;
using boxwood::Strided;

namespace {

Strided view(const std::vector<double>& values) { return {values.data(), values.size(), 1}; }

// A sequence that looks random enough and is the same everywhere.
std::vector<double> scattered(std::size_t n) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double part = static_cast<double>((i * 2654435761u) % 1000003u) / 1000003.0;
        values[i] = i % 7 == 0 ? 0.25 : std::sinh(20.0 * part - 10.0);
    }
    return values;
}

bool is_same(const AdaptiveGrid& a, const AdaptiveGrid& b) {
    return a.low == b.low && a.high == b.high && a.count == b.count;
}

std::int64_t sum(const std::vector<std::int64_t>& counts) {
    std::int64_t total = 0;
    for (auto count : counts) total += count;
    return total;
}

}  // namespace

CASE("cells are sorted, disjoint and hold every row", {
    const auto values = scattered(100'000);
    const auto counter = count_cells(view(values), nullptr);
    const auto cells = counter.cells();
    CHECK(counter.total() == 100'000 && sum(cells.count) == 100'000);
    for (std::size_t i = 0; i < cells.count.size(); ++i) {
        CHECK(cells.low[i] <= cells.high[i]);
        CHECK(i == 0 || cells.high[i - 1] < cells.low[i]);
        CHECK(cells.low[i] == cells.high[i] || cells.count[i] <= 100'000 / 8192);
    }
});

CASE("few rows are told apart to the last bit", {
    const std::vector<double> values = {1.0, std::nextafter(1.0, 2.0), -0.0, 0.0, 5e-324, -5e-324, 1e300};
    std::map<double, std::int64_t> expected;
    for (double v : values) ++expected[v + 0.0];
    const auto cells = count_cells(view(values), nullptr).cells();
    CHECK(cells.low == cells.high && cells.low.size() == expected.size());
    std::size_t i = 0;
    for (const auto& [value, count] : expected) {
        CHECK(cells.low[i] == value && cells.count[i] == count);
        ++i;
    }
});

CASE("missing values and rows of weight zero are counted apart", {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> values = {1.0, nan, 2.0, nan, 3.0};
    const std::vector<std::int64_t> weights = {2, 5, 0, 1, 1};
    const auto counter = count_cells(view(values), weights.data());
    CHECK(counter.total() == 3 && counter.missing() == 6);
    CHECK(counter.cells().low == (std::vector<double>{1.0, 3.0}));
});

CASE("weight two is the row twice", {
    const auto values = scattered(9'000);
    std::vector<double> twice = values;
    twice.insert(twice.end(), values.begin(), values.end());
    const std::vector<std::int64_t> weights(values.size(), 2);
    CHECK(is_same(count_cells(view(values), weights.data()).cells(),
                  count_cells(view(twice), nullptr).cells()));
});

CASE("the whole is the merge of its parts", {
    const auto values = scattered(50'000);
    CellCounter total;
    do {
        for (std::size_t start = 0; start < values.size(); start += 12'345) {
            const std::size_t size = std::min<std::size_t>(12'345, values.size() - start);
            CellCounter part = total.empty_like();
            part.add({values.data() + start, size, 1}, nullptr);
            total.merge(part);
        }
    } while (total.refine());
    CHECK(is_same(total.cells(), count_cells(view(values), nullptr).cells()));
});

CASE("counters that were refined differently do not merge", {
    const std::vector<double> a = {1.0, 1.01};
    const std::vector<double> b = {3.0, 3.01};
    CellCounter first;
    CellCounter second;
    first.add(view(a), nullptr);
    second.add(view(b), nullptr);
    first.refine();
    second.refine();
    bool refused = false;
    try {
        first.merge(second);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
});

CASE("a column of no rows has no cells", {
    const auto counter = count_cells({nullptr, 0, 1}, nullptr);
    CHECK(counter.total() == 0 && counter.cells().count.empty());
});

CASE("columns of a row-major matrix are read in place", {
    const std::vector<double> matrix = {1.0, 9.0, 2.0, 9.0, 2.0, 9.0};
    const auto cells = count_cells({matrix.data(), 3, 2}, nullptr).cells();
    CHECK(cells.low == (std::vector<double>{1.0, 2.0}) && cells.count == (std::vector<std::int64_t>{1, 2}));
});

CASE("a sorted column has the cells of the counted one", {
    for (std::size_t n : {0u, 1u, 10u, 3000u, 50000u}) {
        std::vector<double> values = scattered(n);
        for (std::size_t i = 0; i < n; i += 11) values[i] = std::numeric_limits<double>::quiet_NaN();
        std::vector<std::int64_t> weights;
        for (std::size_t i = 0; i < n; ++i) weights.push_back(static_cast<std::int64_t>(i % 5));
        for (bool weighted : {false, true}) {
            const std::int64_t* w = weighted ? weights.data() : nullptr;
            const CellCounter counted = count_cells(view(values), w);
            const auto sorted = boxwood::cells_of_column(view(values), w);
            CHECK(is_same(sorted.cells, counted.cells()));
            CHECK(sorted.missing == counted.missing());
        }
    }
});

CHECK_MAIN()
