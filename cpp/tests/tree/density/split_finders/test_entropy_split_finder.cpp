#include <cmath>
#include <numbers>
#include <vector>

#include "tests/check.hpp"
#include "tests/tree/density/split_finders/scan_all.hpp"
#include "tests/tree/density/split_finders/whole_node.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/make_candidates.hpp"
#include "tree/density/split_finders/entropy_split_finder.hpp"

using boxwood::CandidateSplits;
using boxwood::Draws;
using boxwood::EntropySplitFinder;
using boxwood::GrowBox;

namespace {

// ½·log det(2πe·Σ) of two columns, the floor of 1e-4/12 added to the variances.
double reference_entropy(const boxwood::BinnedRows& data, const std::vector<std::size_t>& rows) {
    double n = 0.0;
    double mean[2] = {0.0, 0.0};
    for (std::size_t row : rows) {
        n += data.weight(row);
        for (std::size_t j : {0u, 1u}) mean[j] += data.weight(row) * data.place(row, j);
    }
    if (n == 0.0) return 0.0;
    double covariance[2][2] = {{1e-4 / 12.0, 0.0}, {0.0, 1e-4 / 12.0}};
    for (std::size_t row : rows) {
        for (std::size_t j : {0u, 1u}) {
            for (std::size_t k : {0u, 1u}) {
                covariance[j][k] += data.weight(row) / n * (data.place(row, j) - mean[j] / n) *
                                    (data.place(row, k) - mean[k] / n);
            }
        }
    }
    const double det = covariance[0][0] * covariance[1][1] - covariance[0][1] * covariance[1][0];
    return 0.5 * std::log(det) + std::log(2.0 * std::numbers::pi * std::numbers::e);
}

}  // namespace

CASE("gains are differences of entropies", {
    for (bool exact : {false, true}) {
        const SmallTable table(60, 2, 0, 11, exact, 20);
        const auto data = table.data();
        const auto rows = table.all_rows();
        const GrowBox box = GrowBox::whole(data);
        EntropySplitFinder finder(data);
        const WholeNode whole(table, data);
        finder.begin_node(whole.context());
        for (std::size_t j : {0u, 1u}) {
            CandidateSplits candidates;
            Draws draws(1);
            if (exact) {
                boxwood::candidates_of_points(data, box, {}, j, rows, candidates);
            } else {
                boxwood::candidates_of_bins(data, box, {}, j, table.column(j), draws, candidates);
            }
            const Reported reported = scan_all(finder, candidates);
            for (std::size_t c = 1; c < candidates.n_groups; ++c) {
                std::vector<std::size_t> node;
                std::vector<std::size_t> left;
                std::vector<std::size_t> right;
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    node.push_back(i);
                    (candidates.group[i] < c ? left : right).push_back(i);
                }
                const double fraction = reported.left[c] / finder.node_weight();
                const double expected = reference_entropy(data, node) -
                                        fraction * reference_entropy(data, left) -
                                        (1.0 - fraction) * reference_entropy(data, right);
                CHECK(std::abs(reported.gain[c] - expected) < 1e-7);
            }
        }
    }
});

CASE("rows in one point have an entropy", {
    SmallTable table(10, 2, 0, 1, true);
    for (double& point : table.points) point = 0.25;
    const auto data = table.data();
    const auto rows = table.all_rows();
    EntropySplitFinder finder(data);
    const WholeNode whole(table, data);
    finder.begin_node(whole.context());
    CandidateSplits candidates;
    boxwood::candidates_of_points(data, GrowBox::whole(data), {}, 0, rows, candidates);
    const Reported reported = scan_all(finder, candidates);
    for (std::size_t c = 1; c < candidates.n_groups; ++c) CHECK(std::abs(reported.gain[c]) < 1e-9);
});

CHECK_MAIN()
