// Columns that follow from others, asked together: within a leaf they are not independent under their rules.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "mixture/ruled_mixture.hpp"
#include "query/cube_event.hpp"
#include "query/leaf_table.hpp"

namespace boxwood {

// What is asked of a ruled column where no value follows: its part without gaps, and its gaps. The rule is
// broken by a gap with probability `exception_rate`; `gap_ratio` is, by entry, how much rarer the model
// has a value than a gap.
struct RuledPart {
    std::shared_ptr<const CubeEvent> present;
    std::shared_ptr<const CubeEvent> gaps;
    double exception_rate = 0.0;
    std::vector<double> gap_ratio;
};

// The event of a component. The density of a row is that of the mixture at the values that follow from the
// root, over the mixture's own agreement with them, times how far the row keeps to the rules: `factor` has,
// by entry, the latter two with the event in them.
class RuleEvent {
  public:
    RuleEvent(const std::vector<BinEdges>& columns, RuleComponent component, std::vector<double> factor,
              std::shared_ptr<const CubeEvent> others, std::vector<RuledPart> parts);

    const RuleComponent& component() const { return component_; }
    const std::vector<double>& factor() const { return factor_; }
    const CubeEvent& others() const { return *others_; }
    const std::vector<RuledPart>& parts() const { return parts_; }
    bool has(std::size_t column) const;
    const std::vector<std::uint32_t>& entries_of_bin(std::uint32_t bin) const { return entries_[bin]; }
    // The root's bins with an entry that counts, ascending, and as bits.
    const std::vector<std::uint32_t>& used_bins() const { return used_bins_; }
    const std::vector<std::uint64_t>& used() const { return used_; }
    // The bin of what is asked of ruled column k by an entry; `no_bin` where it is no value.
    std::uint32_t bin_of(std::size_t k, std::size_t entry) const { return bins_[k][entry]; }
    bool asks_presence(std::size_t k, std::size_t entry) const {
        return component_.columns[k].low[entry] < component_.columns[k].high[entry];
    }

    // Whether an entry that counts, or what is no entry, says no value of ruled column k.
    bool has_open_entries(std::size_t k) const;

    static constexpr std::uint32_t no_bin = 0xffffffff;

    // The only entry that counts, where values of all ruled columns follow from it; else `no_bin`.
    std::uint32_t single_entry() const { return single_entry_; }
    // Of the entries that count.
    double width_of_entries() const { return width_of_entries_; }

    // Of every leaf what its mass is multiplied by: found at the first call and kept, for the event that is
    // asked with most others: everything.
    const std::vector<double>& factors(const LeafTable& leaves) const;

  private:
    void find_single_entry();

    mutable std::once_flag found_;
    mutable std::vector<double> factors_;
    RuleComponent component_;
    std::vector<double> factor_;
    std::shared_ptr<const CubeEvent> others_;
    std::vector<RuledPart> parts_;
    std::vector<std::vector<std::uint32_t>> entries_;  // of the root's bins, those with a factor
    std::vector<std::vector<std::uint32_t>> bins_;
    std::vector<std::uint32_t> used_bins_;
    std::vector<std::uint64_t> used_;
    std::uint32_t single_entry_ = no_bin;
    double width_of_entries_ = 0.0;
};

using RulePointer = std::shared_ptr<const RuleEvent>;

// The mean density of a leaf's piece within a bin; 0 outside its box.
double density_in_bin(const ColumnLeaves& column, std::size_t leaf, std::uint32_t bin);

// The terms of one leaf, an entry each; the room is used again from leaf to leaf.
class RuleTerms {
  public:
    RuleTerms(const LeafTable& leaves, const RuleEvent& rule);

    // Their sum: what the leaf's mass is multiplied by.
    double factor(std::size_t leaf);

    // Calls visit(entry, term) for all entries that the leaf knows, the rest last; with `without` below the
    // number of ruled columns the term lacks what is asked of that one.
    template <class Visit>
    void for_each_term(std::size_t leaf, std::size_t without, Visit&& visit) {
        for_each_term(leaf, without, [](std::uint32_t) { return true; }, visit);
    }
    // The same for entries of which wanted(entry) is true alone.
    template <class Wanted, class Visit>
    void for_each_term(std::size_t leaf, std::size_t without, Wanted&& wanted, Visit&& visit) {
        enter(leaf);
        for_each_bin([&](std::uint32_t bin) {
            double density = -1.0;  // of entries that are wanted alone
            for (std::uint32_t e : rule_.entries_of_bin(bin)) {
                if (!wanted(e)) continue;
                if (density < 0.0) density = density_of(root_, bin);
                const double term = density * rule_.component().width[e] * product(e, without);
                if (term > 0.0) visit(e, term);
            }
        });
        const auto other = static_cast<std::uint32_t>(rule_.component().other());
        if (rule_.factor()[other] > 0.0 && wanted(other)) {
            const double term = probability_of_others() * product(other, without);
            if (term > 0.0) visit(other, term);
        }
    }

    double density_of(const ColumnLeaves& column, std::uint32_t bin) const {
        return density_in_bin(column, leaf_, bin);
    }

  private:
    void enter(std::size_t leaf);
    double product(std::size_t entry, std::size_t without);
    double probability_of_others() const;

    template <class Visit>
    void for_each_bin(Visit&& visit) const {
        if (!root_.categorical()) {
            const auto& bins = rule_.used_bins();
            auto bin = std::lower_bound(bins.begin(), bins.end(), root_.low[leaf_]);
            for (; bin != bins.end() && *bin < root_.high[leaf_]; ++bin) visit(*bin);
            return;
        }
        for (std::size_t w = 0; w < root_.n_words; ++w) {
            std::uint64_t word = root_.members[leaf_ * root_.n_words + w] & rule_.used()[w];
            for (; word != 0; word &= word - 1)
                visit(static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(std::countr_zero(word))));
        }
    }

    const LeafTable& leaves_;
    const RuleEvent& rule_;
    const ColumnLeaves& root_;
    std::size_t leaf_ = 0;
    std::vector<double> present_;  // of each ruled column; below 0 where not yet asked for
    std::vector<double> gaps_;
};

}  // namespace boxwood
