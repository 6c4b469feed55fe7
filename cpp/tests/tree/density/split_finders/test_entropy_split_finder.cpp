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
        EntropySplitFinder finder(data, {});
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
                if (left.empty() || right.empty()) {
                    CHECK(std::isnan(reported.gain[c]));
                    continue;
                }
                // Of the boundaries through bins without rows the middle one is reported.
                if (!exact && std::isnan(reported.gain[c])) continue;
                const double fraction = reported.left[c] / finder.node_weight();
                const double expected = reference_entropy(data, node) -
                                        fraction * reference_entropy(data, left) -
                                        (1.0 - fraction) * reference_entropy(data, right);
                CHECK(std::abs(reported.gain[c] - expected) < 1e-7);
            }
        }
    }
});

CASE("rows in one point have no candidates", {
    SmallTable table(10, 2, 0, 1, true);
    for (double& point : table.points) point = 0.25;
    const auto data = table.data();
    const auto rows = table.all_rows();
    EntropySplitFinder finder(data, {});
    const WholeNode whole(table, data);
    finder.begin_node(whole.context());
    CandidateSplits candidates;
    boxwood::candidates_of_points(data, GrowBox::whole(data), {}, 0, rows, candidates);
    const Reported reported = scan_all(finder, candidates);
    for (std::size_t c = 1; c < candidates.n_groups; ++c) CHECK(std::isnan(reported.gain[c]));
});

namespace {

struct Best {
    double gain = -1e300;
    double place = 0.0;  // the threshold's bin or point
    double left = 0.0;
};

Best quick_best(const SmallTable& table, const boxwood::BinnedRows& data, const boxwood::GrowOptions& options,
                std::size_t j, double best = -1e300) {
    EntropySplitFinder finder(data, options);
    const WholeNode whole(table, data);
    finder.begin_node(whole.context());
    CandidateSplits candidates;
    CHECK(finder.find_candidates(whole.box, j, candidates));
    Best found{best};
    finder.scan_found(candidates, best, [&](std::size_t c, double left, double gain) {
        if (!(gain > found.gain)) return false;
        found = {gain, data.exact(j) ? candidates.threshold_point[c] : candidates.threshold_bin[c], left};
        return true;
    });
    return found;
}

// Every candidate by itself: its two sides are added up from their rows.
Best slow_best(const boxwood::BinnedRows& data, double least, std::size_t j) {
    std::vector<std::size_t> node(data.n_rows);
    for (std::size_t i = 0; i < node.size(); ++i) node[i] = i;
    const double whole = reference_entropy(data, node);
    const auto weight_of = [&](const std::vector<std::size_t>& rows) {
        double sum = 0.0;
        for (std::size_t row : rows) sum += data.weight(row);
        return sum;
    };
    Best found;
    for (std::size_t last : node) {
        std::vector<std::size_t> left;
        std::vector<std::size_t> right;
        for (std::size_t i : node) (data.place(i, j) <= data.place(last, j) ? left : right).push_back(i);
        const double below = weight_of(left);
        const double above = weight_of(right);
        if (left.empty() || right.empty() || below < least || above < least) continue;
        const double gain =
            whole - (below * reference_entropy(data, left) + above * reference_entropy(data, right)) /
                        (below + above);
        if (gain > found.gain) found = {gain, data.place(last, j), below};
    }
    return found;
}

}  // namespace

CASE("skipping candidates by bounds does not miss the best one", {
    for (bool exact : {false, true}) {
        for (std::size_t n : {3u, 12u, 33u, 90u, 400u, 700u}) {
            for (double least : {1.0, 40.0}) {
                const SmallTable table(n, 2, 0, n, exact, 256);
                const auto data = table.data();
                boxwood::GrowOptions options;
                options.min_samples_leaf = least;
                for (std::size_t j : {0u, 1u}) {
                    const Best quick = quick_best(table, data, options, j);
                    const Best slow = slow_best(data, least, j);
                    CHECK(std::abs(quick.gain - slow.gain) < 1e-9);
                    if (slow.gain > -1e300) CHECK(quick.left == slow.left);
                    // A better split of another column rules all of them out.
                    const Best none = quick_best(table, data, options, j, slow.gain + 1e-3);
                    CHECK(none.left == 0.0);
                }
            }
        }
    }
});

CASE("a table of groups and rows in their order have the same moments", {
    // 600 rows in 16 bins are added up bin by bin, the same rows in 512 bins one by one.
    SmallTable coarse(600, 2, 0, 7, false, 16);
    SmallTable fine(600, 2, 0, 7, false, 512);
    for (std::size_t j : {0u, 1u}) {
        boxwood::BinEdges edges{{0.0}, false};
        for (std::size_t k = 0; k < 16; ++k) {  // the same 16 places, and many bins between them
            const double low = coarse.columns[j].u[k];
            const double width = coarse.columns[j].u[k + 1] - low;
            for (double part : {0.25, 0.75, 1.0}) edges.u.push_back(low + part * width);
            for (std::size_t i = 0; i < 600; ++i) {
                if (coarse.bins[2 * i + j] == k) fine.bins[2 * i + j] = static_cast<std::uint16_t>(3 * k + 1);
            }
        }
        fine.columns[j] = edges;
    }
    for (std::size_t j : {0u, 1u}) {
        const Best a = quick_best(coarse, coarse.data(), {}, j);
        const Best b = quick_best(fine, fine.data(), {}, j);
        CHECK(std::abs(a.gain - b.gain) < 1e-12);
        CHECK(a.left == b.left);
    }
});

CHECK_MAIN()
