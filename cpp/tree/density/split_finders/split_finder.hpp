// What finds the best split of a density tree's node along a column.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "tree/density/candidate_splits.hpp"
#include "tree/density/node_context.hpp"

namespace boxwood {

// What split finders report: boundary, weight on the left, gain. Returns whether it is the best so far.
using ReportSplit = bool (*)(std::size_t boundary, double left_weight, double gain);

// `scan` reports the candidate splits that may gain more than `best`, and may report others.
template <class Finder>
concept SplitFinder =
    std::move_constructible<Finder> &&
    requires(Finder finder, const Finder& constant, NodeContext& node, const CandidateSplits& candidates,
             std::span<const double> widths, double best, ReportSplit report) {
        // Whether gains are per row of the node, not of the table.
        { Finder::per_node } -> std::convertible_to<bool>;
        // Whether an empty half says something, because gains depend on volumes.
        { Finder::sees_volume } -> std::convertible_to<bool>;
        finder.begin_node(node);
        // Of the rows that are looked at.
        { constant.node_weight() } -> std::same_as<double>;
        // Keys by which the bins of a categorical column are ordered.
        { finder.bin_keys(candidates, widths) } -> std::same_as<std::vector<double>>;
        finder.scan(candidates, best, report);
    };

// Has a quick way over the candidate splits of most columns, by counts of bins.
template <class Finder>
concept CountingSplitFinder =
    SplitFinder<Finder> &&
    requires(Finder finder, const Finder& constant, const GrowBox& box, std::size_t column,
             CandidateSplits& candidates, double best, ReportSplit report, const RowPartition& partition,
             const NodeCounts::Handle& counts) {
        { finder.find_candidates(box, column, candidates) } -> std::same_as<bool>;
        finder.scan_found(candidates, best, report);
        // Makes the counts of a node those of its larger half.
        constant.subtract(partition, std::size_t{}, std::size_t{}, column, counts);
    };

// Can choose the split of a large node by a part of its rows.
template <class Finder>
concept RowSkippingSplitFinder = SplitFinder<Finder> && requires(const Finder& constant) {
    { constant.may_skip_rows() } -> std::same_as<bool>;
};

}  // namespace boxwood
