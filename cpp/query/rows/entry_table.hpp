// The terms of a component of rules in all leaves of one tree, an entry each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/instruction_sets.hpp"
#include "query/rule_event.hpp"

namespace boxwood {

// Entries of a component in an order in which those that leave the same ruled columns unasked lie side by
// side.
class EntryOrder {
  public:
    struct Part {
        std::vector<std::size_t> unasked;
        std::size_t first = 0;
        std::size_t end = 0;
    };

    explicit EntryOrder(const RuleEvent& rule);

    const RuleEvent& rule() const { return rule_; }
    const std::vector<Part>& parts() const { return parts_; }
    std::size_t place_of(std::size_t entry) const { return place_[entry]; }
    // Puts what is in this order into the component's.
    void restore(const double* values, double* found) const {
        for (std::size_t e = 0; e < place_.size(); ++e) found[e] = values[place_[e]];
    }

  private:
    const RuleEvent& rule_;
    std::vector<Part> parts_;
    std::vector<std::size_t> place_;
};

// What a leaf gives an entry does not depend on the row, but for ruled columns of which the entry asks no
// value: what the row has there counts by its density.
class EntryTable {
  public:
    // Whether the terms of no tree take more than some megabytes.
    static bool fits(const LeafTable& leaves, const RuleEvent& rule);

    EntryTable(const LeafTable& leaves, const EntryOrder& order, std::size_t tree);

    // The leaves that have a term, a bit each.
    const std::uint64_t* used() const { return used_.data(); }

    // Adds weight times the leaf's terms to `sums`, one of each entry in the given order; `known` are the
    // bins of a row, one that the column does not have where its value is summed out.
    BOXWOOD_INLINE void add(std::size_t number, double weight, const std::uint32_t* known,
                            double* sums) const {
        const double* terms = terms_.data() + number * n_entries_;
        for (const EntryOrder::Part& part : order_.parts()) {
            const double product =
                part.unasked.empty() ? weight : weight * density_of_unasked(part, number, known);
            if (product == 0.0) continue;
            for (std::size_t p = part.first; p < part.end; ++p) sums[p] += product * terms[p];
        }
    }

  private:
    double density_of_unasked(const EntryOrder::Part& part, std::size_t number,
                              const std::uint32_t* known) const;
    void find_terms(std::size_t number);

    const LeafTable& leaves_;
    const EntryOrder& order_;
    const RuleEvent& rule_;
    std::size_t first_leaf_;
    std::size_t n_entries_;
    std::vector<double> terms_;
    std::vector<std::uint64_t> used_;
};

}  // namespace boxwood
