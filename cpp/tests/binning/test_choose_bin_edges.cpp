#include <cmath>

#include "binning/choose_bin_edges.hpp"
#include "tests/check.hpp"
#include "tests/margins/small_table.hpp"

using namespace boxwood;

namespace {

struct Binned {
    Margins margins;
    std::vector<double> points;
    std::vector<BinEdges> columns;
};

Binned binned(const MarginTable& table, MarginKind kind, std::size_t n_threads = 1) {
    Binned out{table.margins(kind), std::vector<double>(3 * table.numbers.size()), {}};
    out.margins.encode(table.view(), out.points.data(), n_threads);
    out.columns =
        choose_bin_edges(out.margins, out.points.data(), table.numbers.size(), nullptr, kind, n_threads);
    return out;
}

}  // namespace

CASE("bin edges ascend from 0 to 1, fit their columns and do not hang on threads", {
    const MarginTable table(5000);
    for (MarginKind kind : {MarginKind::smooth, MarginKind::linear}) {
        const Binned one = binned(table, kind);
        const Binned two = binned(table, kind, 2);
        for (std::size_t j = 0; j < 3; ++j) {
            check_bin_edges(one.columns[j]);
            CHECK(one.columns[j].n_bins() <= 1024 && one.columns[j].u == two.columns[j].u);
            CHECK(one.columns[j].categorical == (j == 2));
            CHECK(bin_edges_fit(one.margins.columns()[j], one.columns[j]));
        }
        CHECK(one.columns[0].n_bins() > 800);
        CHECK(!bin_edges_fit(one.margins.columns()[2], one.columns[0]));
        CHECK(!bin_edges_fit(one.margins.columns()[0], one.columns[2]));
    }
});

CASE("an edge inside an integer's or beyond all numbers does not fit", {
    const Binned rows = binned(MarginTable(300), MarginKind::smooth);
    const auto& integer = std::get<NumberMargin>(rows.margins.columns()[1]);
    const double inside = integer.cdf.below(0.2);
    CHECK(!bin_edges_fit(rows.margins.columns()[1], {{0.0, inside, 1.0}, false}));
    const auto& number = std::get<NumberMargin>(rows.margins.columns()[0]);
    CHECK(bin_edges_fit(rows.margins.columns()[0], {{0.0, number.cdf.total(), 1.0}, false}));
    CHECK(!bin_edges_fit(rows.margins.columns()[0], {{0.0, number.cdf.total() + 1e-3, 1.0}, false}));
});

CASE("bins of all columns are those of one after another", {
    const MarginTable table(3000);
    Binned rows = binned(table, MarginKind::linear);
    for (std::size_t n_threads : {std::size_t{1}, std::size_t{3}}) {
        const auto bins = find_bins(rows.columns, rows.points.data(), 3000, n_threads);
        for (std::size_t i = 0; i < bins.size(); ++i)
            CHECK(bins[i] == rows.columns[i % 3].bin_of(rows.points[i]));
    }
    join_ordered_bins(rows.columns);
    CHECK(rows.columns[0].n_bins() == 1 && rows.columns[1].n_bins() == 1 && rows.columns[2].n_bins() > 1);
});

CHECK_MAIN()
