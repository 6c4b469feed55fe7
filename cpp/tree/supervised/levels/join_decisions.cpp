#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tree/levels/joiner.hpp"
#include "tree/supervised/impurity/class_responses.hpp"
#include "tree/supervised/impurity/with_impurity.hpp"
#include "tree/supervised/levels/decision_level_growth.hpp"

namespace boxwood {

namespace {

using Place = Joiner<DecisionSubtree>::Place;

// A set as it stands: the number of its words comes first.
void copy_set(const std::vector<std::uint32_t>& from, TreeNode& node, std::vector<std::uint32_t>& to) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(node.threshold);
    node.threshold = static_cast<std::uint32_t>(to.size());
    to.insert(to.end(), first, first + 1 + static_cast<std::ptrdiff_t>(*first >> 1));
}

}  // namespace

SupervisedTree DecisionLevelGrowth::join(const DecisionLevelTree& tree,
                                         std::span<const DecisionSubtree* const> subtrees) const {
    if (!tree.open.empty()) throw std::invalid_argument("the tree has open nodes");
    const std::size_t n_classes = this->n_classes();
    // What the nodes of the upper part predict.
    std::vector<double> response = tree.counts;
    const std::vector<double> impurity =
        with_class_impurity(options_.impurity, columns_.targets,
                            [&]<class Sum>() { return class_impurities<Sum>(response, columns_.targets); });
    const auto is_monotone = [](const CodeColumn& column) { return column.monotone != 0; };
    if (n_classes == 2 && std::any_of(columns_.columns.begin(), columns_.columns.end(), is_monotone)) {
        for (std::size_t i = 0; i < tree.tree.nodes.size(); ++i)
            bound_classes(tree.bounds[i], tree.tree.nodes[i].count, response.data() + 2 * i);
    }
    SupervisedTree whole;
    Joiner<DecisionSubtree> joiner(tree.tree, subtrees);
    joiner.join(whole.tree, [&](const Place& place, TreeNode& node) {
        if (!columns_.columns[static_cast<std::size_t>(node.feature)].categorical) return;
        copy_set(place.below == nullptr ? tree.sets : place.below->leaves.sets, node, whole.leaves.sets);
    });
    for (const Place& place : joiner.sources()) {
        const Responses* below = place.below == nullptr ? nullptr : &place.below->leaves;
        const std::vector<double>& from = below == nullptr ? response : below->response;
        const auto first = from.begin() + static_cast<std::ptrdiff_t>(place.node * n_classes);
        whole.leaves.response.insert(whole.leaves.response.end(), first,
                                     first + static_cast<std::ptrdiff_t>(n_classes));
        whole.leaves.impurity.push_back((below == nullptr ? impurity : below->impurity)[place.node]);
        whole.leaves.missing_left.push_back(
            (below == nullptr ? tree.missing_left : below->missing_left)[place.node]);
    }
    return whole;
}

}  // namespace boxwood
