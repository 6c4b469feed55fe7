#include <cmath>
#include <set>

#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/make_candidates.hpp"

using boxwood::CandidateSplits;
using boxwood::Draws;
using boxwood::GrowBox;

namespace {

std::uint32_t ceil_divide(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>((a + b - 1) / b);
}

}  // namespace

CASE("even candidates: bin c holds the bins from ⌈c·width/n⌉ on, for any width", {
    for (std::uint32_t width : {2u, 3u, 5u, 16u, 100u, 1000u, 65535u}) {
        SmallTable table(width, 1, 0, 1, false, width);
        for (std::uint32_t i = 0; i < width; ++i) table.bins[i] = static_cast<std::uint16_t>(i);
        const auto rows = table.all_rows();
        for (std::size_t most : {2u, 3u, 7u, 32u, 1024u}) {
            boxwood::GrowOptions options;
            options.max_candidates = most;
            CandidateSplits candidates;
            Draws draws(1);
            boxwood::candidates_of_bins(table.data(), GrowBox::whole(table.data()), options, 0,
                                        table.column(0), draws, candidates);
            const std::size_t n = std::min<std::size_t>(most, width);
            CHECK(candidates.n_groups == n);
            bool good = true;
            for (std::uint32_t i = 0; i < width; ++i)
                good = good && candidates.group[i] == std::uint64_t{i} * n / width;
            for (std::size_t c = 1; c < n; ++c) {
                good = good && candidates.threshold_bin[c] == ceil_divide(c * width, n);
                good = good && std::abs(candidates.fraction[c] -
                                        table.columns[0].u[candidates.threshold_bin[c]]) < 1e-15;
            }
            CHECK(good);
        }
    }
});

CASE("candidates of a part of the bins", {
    SmallTable table(20, 1, 0, 1, false, 40);
    for (std::uint32_t i = 0; i < 20; ++i) table.bins[i] = static_cast<std::uint16_t>(10 + i);
    GrowBox box = GrowBox::whole(table.data());
    box.ranges[0].low = 10;
    box.ranges[0].high = 30;
    boxwood::GrowOptions options;
    options.max_candidates = 5;
    CandidateSplits candidates;
    Draws draws(1);
    boxwood::candidates_of_bins(table.data(), box, options, 0, table.column(0), draws, candidates);
    const auto& u = table.columns[0].u;
    for (std::size_t c = 1; c < 5; ++c) {
        CHECK(candidates.threshold_bin[c] == 10 + 4 * c);
        CHECK(std::abs(candidates.fraction[c] - (u[10 + 4 * c] - u[10]) / (u[30] - u[10])) < 1e-15);
    }
});

CASE("random candidates lie inside the box, and differ from draw to draw", {
    const SmallTable table(50, 1, 0, 1, false, 30);
    boxwood::GrowOptions options;
    options.random_splits = 3;
    std::set<std::vector<std::uint32_t>> seen;
    for (std::uint64_t key = 0; key < 50; ++key) {
        Draws draws(key);
        CandidateSplits candidates;
        boxwood::candidates_of_bins(table.data(), GrowBox::whole(table.data()), options, 0, table.column(0),
                                    draws, candidates);
        for (std::size_t c = 1; c < candidates.n_groups; ++c) {
            CHECK(candidates.threshold_bin[c] >= 1 && candidates.threshold_bin[c] <= 29);
            CHECK(c == 1 || candidates.threshold_bin[c] > candidates.threshold_bin[c - 1]);
        }
        seen.insert(candidates.threshold_bin);
    }
    CHECK(seen.size() > 30);
});

CASE("points: middles of neighbours, and between the outermost and the edges", {
    SmallTable table(4, 1, 0, 1, true);
    table.points = {0.6, 0.2, 0.6, 0.4};
    CandidateSplits candidates;
    boxwood::candidates_of_points(table.data(), GrowBox::whole(table.data()), {}, 0, table.all_rows(),
                                  candidates);
    CHECK(candidates.n_groups == 5);
    const std::vector<double> expected = {0.0, 0.1, 0.3, 0.5, 0.8};
    for (std::size_t c = 1; c < 5; ++c) CHECK(std::abs(candidates.threshold_point[c] - expected[c]) < 1e-15);
    CHECK(candidates.group == (std::vector<std::uint32_t>{3, 1, 3, 2}));
});

CASE("points that no double lies between share a bin; those on the edges have no margin", {
    SmallTable table(4, 1, 0, 1, true);
    table.points = {0.0, 1.0, 0.5, std::nextafter(0.5, 0.0)};
    CandidateSplits candidates;
    boxwood::candidates_of_points(table.data(), GrowBox::whole(table.data()), {}, 0, table.all_rows(),
                                  candidates);
    for (std::size_t c = 1; c < candidates.n_groups; ++c) {
        CHECK(candidates.fraction[c] > 0.0 && candidates.fraction[c] < 1.0);
        for (std::size_t row = 0; row < 4; ++row) {
            CHECK((table.points[row] < candidates.threshold_point[c]) == (candidates.group[row] < c));
        }
    }
    CHECK(candidates.n_groups <= 4);
});

CASE("a margin is cut off once where nothing else would end the cuts", {
    SmallTable table(2, 1, 0, 1, true);
    table.points = {0.25, 0.5};
    GrowBox box = GrowBox::whole(table.data());
    CandidateSplits candidates;
    const auto n_candidates = [&](double min_samples_leaf) {
        boxwood::GrowOptions options;
        options.min_samples_leaf = min_samples_leaf;
        boxwood::candidates_of_points(table.data(), box, options, 0, table.all_rows(), candidates);
        return candidates.n_groups - 1;
    };
    CHECK(n_candidates(0.0) == 3);
    box.cut_margin(0, true);
    CHECK(n_candidates(0.0) == 2 && candidates.threshold_point[1] == 0.375);
    CHECK(candidates.group == (std::vector<std::uint32_t>{0, 1}));
    CHECK(n_candidates(1.0) == 3);  // here five missing rows end them
    box.cut_margin(0, false);
    CHECK(n_candidates(0.0) == 1);
    box.open_margins();
    CHECK(n_candidates(0.0) == 3);
    table.points = {0.25, 0.25};
    box.cut_margin(0, false);
    CHECK(n_candidates(0.0) == 1 && n_candidates(1.0) == 1);  // the rest of the margin gains the same again
});

CASE("the upper end of a box is no threshold", {
    SmallTable table(1, 1, 0, 1, true);
    GrowBox box = GrowBox::whole(table.data());
    // The middle of two neighbouring doubles is the even one of them.
    const double high = 0.75;
    table.points = {std::nextafter(high, 0.0)};
    box.ranges[0].high_point = high;
    CandidateSplits candidates;
    boxwood::candidates_of_points(table.data(), box, {}, 0, table.all_rows(), candidates);
    CHECK(candidates.n_groups == 2 && candidates.threshold_point[1] < 0.5);
});

CASE("a node without rows can be split in its middle alone", {
    const SmallTable table(4, 1, 0, 1, true);
    CandidateSplits candidates;
    boxwood::candidates_of_points(table.data(), GrowBox::whole(table.data()), {}, 0, {}, candidates);
    CHECK(candidates.n_groups == 2 && candidates.threshold_point[1] == 0.5);
});

CASE("categories: fractions are those of the bins in front", {
    const SmallTable table(60, 0, 1, 1);
    CandidateSplits candidates;
    std::vector<double> widths;
    GrowBox box = GrowBox::whole(table.data());
    boxwood::candidates_of_categories(table.data(), box, 0, table.column(0), candidates, widths);
    const std::vector<double> keys = {5.0, 4.0, 3.0, 2.0, 1.0};
    boxwood::order_categories(keys, widths, candidates);
    double left = 0.0;
    for (std::size_t c = 1; c < 5; ++c) {
        const std::uint32_t bin = candidates.bin_order[c - 1];
        CHECK(bin == 5 - c);
        left += table.columns[0].u[bin + 1] - table.columns[0].u[bin];
        CHECK(std::abs(candidates.fraction[c] - left) < 1e-15);
    }
    for (std::size_t i = 0; i < 60; ++i) CHECK(candidates.group[i] == 4u - table.bins[i]);
});

CHECK_MAIN()
