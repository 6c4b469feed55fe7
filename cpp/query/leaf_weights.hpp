// Which leaves a box of evidence leaves, and with which weight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "query/cube_event.hpp"
#include "query/leaf_table.hpp"
#include "query/rule_event.hpp"

namespace boxwood {

using EventPointer = std::shared_ptr<const CubeEvent>;

// An event a column, of the columns that it is about; and, where columns follow from others, what is asked of
// these together.
struct QueryBox {
    std::vector<std::size_t> columns;
    std::vector<EventPointer> events;
    std::vector<RulePointer> rules;
    std::vector<RulePointer> kept_rules;  // of which nothing is asked: their factors are kept
    double factor = 1.0;                  // what all weights are multiplied by

    const CubeEvent* event_of(std::size_t column) const {
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (columns[k] == column) return events[k].get();
        }
        return nullptr;
    }
    const RuleEvent* rule_of(std::size_t column) const {
        for (const auto* some : {&rules, &kept_rules}) {
            for (const RulePointer& rule : *some) {
                if (rule->has(column)) return rule.get();
            }
        }
        return nullptr;
    }
    // Whether something is asked of a component of rules.
    bool asks(const RuleEvent& component) const {
        for (const RulePointer& rule : rules) {
            if (rule->component().root == component.component().root) return true;
        }
        return false;
    }
};

// Leaves that a box meets, each with its mass times the probability of the box within it.
struct LeafWeights {
    std::vector<std::uint32_t> leaf;
    std::vector<double> weight;

    double total() const;
};

// Throws std::invalid_argument where a box does not fit the leaves.
void check_box(const LeafTable& leaves, const QueryBox& box);

// The columns' events, the narrowest first: leaves that one event excludes are not looked at for the next.
LeafWeights weigh_leaves(const LeafTable& leaves, const QueryBox& box);

// What is left of weighed leaves when `more` is asked of columns and rules that `before`, by which they were
// weighed, asks nothing of.
LeafWeights weigh_further(const LeafTable& leaves, const LeafWeights& weights, const QueryBox& before,
                          const QueryBox& more);

}  // namespace boxwood
