#include "query/leaf_weights.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "query/leaf_event.hpp"

namespace boxwood {

double LeafWeights::total() const { return std::accumulate(weight.begin(), weight.end(), 0.0); }

void check_box(const LeafTable& leaves, const QueryBox& box) {
    if (!(box.factor >= 0.0 && box.factor < std::numeric_limits<double>::infinity()))
        throw std::invalid_argument("a box has a finite factor");
    if (box.columns.size() != box.events.size()) throw std::invalid_argument("a box has an event a column");
    for (std::size_t k = 0; k < box.columns.size(); ++k) {
        if (box.columns[k] >= leaves.n_columns()) throw std::invalid_argument("there is no such column");
        if (box.events[k]->cover().size() != leaves.column(box.columns[k]).n_bins())
            throw std::invalid_argument("an event is about another column's bins");
    }
}

namespace {

void keep(LeafWeights& kept, std::size_t& n, std::uint32_t leaf, double weight) {
    kept.leaf[n] = leaf;
    kept.weight[n] = weight;
    n += weight > 0.0 ? 1 : 0;
}

bool is_sure(const CubeEvent& event, const ColumnLeaves& column) {
    return !event.is_point() && event.low().size() == 1 && event.low()[0] <= 0.0 && event.high()[0] >= 1.0 &&
           column.n_bins() > 0;
}

void multiply(LeafWeights& kept, const ColumnLeaves& column, const CubeEvent& event) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < kept.leaf.size(); ++i) {
        const std::uint32_t leaf = kept.leaf[i];
        keep(kept, n, leaf, kept.weight[i] * probability_of(column, leaf, event));
    }
    kept.leaf.resize(n);
    kept.weight.resize(n);
}

void multiply_rule(LeafWeights& kept, const LeafTable& leaves, const RuleEvent& rule) {
    std::size_t n = 0;
    RuleTerms terms(leaves, rule);
    for (std::size_t i = 0; i < kept.leaf.size(); ++i)
        keep(kept, n, kept.leaf[i], kept.weight[i] * terms.factor(kept.leaf[i]));
    kept.leaf.resize(n);
    kept.weight.resize(n);
}

}  // namespace

LeafWeights weigh_leaves(const LeafTable& leaves, const QueryBox& box) {
    LeafWeights kept;
    kept.leaf.resize(leaves.n_leaves());
    kept.weight.resize(leaves.n_leaves());
    std::size_t n = 0;
    for (std::size_t leaf = 0; leaf < leaves.n_leaves(); ++leaf)
        keep(kept, n, static_cast<std::uint32_t>(leaf), box.factor * leaves.mass()[leaf]);
    kept.leaf.resize(n);
    kept.weight.resize(n);
    std::vector<std::size_t> order(box.columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return box.events[a]->below().back() < box.events[b]->below().back();
    });
    for (std::size_t k : order) {
        const ColumnLeaves& column = leaves.column(box.columns[k]);
        if (!is_sure(*box.events[k], column)) multiply(kept, column, *box.events[k]);
    }
    for (const RulePointer& rule : box.kept_rules) {
        const std::vector<double>& factors = rule->factors(leaves);
        for (std::size_t i = 0; i < kept.leaf.size(); ++i) kept.weight[i] *= factors[kept.leaf[i]];
    }
    for (const RulePointer& rule : box.rules) multiply_rule(kept, leaves, *rule);
    return kept;
}

}  // namespace boxwood
