#include "query/rows/entry_table.hpp"

#include <algorithm>
#include <map>

#include "query/leaf_event.hpp"

namespace boxwood {

namespace {

constexpr std::size_t most_terms = std::size_t{1} << 20;

}  // namespace

bool EntryTable::fits(const LeafTable& leaves, const RuleEvent& rule) {
    std::size_t most_leaves = 0;
    for (std::size_t t = 0; t + 1 < leaves.first_leaf().size(); ++t)
        most_leaves = std::max(most_leaves, leaves.first_leaf()[t + 1] - leaves.first_leaf()[t]);
    return most_leaves * rule.component().n_entries() <= most_terms;
}

EntryOrder::EntryOrder(const RuleEvent& rule) : rule_(rule), place_(rule.component().n_entries()) {
    std::map<std::vector<std::size_t>, std::vector<std::size_t>> entries;
    for (std::size_t e = 0; e < place_.size(); ++e) {
        std::vector<std::size_t> unasked;
        for (std::size_t k = 0; k < rule.parts().size(); ++k) {
            if (rule.bin_of(k, e) == RuleEvent::no_bin) unasked.push_back(k);
        }
        entries[unasked].push_back(e);
    }
    std::size_t next = 0;
    for (const auto& [unasked, same] : entries) {
        parts_.push_back({unasked, next, next + same.size()});
        for (const std::size_t e : same) place_[e] = next++;
    }
}

EntryTable::EntryTable(const LeafTable& leaves, const EntryOrder& order, std::size_t tree)
    : leaves_(leaves),
      order_(order),
      rule_(order.rule()),
      first_leaf_(leaves.first_leaf()[tree]),
      n_entries_(rule_.component().n_entries()) {
    const std::size_t n = leaves.first_leaf()[tree + 1] - first_leaf_;
    terms_.assign(n * n_entries_, 0.0);
    used_.assign((n + 63) / 64, 0);
    for (std::size_t i = 0; i < n; ++i) find_terms(i);
}

void EntryTable::find_terms(std::size_t number) {
    const RuleComponent& component = rule_.component();
    const ColumnLeaves& root = leaves_.column(component.root);
    const std::size_t leaf = first_leaf_ + number;
    double* const terms = terms_.data() + number * n_entries_;
    const auto visit = [&](std::uint32_t bin) {
        const auto& entries = rule_.entries_of_bin(bin);
        if (entries.empty()) return;
        const double density = density_in_bin(root, leaf, bin);
        for (const std::uint32_t e : entries) terms[order_.place_of(e)] = density * component.width[e];
    };
    if (root.categorical()) {
        root.for_each_member(leaf, visit);
    } else {
        for (std::uint32_t bin = root.low[leaf]; bin < root.high[leaf]; ++bin) visit(bin);
    }
    terms[order_.place_of(component.other())] = probability_of(root, leaf, rule_.others());
    for (std::size_t k = 0; k < component.columns.size(); ++k) {
        const ColumnLeaves& column = leaves_.column(component.columns[k].column);
        for (std::uint32_t e = 0; e < n_entries_; ++e) {
            const std::uint32_t asked = rule_.bin_of(k, e);
            double& term = terms[order_.place_of(e)];
            if (term > 0.0 && asked != RuleEvent::no_bin) term *= density_in_bin(column, leaf, asked);
        }
    }
    if (std::any_of(terms, terms + n_entries_, [](double term) { return term > 0.0; }))
        used_[number / 64] |= std::uint64_t{1} << (number % 64);
}

double EntryTable::density_of_unasked(const EntryOrder::Part& part, std::size_t number,
                                      const std::uint32_t* known) const {
    const double* terms = terms_.data() + number * n_entries_;
    if (std::all_of(terms + part.first, terms + part.end, [](double term) { return term == 0.0; }))
        return 0.0;
    double product = 1.0;
    for (const std::size_t k : part.unasked) {
        const ColumnLeaves& column = leaves_.column(rule_.component().columns[k].column);
        const std::uint32_t bin = known[rule_.component().columns[k].column];
        if (bin < column.n_bins()) product *= density_in_bin(column, first_leaf_ + number, bin);
    }
    return product;
}

}  // namespace boxwood
