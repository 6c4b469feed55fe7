#include <numeric>
#include <stdexcept>

#include "neighbors/condense.hpp"
#include "tests/check.hpp"
#include "tests/neighbors/small_points.hpp"

using namespace boxwood;

CASE("the condensed rows tell the class of every row", {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Points rows = draw_points(400, 3, seed);
        std::vector<std::int64_t> classes(rows.n);
        Draws draws(seed + 100);
        for (std::size_t i = 0; i < rows.n; ++i) {
            classes[i] = rows.row(i)[0] + 0.5 * draws.uniform() > 0.25 ? 1 : 0;
        }
        std::vector<std::int64_t> order(rows.n);
        std::iota(order.begin(), order.end(), 0);
        const auto kept = condense(rows.values.data(), rows.n, 3, classes.data(), order.data(), false);
        CHECK(kept.size() > 1 && kept.size() < rows.n);
        CHECK(kept[0] == 0);
        const auto once = condense(rows.values.data(), rows.n, 3, classes.data(), order.data(), true);
        CHECK(once.size() <= kept.size());
        CHECK(std::equal(once.begin(), once.end(), kept.begin()));  // the first pass is the same
        for (std::size_t i = 0; i < rows.n; ++i) {
            Neighbor best{1e300, -1};
            for (const std::int64_t row : kept) {
                const Neighbor candidate{
                    reference_distance(Norm::euclidean, 2.0, rows.row(static_cast<std::size_t>(row)),
                                       rows.row(i), 3),
                    row};
                if (candidate < best) best = candidate;
            }
            CHECK(classes[static_cast<std::size_t>(best.row)] == classes[i]);
        }
    }
});

CASE("one class keeps its first row, no rows keep none, a check may stop it", {
    const Points rows = draw_points(50, 2, 1);
    const std::vector<std::int64_t> classes(50, 3);
    std::vector<std::int64_t> order(50);
    std::iota(order.rbegin(), order.rend(), 0);
    const auto kept = condense(rows.values.data(), 50, 2, classes.data(), order.data(), false);
    CHECK(kept.size() == 1 && kept[0] == 49);
    CHECK(condense(rows.values.data(), 0, 2, classes.data(), order.data(), false).empty());
    bool stopped = false;
    try {
        condense(rows.values.data(), 50, 2, classes.data(), order.data(), false,
                 [] { throw std::runtime_error("stop"); });
    } catch (const std::runtime_error&) {
        stopped = true;
    }
    CHECK(stopped);
});

CHECK_MAIN()
