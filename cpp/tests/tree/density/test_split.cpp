#include <algorithm>

#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/make_candidates.hpp"
#include "tree/density/split.hpp"

using boxwood::CandidateSplits;
using boxwood::Draws;
using boxwood::GrowBox;
using boxwood::Split;

namespace {

// Rows go left exactly where their bin lies below the boundary.
void check_sides(const SmallTable& table, const CandidateSplits& candidates) {
    const auto data = table.data();
    for (std::size_t c = 1; c < candidates.n_groups; ++c) {
        Split split;
        CHECK(!split.found());
        boxwood::take_candidate(data, candidates, c, 1.5, 7.0, split);
        CHECK(split.found() && split.gain == 1.5 && split.left_weight == 7.0);
        CHECK(split.left_fraction == candidates.fraction[c] && split.feature == candidates.feature);
        for (std::size_t row = 0; row < table.n_rows; ++row) {
            CHECK(split.goes_left(data, row) == (candidates.group[row] < c));
        }
    }
}

}  // namespace

CASE("a split parts rows as its threshold does: bins", {
    const SmallTable table(200, 1, 0, 3);
    const auto rows = table.all_rows();
    CandidateSplits candidates;
    Draws draws(1);
    boxwood::GrowOptions options;
    for (std::size_t n : {2u, 5u, 7u, 16u, 100u}) {
        options.max_candidates = n;
        boxwood::candidates_of_bins(table.data(), GrowBox::whole(table.data()), options, 0, table.column(0),
                                    draws, candidates);
        CHECK(candidates.n_groups == std::min<std::size_t>(n, 16));
        check_sides(table, candidates);
    }
    options.random_splits = 4;
    boxwood::candidates_of_bins(table.data(), GrowBox::whole(table.data()), options, 0, table.column(0),
                                draws, candidates);
    CHECK(candidates.n_groups >= 2 && candidates.n_groups <= 5);
    check_sides(table, candidates);
});

CASE("a split parts rows as its threshold does: points", {
    SmallTable table(200, 1, 0, 3, true);
    for (std::size_t i = 0; i < 100; ++i) table.points[i] = table.points[i + 100];
    CandidateSplits candidates;
    boxwood::candidates_of_points(table.data(), GrowBox::whole(table.data()), {}, 0, table.all_rows(),
                                  candidates);
    CHECK(candidates.n_groups == 102);  // 100 distinct points, 99 gaps and two margins
    check_sides(table, candidates);
});

CASE("a split parts rows as its threshold does: categories", {
    const SmallTable table(200, 0, 1, 3);
    CandidateSplits candidates;
    std::vector<double> widths;
    boxwood::candidates_of_categories(table.data(), GrowBox::whole(table.data()), 0, table.column(0),
                                      candidates, widths);
    boxwood::order_categories(std::vector<double>{3.0, 1.0, 2.0, 0.0, 2.0}, widths, candidates);
    CHECK(candidates.bin_order == (std::vector<std::uint32_t>{3, 1, 2, 4, 0}));
    check_sides(table, candidates);
});

CHECK_MAIN()
