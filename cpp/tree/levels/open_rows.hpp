// The rows of one part of a table in the open nodes of a tree, and what it tells of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tree/levels/upper_part.hpp"
#include "tree/row_sample.hpp"

namespace boxwood {

// In the order of the open nodes, and of the table within each.
struct OpenRows {
    std::vector<std::uint32_t> rows;
    std::vector<double> weights;       // empty: all 1
    std::vector<std::uint64_t> begin;  // of each open node, and the end of the last
};

// The same, kept elsewhere.
struct OpenRowsView {
    std::span<const std::uint32_t> rows;
    std::span<const double> weights;
    std::span<const std::uint64_t> begin;

    double weight(std::size_t i) const { return weights.empty() ? 1.0 : weights[i]; }
    // Throws std::invalid_argument unless there are so many nodes.
    void require_nodes(std::size_t n_nodes) const;
};

// The sample of a tree: all of it in the root.
OpenRows sample_part(const RowsToSample& part, const SampleOptions& options, std::size_t tree);

// Sums over the rows of each open node.
struct LevelCounts {
    std::vector<std::uint64_t> n_rows;
    std::vector<double> weight;
    std::vector<double> counts;  // in the bins of the node's histograms, or of its classes
    std::vector<double> most;    // maxima, not sums: of decisions, the codes that its rows have
};

// Rows by what they hold: of densities their bins, of decisions records and classes, two bytes a word.
struct TakenRows {
    std::vector<std::uint16_t> bins;
    std::vector<double> weights;  // empty: all 1
    std::vector<std::uint64_t> n_rows;
    std::vector<double> sums;  // of nodes that are split by sums, one node after another
};

// A step that stands for sums over all rows in the place of some rows.
inline constexpr std::uint64_t by_sums = ~std::uint64_t{0};

// Where a node's rows begin among those that a part has given.
std::uint64_t first_taken(const TakenRows& taken, std::size_t k);

// The rows of the level before, in the halves of its nodes; those of nodes that were not split are let go.
// goes_left(node, row)
template <class GoesLeft>
OpenRows route_open(const UpperPart& top, const OpenRowsView& open, GoesLeft&& goes_left) {
    open.require_nodes(top.previous.size());
    OpenRows found;
    found.begin.push_back(0);
    std::vector<std::uint8_t> left;
    for (std::size_t k = 0; k < top.previous.size(); ++k) {
        const TreeNode& node = top.tree.nodes[top.previous[k]];
        if (node.is_leaf()) continue;
        const std::size_t first = open.begin[k];
        left.resize(open.begin[k + 1] - first);
        std::size_t n_left = 0;
        for (std::size_t i = 0; i < left.size(); ++i)
            n_left += left[i] = goes_left(top.previous[k], open.rows[first + i]) ? 1 : 0;
        const std::size_t at = found.rows.size();
        found.rows.resize(at + left.size());
        if (!open.weights.empty()) found.weights.resize(at + left.size());
        std::size_t to[2] = {at + n_left, at};  // of the right half, and of the left one
        for (std::size_t i = 0; i < left.size(); ++i) {
            const std::size_t place = to[left[i]]++;
            found.rows[place] = open.rows[first + i];
            if (!open.weights.empty()) found.weights[place] = open.weights[first + i];
        }
        found.begin.push_back(at + n_left);
        found.begin.push_back(at + left.size());
    }
    return found;
}

// Calls take(i) for every `step`-th row of each open node from the first one on, and by_all(k) where sums are
// wanted; sets how many rows and which weights were taken.
template <class Take, class ByAll>
void take_open(const OpenRowsView& open, std::span<const std::uint64_t> step,
               std::span<const std::uint64_t> first, TakenRows& taken, Take&& take, ByAll&& by_all) {
    open.require_nodes(step.size());
    if (first.size() != step.size()) throw std::invalid_argument("one first row a node is needed");
    for (std::size_t k = 0; k < step.size(); ++k) {
        std::uint64_t n = 0;
        if (step[k] == by_sums) {
            by_all(k);
        } else if (step[k] > 0) {
            for (std::uint64_t i = open.begin[k] + first[k]; i < open.begin[k + 1]; i += step[k], ++n) {
                take(open.rows[i]);
                if (!open.weights.empty()) taken.weights.push_back(open.weights[i]);
            }
        }
        taken.n_rows.push_back(n);
    }
}

}  // namespace boxwood
