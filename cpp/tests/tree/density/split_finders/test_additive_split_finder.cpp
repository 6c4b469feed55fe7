#include <algorithm>

#include "tests/check.hpp"
#include "tests/tree/density/split_finders/scan_all.hpp"
#include "tests/tree/density/split_finders/whole_node.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/make_candidates.hpp"
#include "tree/density/split_finders/additive_split_finder.hpp"
#include "tree/density/split_finders/density_criteria.hpp"

using boxwood::AdditiveSplitFinder;
using boxwood::CandidateSplits;
using boxwood::Draws;
using boxwood::GrowBox;

CASE("candidates are reported with the weight and the gain of their left side", {
    const SmallTable table(80, 2, 0, 4);
    const auto data = table.data();
    const WholeNode node(table, data, 0.5);
    AdditiveSplitFinder<boxwood::SquaredErrorCriterion> finder(boxwood::SquaredErrorCriterion(data, 200.0),
                                                               true);
    finder.begin_node(node.context());
    double total = 0.0;
    for (double w : table.weights) total += w;
    CHECK(finder.node_weight() == total);
    CandidateSplits candidates;
    Draws draws(1);
    for (std::size_t j : {0u, 1u}) {
        boxwood::candidates_of_bins(data, GrowBox::whole(data), {}, j, table.column(j), draws, candidates);
        const Reported reported = scan_all(finder, candidates);
        const boxwood::SquaredErrorCriterion criterion(data, 200.0);
        std::size_t n_reported = 0;
        for (std::size_t c = 1; c < candidates.n_groups; ++c) {
            if (std::isnan(reported.gain[c])) continue;  // too near to rows
            ++n_reported;
            double left = 0.0;
            for (std::size_t i = 0; i < node.rows.size(); ++i)
                left += candidates.group[i] < c ? data.weight(i) : 0.0;
            CHECK(reported.left[c] == left);
            CHECK(reported.gain[c] == criterion.gain({total}, {left}, candidates.fraction[c], 0.5));
        }
        CHECK(n_reported >= candidates.n_groups / 2);
    }
});

CASE("thresholds inside an empty stretch are passed over, and none of them would be best", {
    const SmallTable table(12, 2, 0, 4);  // few rows in many bins
    const auto data = table.data();
    const WholeNode node(table, data);
    const boxwood::LogLikelihoodCriterion criterion(data, 200.0);
    AdditiveSplitFinder<boxwood::LogLikelihoodCriterion> every(criterion, true);
    AdditiveSplitFinder<boxwood::LogLikelihoodCriterion> some(criterion, false);
    CandidateSplits candidates;
    Draws draws(1);
    for (std::size_t j : {0u, 1u}) {
        boxwood::candidates_of_bins(data, GrowBox::whole(data), {}, j, table.column(j), draws, candidates);
        every.begin_node(node.context());
        some.begin_node(node.context());
        double best = -1e300;
        double best_of_some = -1e300;
        every.scan(candidates, best, [&](std::size_t, double, double gain) { best = std::max(best, gain); });
        some.scan(candidates, best_of_some,
                  [&](std::size_t, double, double gain) { best_of_some = std::max(best_of_some, gain); });
        CHECK(best == best_of_some);
    }
});

CASE("categories are keyed by their density", {
    const SmallTable table(80, 0, 1, 4);
    const auto data = table.data();
    const WholeNode node(table, data);
    AdditiveSplitFinder<boxwood::LogLikelihoodCriterion> finder(boxwood::LogLikelihoodCriterion(data, 200.0),
                                                                false);
    finder.begin_node(node.context());
    CandidateSplits candidates;
    std::vector<double> widths;
    boxwood::candidates_of_categories(data, GrowBox::whole(data), 0, table.column(0), candidates, widths);
    const auto keys = finder.bin_keys(candidates, widths);
    for (std::uint16_t bin = 0; bin < 5; ++bin) {
        double n = 0.0;
        for (std::size_t i = 0; i < 80; ++i) n += table.bins[i] == bin ? table.weights[i] : 0.0;
        CHECK(keys[bin] == n / widths[bin]);
    }
});

CHECK_MAIN()
