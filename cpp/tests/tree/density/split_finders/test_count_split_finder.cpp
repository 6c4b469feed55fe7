#include <algorithm>

#include "tests/check.hpp"
#include "tests/tree/density/split_finders/whole_node.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/make_candidates.hpp"
#include "tree/density/split_finders/count_split_finder.hpp"
#include "tree/density/split_finders/density_criteria.hpp"

using boxwood::AdditiveSplitFinder;
using boxwood::CandidateSplits;
using boxwood::CountSplitFinder;
using boxwood::GrowBox;
using boxwood::LogLikelihoodCriterion;
using boxwood::NodeCounts;

namespace {

struct Found {
    double gain = -1e300;
    double place = 0.0;  // the threshold's bin or point
};

template <class SplitFinder>
Found best_of(SplitFinder& finder, const GrowBox& box, std::size_t j, bool exact) {
    CandidateSplits candidates;
    Found found;
    CHECK(finder.find_candidates(box, j, candidates));
    finder.scan_found(candidates, -1e300, [&](std::size_t c, double, double gain) {
        if (gain > found.gain)
            found = {gain, exact ? candidates.threshold_point[c] : candidates.threshold_bin[c]};
    });
    return found;
}

// Every split of every column, one after another.
Found reference_best(const SmallTable& table, const boxwood::BinnedRows& data,
                     const boxwood::GrowOptions& options, const GrowBox& box,
                     std::span<const std::uint32_t> rows, std::size_t j, double total) {
    CandidateSplits candidates;
    boxwood::Draws draws(1);
    data.exact(j) ? boxwood::candidates_of_points(data, box, options, j, rows, candidates)
                  : boxwood::candidates_of_bins(data, box, options, j, table.column(j), draws, candidates);
    AdditiveSplitFinder<LogLikelihoodCriterion> finder(LogLikelihoodCriterion(data, total), true);
    const WholeNode node(table, data);
    finder.begin_node(node.context());
    const boxwood::EnoughRows enough(options.min_samples_leaf);
    Found found;
    finder.scan(candidates, found.gain, [&](std::size_t c, double left, double gain) {
        if (enough.allows(finder.node_weight(), left, candidates.fraction[c]) && gain > found.gain)
            found = {gain, data.exact(j) ? candidates.threshold_point[c] : candidates.threshold_bin[c]};
    });
    return found;
}

}  // namespace

CASE("the quick way finds the best split, whichever way it counts", {
    for (bool exact : {false, true}) {
        for (std::size_t n : {3u, 12u, 40u, 300u}) {
            for (double least : {0.0, 1.0, 4.0}) {
                const SmallTable table(n, 3, 0, n, exact, 64);
                const auto data = table.data();
                boxwood::GrowOptions options;
                options.min_samples_leaf = least;
                double total = 0.0;
                for (double w : table.weights) total += w;
                const GrowBox box = GrowBox::whole(data);
                const auto rows = table.all_rows();
                const WholeNode node(table, data);
                CountSplitFinder<LogLikelihoodCriterion> finder(data, options, total);
                boxwood::NodeContext context = node.context();
                finder.begin_node(context);
                for (std::size_t j = 0; j < 3; ++j) {
                    const Found quick = best_of(finder, box, j, exact);
                    const Found reference = reference_best(table, data, options, box, rows, j, total);
                    CHECK(std::abs(quick.gain - reference.gain) <=
                          1e-9 * std::max(1.0, std::abs(reference.gain)));
                }
            }
        }
    }
});

CASE("the larger half takes the counts over", {
    const SmallTable table(200, 3, 0, 9, false, 32);
    const auto data = table.data();
    auto rows = table.all_rows();
    boxwood::RowPartition partition;
    partition.start(data, rows, false);
    NodeCounts counts(data);
    GrowBox box = GrowBox::whole(data);
    const NodeCounts::Handle handle = counts.count(partition, 0, rows.size(), box);
    boxwood::Split split;
    split.feature = 1;
    split.threshold_bin = 5;
    const std::size_t middle = partition.partition(data, split, 0, rows.size(), rows);
    counts.subtract(partition, 0, middle, split.feature, handle);
    box.ranges[1].low = 5;
    NodeCounts::Handle anew = counts.count(partition, middle, rows.size() - middle, box);
    for (std::size_t j = 0; j < 3; ++j) {
        for (std::uint32_t bin = box.ranges[j].low; bin < box.ranges[j].high; ++bin)
            CHECK(counts.of(handle, j)[bin] == counts.of(anew, j)[bin]);
    }
    const auto* place = anew.get();
    anew.reset();
    CHECK(counts.count(partition, 0, 1, box).get() == place);  // what is let go is used again
});

CHECK_MAIN()
