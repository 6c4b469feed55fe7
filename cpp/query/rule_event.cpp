#include "query/rule_event.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "query/leaf_event.hpp"

namespace boxwood {

RuleEvent::RuleEvent(const std::vector<BinEdges>& columns, RuleComponent component,
                     std::vector<double> factor, std::shared_ptr<const CubeEvent> others,
                     std::vector<RuledPart> parts)
    : component_(std::move(component)),
      factor_(std::move(factor)),
      others_(std::move(others)),
      parts_(std::move(parts)) {
    const std::size_t n = component_.n_entries();
    if (n == 0 || factor_.size() != n || component_.width.size() != n ||
        parts_.size() != component_.columns.size() || component_.root >= columns.size())
        throw std::invalid_argument("an event of rules does not fit its component");
    const BinEdges& root = columns[component_.root];
    if (others_->cover().size() != root.n_bins())
        throw std::invalid_argument("an event is about another column's bins");
    entries_.resize(root.n_bins());
    for (std::size_t e = 0; e + 1 < n; ++e) {
        if (factor_[e] > 0.0)
            entries_[root.bin_of(component_.point[e])].push_back(static_cast<std::uint32_t>(e));
    }
    used_.assign((root.n_bins() + 63) / 64, 0);
    for (std::uint32_t bin = 0; bin < entries_.size(); ++bin) {
        if (entries_[bin].empty()) continue;
        used_bins_.push_back(bin);
        used_[bin / 64] |= std::uint64_t{1} << (bin % 64);
    }
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        const RuledColumn& ruled = component_.columns[k];
        if (ruled.column >= columns.size() || ruled.low.size() != n || ruled.high.size() != n ||
            parts_[k].gap_ratio.size() != n ||
            parts_[k].present->cover().size() != columns[ruled.column].n_bins() ||
            parts_[k].gaps->cover().size() != columns[ruled.column].n_bins())
            throw std::invalid_argument("what is asked of a ruled column does not fit its component");
        std::vector<std::uint32_t>& bins = bins_.emplace_back(n, no_bin);
        for (std::size_t e = 0; e < n; ++e) {
            if (ruled.low[e] == ruled.high[e]) bins[e] = columns[ruled.column].bin_of(ruled.low[e]);
        }
    }
    find_single_entry();
}

void RuleEvent::find_single_entry() {
    std::size_t n = 0;
    for (std::size_t e = 0; e + 1 < factor_.size(); ++e) {
        if (!(factor_[e] > 0.0)) continue;
        width_of_entries_ += component_.width[e];
        single_entry_ = static_cast<std::uint32_t>(e);
        ++n;
    }
    bool single = n == 1 && factor_.back() == 0.0;
    for (std::size_t k = 0; single && k < parts_.size(); ++k) single = bin_of(k, single_entry_) != no_bin;
    if (!single) single_entry_ = no_bin;
}

bool RuleEvent::has_open_entries(std::size_t k) const {
    for (std::size_t e = 0; e < factor_.size(); ++e) {
        if (factor_[e] > 0.0 && bin_of(k, e) == no_bin) return true;
    }
    return false;
}

bool RuleEvent::has(std::size_t column) const {
    if (component_.root == column) return true;
    return std::any_of(component_.columns.begin(), component_.columns.end(),
                       [&](const RuledColumn& ruled) { return ruled.column == column; });
}

const std::vector<double>& RuleEvent::factors(const LeafTable& leaves) const {
    std::call_once(found_, [&] {
        RuleTerms terms(leaves, *this);
        factors_.resize(leaves.n_leaves());
        for (std::size_t leaf = 0; leaf < factors_.size(); ++leaf) factors_[leaf] = terms.factor(leaf);
    });
    return factors_;
}

RuleTerms::RuleTerms(const LeafTable& leaves, const RuleEvent& rule)
    : leaves_(leaves),
      rule_(rule),
      root_(leaves.column(rule.component().root)),
      present_(rule.parts().size()),
      gaps_(rule.parts().size()) {}

double RuleTerms::factor(std::size_t leaf) {
    double sum = 0.0;
    for_each_term(leaf, rule_.parts().size(), [&](std::uint32_t, double term) { sum += term; });
    return sum;
}

double density_in_bin(const ColumnLeaves& column, std::size_t leaf, std::uint32_t bin) {
    if (!column.holds(leaf, bin)) return 0.0;
    const double scale = column.scale[leaf];
    if (!column.gaussian()) return scale * column.weight_of(leaf, bin);
    const std::vector<double>& u = column.bin_edges->u;
    return scale * gaussian_integral(column, leaf, u[bin], u[bin + 1]) / (u[bin + 1] - u[bin]);
}

void RuleTerms::enter(std::size_t leaf) {
    leaf_ = leaf;
    std::fill(present_.begin(), present_.end(), -1.0);
}

double RuleTerms::product(std::size_t entry, std::size_t without) {
    double product = rule_.factor()[entry];
    for (std::size_t k = 0; k < present_.size() && product > 0.0; ++k) {
        if (k == without) continue;
        const ColumnLeaves& column = leaves_.column(rule_.component().columns[k].column);
        const std::uint32_t bin = rule_.bin_of(k, entry);
        if (bin != RuleEvent::no_bin) {
            product *= density_of(column, bin);
            continue;
        }
        const RuledPart& part = rule_.parts()[k];
        if (present_[k] < 0.0) {
            present_[k] = probability_of(column, leaf_, *part.present);
            gaps_[k] = probability_of(column, leaf_, *part.gaps);
        }
        const double rate = part.exception_rate;
        product *= rule_.asks_presence(k, entry)
                       ? (1.0 - rate) * present_[k] + rate * part.gap_ratio[entry] * gaps_[k]
                       : present_[k] + gaps_[k];
    }
    return product;
}

double RuleTerms::probability_of_others() const { return probability_of(root_, leaf_, rule_.others()); }

}  // namespace boxwood
