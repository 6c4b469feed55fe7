#include <cmath>
#include <set>

#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/make_candidates.hpp"

using boxwood::Cuts;
using boxwood::Draws;
using boxwood::GrowBox;

namespace {

std::uint32_t ceil_divide(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>((a + b - 1) / b);
}

}  // namespace

CASE("even cuts: bin c holds the cells from ⌈c·width/n⌉ on, for any width", {
    for (std::uint32_t width : {2u, 3u, 5u, 16u, 100u, 1000u, 65535u}) {
        SmallTable table(width, 1, 0, 1, false, width);
        for (std::uint32_t i = 0; i < width; ++i) table.cells[i] = static_cast<std::uint16_t>(i);
        const auto rows = table.all_rows();
        for (std::size_t most : {2u, 3u, 7u, 32u, 1024u}) {
            boxwood::GrowOptions options;
            options.max_candidates = most;
            Cuts cuts;
            Draws draws(1);
            boxwood::cut_cells(table.data(), GrowBox::whole(table.data()), options, 0, table.column(0), draws,
                               cuts);
            const std::size_t n = std::min<std::size_t>(most, width);
            CHECK(cuts.n_bins == n);
            bool good = true;
            for (std::uint32_t i = 0; i < width; ++i)
                good = good && cuts.bin[i] == std::uint64_t{i} * n / width;
            for (std::size_t c = 1; c < n; ++c) {
                good = good && cuts.cut_cell[c] == ceil_divide(c * width, n);
                good = good && std::abs(cuts.share[c] - table.columns[0].u[cuts.cut_cell[c]]) < 1e-15;
            }
            CHECK(good);
        }
    }
});

CASE("cuts of a part of the cells", {
    SmallTable table(20, 1, 0, 1, false, 40);
    for (std::uint32_t i = 0; i < 20; ++i) table.cells[i] = static_cast<std::uint16_t>(10 + i);
    GrowBox box = GrowBox::whole(table.data());
    box.ranges[0].low = 10;
    box.ranges[0].high = 30;
    boxwood::GrowOptions options;
    options.max_candidates = 5;
    Cuts cuts;
    Draws draws(1);
    boxwood::cut_cells(table.data(), box, options, 0, table.column(0), draws, cuts);
    const auto& u = table.columns[0].u;
    for (std::size_t c = 1; c < 5; ++c) {
        CHECK(cuts.cut_cell[c] == 10 + 4 * c);
        CHECK(std::abs(cuts.share[c] - (u[10 + 4 * c] - u[10]) / (u[30] - u[10])) < 1e-15);
    }
});

CASE("random cuts lie inside the box, and differ from draw to draw", {
    const SmallTable table(50, 1, 0, 1, false, 30);
    boxwood::GrowOptions options;
    options.random_splits = 3;
    std::set<std::vector<std::uint32_t>> seen;
    for (std::uint64_t key = 0; key < 50; ++key) {
        Draws draws(key);
        Cuts cuts;
        boxwood::cut_cells(table.data(), GrowBox::whole(table.data()), options, 0, table.column(0), draws,
                           cuts);
        for (std::size_t c = 1; c < cuts.n_bins; ++c) {
            CHECK(cuts.cut_cell[c] >= 1 && cuts.cut_cell[c] <= 29);
            CHECK(c == 1 || cuts.cut_cell[c] > cuts.cut_cell[c - 1]);
        }
        seen.insert(cuts.cut_cell);
    }
    CHECK(seen.size() > 30);
});

CASE("points: middles of neighbours, and between the outermost and the edges", {
    SmallTable table(4, 1, 0, 1, true);
    table.points = {0.6, 0.2, 0.6, 0.4};
    Cuts cuts;
    boxwood::cut_points(table.data(), GrowBox::whole(table.data()), 0, table.all_rows(), cuts);
    CHECK(cuts.n_bins == 5);
    const std::vector<double> expected = {0.0, 0.1, 0.3, 0.5, 0.8};
    for (std::size_t c = 1; c < 5; ++c) CHECK(std::abs(cuts.cut_point[c] - expected[c]) < 1e-15);
    CHECK(cuts.bin == (std::vector<std::uint32_t>{3, 1, 3, 2}));
});

CASE("points that no double lies between share a bin; those on the edges have no margin", {
    SmallTable table(4, 1, 0, 1, true);
    table.points = {0.0, 1.0, 0.5, std::nextafter(0.5, 0.0)};
    Cuts cuts;
    boxwood::cut_points(table.data(), GrowBox::whole(table.data()), 0, table.all_rows(), cuts);
    for (std::size_t c = 1; c < cuts.n_bins; ++c) {
        CHECK(cuts.share[c] > 0.0 && cuts.share[c] < 1.0);
        for (std::size_t row = 0; row < 4; ++row) {
            CHECK((table.points[row] < cuts.cut_point[c]) == (cuts.bin[row] < c));
        }
    }
    CHECK(cuts.n_bins <= 4);
});

CASE("a node without rows can be cut in its middle alone", {
    const SmallTable table(4, 1, 0, 1, true);
    Cuts cuts;
    boxwood::cut_points(table.data(), GrowBox::whole(table.data()), 0, {}, cuts);
    CHECK(cuts.n_bins == 2 && cuts.cut_point[1] == 0.5);
});

CASE("categories: shares are those of the cells in front", {
    const SmallTable table(60, 0, 1, 1);
    Cuts cuts;
    std::vector<double> widths;
    GrowBox box = GrowBox::whole(table.data());
    boxwood::cut_categories(table.data(), box, 0, table.column(0), cuts, widths);
    const std::vector<double> keys = {5.0, 4.0, 3.0, 2.0, 1.0};
    boxwood::order_categories(keys, widths, cuts);
    double left = 0.0;
    for (std::size_t c = 1; c < 5; ++c) {
        const std::uint32_t cell = cuts.cell_order[c - 1];
        CHECK(cell == 5 - c);
        left += table.columns[0].u[cell + 1] - table.columns[0].u[cell];
        CHECK(std::abs(cuts.share[c] - left) < 1e-15);
    }
    for (std::size_t i = 0; i < 60; ++i) CHECK(cuts.bin[i] == 4u - table.cells[i]);
});

CHECK_MAIN()
