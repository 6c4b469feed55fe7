// Mixtures of random trees with random histograms, and what their leaves say bin by bin.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "mixture/mixture.hpp"
#include "query/leaf_weights.hpp"

// An ordered column of a few bins, one of many, a categorical one, and another ordered one.
inline std::vector<boxwood::BinEdges> query_columns() {
    std::vector<boxwood::BinEdges> columns(4);
    const std::size_t n_bins[] = {9, 200, 6, 16};
    for (std::size_t j = 0; j < columns.size(); ++j) {
        for (std::size_t i = 0; i <= n_bins[j]; ++i) {
            const double part = static_cast<double>(i) / static_cast<double>(n_bins[j]);
            columns[j].u.push_back(j == 0 ? part * part : part);
        }
    }
    columns[2].categorical = true;
    return columns;
}

struct OpenNode {
    std::size_t at;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> range;
    std::uint64_t members;
};

inline boxwood::Tree random_tree(const std::vector<boxwood::BinEdges>& columns, boxwood::Draws& draws,
                                 std::size_t n_leaves) {
    boxwood::Tree tree;
    tree.words_per_set = 1;
    tree.nodes.push_back({});
    std::vector<OpenNode> open(1);
    for (const auto& column : columns)
        open[0].range.emplace_back(0u, static_cast<std::uint32_t>(column.n_bins()));
    open[0].members = (std::uint64_t{1} << columns[2].n_bins()) - 1;
    const auto below = [&](std::size_t n) {
        return static_cast<std::size_t>(draws.uniform() * static_cast<double>(n));
    };
    for (std::size_t tries = 0; open.size() < n_leaves && tries < 100 * n_leaves; ++tries) {
        const std::size_t i = below(open.size());
        const std::size_t j = below(columns.size());
        OpenNode left = open[i];
        OpenNode right = open[i];
        boxwood::TreeNode node = tree.nodes[open[i].at];
        node.feature = static_cast<std::int32_t>(j);
        if (j == 2) {
            left.members &= static_cast<std::uint64_t>(draws.uniform() * 64.0);
            right.members &= ~left.members;
            if (left.members == 0 || right.members == 0) continue;
            node.threshold = static_cast<std::uint32_t>(tree.sets.size());
            tree.sets.push_back(left.members);
        } else {
            const auto [low, high] = open[i].range[j];
            if (high - low < 2) continue;
            node.threshold = low + 1 + static_cast<std::uint32_t>(below(high - low - 1));
            left.range[j].second = right.range[j].first = node.threshold;
        }
        node.left = static_cast<std::uint32_t>(tree.nodes.size());
        const double part = 0.1 + 0.8 * draws.uniform();
        left.at = node.left;
        right.at = node.left + 1;
        tree.nodes[open[i].at] = node;
        for (const double fraction : {part, 1.0 - part}) {
            boxwood::TreeNode child;
            child.mass = node.mass * fraction;
            child.count = 1000.0 * child.mass;
            tree.nodes.push_back(child);
        }
        open[i] = left;
        open.push_back(right);
    }
    if (tree.sets.empty()) tree.sets.push_back(1);
    boxwood::number_leaves(tree);
    return tree;
}

inline boxwood::Mixture random_mixture(std::uint64_t seed, bool histograms, std::size_t n_leaves = 90) {
    boxwood::Draws draws(seed);
    const auto columns = query_columns();
    std::vector<boxwood::MixtureTree> trees;
    for (std::size_t t = 0; t < 3; ++t) {
        boxwood::MixtureTree one{random_tree(columns, draws, n_leaves), boxwood::Leaves{}};
        if (histograms) {
            one.leaves.kind = boxwood::LeafKind::histogram;
            one.leaves.n_leaf_bins = 4;
            for (std::size_t i = 0; i < one.tree.n_leaves * columns.size(); ++i) {
                const auto highest = static_cast<std::size_t>(draws.uniform() * 4.0);
                for (std::size_t b = 0; b < 4; ++b)
                    one.leaves.quantised.push_back(
                        b == highest ? 255 : static_cast<std::uint8_t>(150.0 + 105.0 * draws.uniform()));
            }
        }
        trees.push_back(std::move(one));
    }
    return boxwood::Mixture(columns, std::move(trees), {0.5, 0.2, 0.3});
}

// An event of one interval, or of two.
inline boxwood::EventPointer random_event(const boxwood::BinEdges& edges, boxwood::Draws& draws) {
    std::vector<double> ends(draws.uniform() < 0.5 ? 2 : 4);
    for (double& end : ends) end = draws.uniform();
    std::sort(ends.begin(), ends.end());
    std::vector<double> low;
    std::vector<double> high;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
        low.push_back(ends[i]);
        high.push_back(ends[i + 1]);
    }
    return std::make_shared<boxwood::CubeEvent>(edges, low, high, draws.uniform() < 0.3 ? 0.01 : 0.0);
}

// The probability of an event in a leaf, bin by bin.
inline double slow_probability(const boxwood::ColumnLeaves& column, std::size_t leaf,
                               const boxwood::CubeEvent& event) {
    double sum = 0.0;
    for (std::uint32_t bin = 0; bin < column.n_bins(); ++bin)
        sum += boxwood::density_in_bin(column, leaf, bin) * event.cover()[bin];
    return sum;
}

inline double slow_probability(const boxwood::LeafTable& leaves, const boxwood::QueryBox& box) {
    double sum = 0.0;
    for (std::size_t leaf = 0; leaf < leaves.n_leaves(); ++leaf) {
        double product = box.factor * leaves.mass()[leaf];
        for (std::size_t k = 0; k < box.columns.size(); ++k)
            product *= slow_probability(leaves.column(box.columns[k]), leaf, *box.events[k]);
        sum += product;
    }
    return sum;
}

// Categories 1 and 3 of column 2: with the first, column 3 is at 0.3; with the other it must be below 0.75.
// All other categories ask nothing.
inline boxwood::RulePointer small_rule(const std::vector<boxwood::BinEdges>& columns) {
    const double nan = std::nan("");
    boxwood::RuleComponent component{
        2, {0.25, 0.55, nan}, {0.1, 0.12, 0.0}, {{3, {0.3, 0.0, nan}, {0.3, 0.75, nan}}}};
    const auto event = [&](std::size_t j, std::vector<double> low, std::vector<double> high) {
        return std::make_shared<const boxwood::CubeEvent>(columns[j], std::move(low), std::move(high), 0.0);
    };
    std::vector<boxwood::RuledPart> parts{
        {event(3, {0.0}, {0.75}), event(3, {0.75}, {1.0}), 0.01, {1.0, 0.4, 1.0}}};
    return std::make_shared<boxwood::RuleEvent>(columns, component, std::vector<double>{1.3, 0.9, 1.0},
                                                event(2, {0.0, 0.3, 0.67}, {0.2, 0.49, 1.0}),
                                                std::move(parts));
}

inline bool is_close(double a, double b) { return std::abs(a - b) <= 1e-11 * (1.0 + std::abs(b)); }
