#include <cmath>
#include <vector>

#include "tests/check.hpp"
#include "tests/tree/density/split_finders/scan_all.hpp"
#include "tests/tree/density/split_finders/whole_node.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/make_candidates.hpp"
#include "tree/density/split_finders/product_split_finder.hpp"

using boxwood::CandidateSplits;
using boxwood::Draws;
using boxwood::GrowBox;
using boxwood::ProductSplitFinder;

namespace {

// Dirichlet–multinomial evidence of counts in four bins (fewer where there are fewer bins), prior ½.
double evidence(const std::vector<double>& counts) {
    double sum = 0.0;
    double n = 0.0;
    for (double count : counts) {
        sum += std::lgamma(count + 0.5) - std::lgamma(0.5);
        n += count;
    }
    const double a = 0.5 * static_cast<double>(counts.size());
    return sum + std::lgamma(a) - std::lgamma(n + a);
}

double reference_gain(const SmallTable& table, bool weighted, const CandidateSplits& candidates,
                      std::size_t c) {
    const auto data = table.data(weighted);
    const std::size_t d = table.columns.size();
    double n = 0.0;
    double n_left = 0.0;
    for (std::size_t i = 0; i < table.n_rows; ++i) {
        n += data.weight(i);
        n_left += candidates.group[i] < c ? data.weight(i) : 0.0;
    }
    double gain = 0.0;
    for (std::size_t j = 0; j < d; ++j) {
        if (j == candidates.feature) continue;
        const std::size_t n_bins = table.columns[j].n_bins();
        const std::size_t n_groups =
            table.exact && !table.columns[j].categorical ? 4 : std::min<std::size_t>(4, n_bins);
        std::vector<double> left(n_groups, 0.0);
        std::vector<double> right(n_groups, 0.0);
        std::vector<double> node(n_groups, 0.0);
        for (std::size_t i = 0; i < table.n_rows; ++i) {
            const std::size_t group = data.exact(j) ? static_cast<std::size_t>(data.place(i, j) * 4.0)
                                                    : data.bin(i, j) * n_groups / n_bins;
            (candidates.group[i] < c ? left : right)[group] += data.weight(i);
            node[group] += data.weight(i);
        }
        gain += evidence(left) + evidence(right) - evidence(node);
    }
    const auto part = [&](double k, double fraction) {
        return k > 0.0 ? k * std::log(k / (n * fraction)) : 0.0;
    };
    return gain + part(n_left, candidates.fraction[c]) + part(n - n_left, 1.0 - candidates.fraction[c]);
}

void check_scan(const SmallTable& table, bool weighted, std::size_t max_candidates = 1024) {
    const auto data = table.data(weighted);
    const auto rows = table.all_rows();
    const GrowBox box = GrowBox::whole(data);
    ProductSplitFinder finder(data);
    const WholeNode node(table, data);
    finder.begin_node(node.context());
    boxwood::GrowOptions options;
    options.max_candidates = max_candidates;
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
        CandidateSplits candidates;
        Draws draws(1);
        std::vector<double> widths;
        if (data.exact(j)) {
            boxwood::candidates_of_points(data, box, {}, j, rows, candidates);
        } else if (table.columns[j].categorical) {
            boxwood::candidates_of_categories(data, box, j, table.column(j), candidates, widths);
            const auto keys = finder.bin_keys(candidates, widths);
            for (double key : keys) CHECK(std::isfinite(key));
            boxwood::order_categories(keys, widths, candidates);
        } else {
            boxwood::candidates_of_bins(data, box, options, j, table.column(j), draws, candidates);
        }
        const Reported reported = scan_all(finder, candidates);
        double best = -INFINITY;
        double best_reported = -INFINITY;
        for (std::size_t c = 1; c < candidates.n_groups; ++c) {
            const double expected = reference_gain(table, weighted, candidates, c);
            best = std::max(best, expected);
            if (std::isnan(reported.gain[c])) continue;
            best_reported = std::max(best_reported, reported.gain[c]);
            CHECK(close(reported.gain[c], expected));
        }
        CHECK(close(best_reported, best));  // what was passed over is not better
    }
}

}  // namespace

CASE("small counts are moved row by row", {
    for (bool exact : {false, true}) {
        const SmallTable table(60, 3, 1, 5, exact, 64);
        check_scan(table, false);
        check_scan(table, true);
    }
});

CASE("every second row alone", {
    const SmallTable table(240, 3, 1, 5, false, 64);
    SmallTable half = table;
    half.n_rows = 120;
    for (std::size_t i = 0; i < half.n_rows; ++i) {
        for (std::size_t j = 0; j < table.columns.size(); ++j)
            half.bins[i * table.columns.size() + j] = table.bins[2 * i * table.columns.size() + j];
        half.weights[i] = table.weights[2 * i];
    }
    for (bool weighted : {false, true}) {
        const auto data = table.data(weighted);
        const auto half_data = half.data(weighted);
        const auto rows = table.all_rows();
        const auto half_rows = half.all_rows();
        const GrowBox box = GrowBox::whole(data);
        ProductSplitFinder all(data);
        ProductSplitFinder some(half_data);
        const WholeNode node(table, data);
        const WholeNode kept_half(half, half_data);
        all.begin_node(node.context(2));
        some.begin_node(kept_half.context());
        CHECK(all.node_weight() == some.node_weight());
        CandidateSplits candidates;
        Draws draws(1);
        boxwood::candidates_of_bins(half_data, box, {}, 0, half.column(0), draws, candidates);
        const Reported one = scan_all(all, candidates);
        const Reported other = scan_all(some, candidates);
        for (std::size_t c = 1; c < candidates.n_groups; ++c) {
            const bool both_passed = std::isnan(one.gain[c]) && std::isnan(other.gain[c]);
            CHECK(both_passed || (one.gain[c] == other.gain[c] && one.left[c] == other.left[c]));
        }
    }
});

CASE("many rows a bin are moved bin by bin", {
    const SmallTable table(2000, 3, 2, 6, false, 16);
    check_scan(table, false, 8);
    check_scan(table, true, 8);
});

CASE("weights that are no small counts", {
    SmallTable table(100, 2, 1, 7, false, 30);
    for (double& w : table.weights) w *= 0.25;
    check_scan(table, true);
    for (double& w : table.weights) w *= 100.0;
    check_scan(table, true);
});

CASE("columns of fewer bins than coarse bins", {
    for (std::size_t n_bins : {2u, 3u, 5u, 6u, 12u})
        check_scan(SmallTable(50, 3, 0, 8, false, n_bins), false);
});

CASE("counts beyond the tables of logarithms", {
    SmallTable table(300, 2, 0, 9, false, 8);
    for (double& w : table.weights) w = 50.0;
    check_scan(table, true);
    check_scan(SmallTable(20000, 2, 0, 9, false, 8), false);
});

CASE("the rising factorial", {
    const boxwood::LogRising rising(1.5);
    for (double n : {0.0, 0.5, 1.0, 7.0, 4095.0, 4096.0, 1e6, 2.25}) {
        CHECK(close(rising(n), std::lgamma(n + 1.5) - std::lgamma(1.5)));
    }
});

CHECK_MAIN()
