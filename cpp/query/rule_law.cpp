#include "query/rule_law.hpp"

#include <cstdint>
#include <stdexcept>

#include "query/density_sum.hpp"
#include "query/leaf_event.hpp"

namespace boxwood {

namespace {

const RuleEvent& rule_of(const QueryBox& box, std::size_t column) {
    const RuleEvent* rule = box.rule_of(column);
    if (rule == nullptr) throw std::invalid_argument("the column follows no rule and no other from it");
    return *rule;
}

// How much of a leaf's weight has a value of a ruled column, or a gap, where none follows from the root.
struct Open {
    double present = 0.0;
    double gaps = 0.0;
};

Open open_of(RuleTerms& terms, const RuleEvent& rule, std::size_t k, std::size_t leaf) {
    Open open;
    const RuledPart& part = rule.parts()[k];
    const auto is_open = [&](std::uint32_t e) { return rule.bin_of(k, e) == RuleEvent::no_bin; };
    terms.for_each_term(leaf, k, is_open, [&](std::uint32_t e, double term) {
        const bool asked = rule.asks_presence(k, e);
        open.present += term * (asked ? 1.0 - part.exception_rate : 1.0);
        open.gaps += term * (asked ? part.exception_rate * part.gap_ratio[e] : 1.0);
    });
    return open;
}

void find_terms(const BoxGroups& groups, std::size_t i, const RuleEvent& rule, CommonTerms& common) {
    const LeafWeights& weights = groups.weights[i];
    const std::size_t n_entries = rule.component().n_entries();
    common.entries.resize(groups.n_groups * n_entries, 0.0);
    double* entries = common.entries.data() + groups.group_of_box[i] * n_entries;
    std::vector<double>& rest = common.rest[i];
    std::vector<double>& others = common.others[i];
    rest.resize(weights.leaf.size());
    others.assign(weights.leaf.size(), 0.0);
    RuleTerms terms(groups.leaves, rule);
    std::vector<std::pair<std::uint32_t, double>> found;  // the terms of a leaf
    for (std::size_t l = 0; l < weights.leaf.size(); ++l) {
        double factor = 0.0;
        found.clear();
        terms.for_each_term(weights.leaf[l], rule.component().columns.size(),
                            [&](std::uint32_t e, double term) {
                                factor += term;
                                found.emplace_back(e, term);
                            });
        rest[l] = weights.weight[l] / factor;
        for (const auto& [e, term] : found) entries[e] += rest[l] * term;
        // What is no entry stands last.
        if (!found.empty() && found.back().first == rule.component().other()) others[l] = found.back().second;
    }
}

}  // namespace

CommonTerms common_terms(const BoxGroups& groups, std::size_t column) {
    CommonTerms common;
    common.rest.resize(groups.boxes.size());
    common.others.resize(groups.boxes.size());
    for (std::size_t i = 0; i < groups.boxes.size(); ++i)
        find_terms(groups, i, rule_of(groups.boxes[i], column), common);
    return common;
}

RuleLaw rule_law(const BoxGroups& groups, std::size_t column, const CommonTerms& common) {
    const ColumnLeaves& pieces = groups.leaves.column(column);
    std::vector<DensitySum> of_present(groups.n_groups, DensitySum(pieces));
    std::vector<DensitySum> of_gaps(groups.n_groups, DensitySum(pieces));
    for (std::size_t i = 0; i < groups.boxes.size(); ++i) {
        const RuleEvent& rule = rule_of(groups.boxes[i], column);
        const RuleComponent& component = rule.component();
        std::size_t k = 0;  // which ruled column; none for the root
        while (k < component.columns.size() && component.columns[k].column != column) ++k;
        const bool root = component.root == column;
        if (!root && !rule.has_open_entries(k)) continue;
        RuleTerms terms(groups.leaves, rule);
        const std::size_t group = groups.group_of_box[i];
        for (std::size_t l = 0; l < groups.weights[i].leaf.size(); ++l) {
            const std::size_t leaf = groups.weights[i].leaf[l];
            Open open;
            if (!root) {
                open = open_of(terms, rule, k, leaf);
            } else if (common.others[i][l] > 0.0) {
                open.present = common.others[i][l] / probability_of(pieces, leaf, rule.others());
            }
            if (open.present > 0.0) of_present[group].add(leaf, common.rest[i][l] * open.present);
            if (open.gaps > 0.0) of_gaps[group].add(leaf, common.rest[i][l] * open.gaps);
        }
    }
    return {common.entries, written_densities(of_present), written_densities(of_gaps)};
}

const CommonTerms& KeptCommonTerms::of(const BoxGroups& groups, std::size_t column) {
    if (groups.boxes.empty()) throw std::invalid_argument("evidence without a box");
    const std::lock_guard lock(mutex_);
    const Key key{rule_of(groups.boxes.front(), column).component().root, groups.group_of_box};
    const auto known = kept_.find(key);
    if (known != kept_.end()) return known->second;
    return kept_.emplace(key, common_terms(groups, column)).first->second;
}

void KeptCommonTerms::clear() {
    const std::lock_guard lock(mutex_);
    kept_.clear();
}

}  // namespace boxwood
