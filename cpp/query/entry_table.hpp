// The terms of a component of rules in all leaves of one tree, an entry each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "query/rule_event.hpp"

namespace boxwood {

// What a leaf gives an entry does not depend on the row, but for ruled columns of which the entry asks no
// value: what the row has there counts by its density. Entries that ask the same columns lie side by side.
class EntryTable {
  public:
    // Whether the terms of no tree take more than some megabytes.
    static bool fits(const LeafTable& leaves, const RuleEvent& rule);

    EntryTable(const LeafTable& leaves, const RuleEvent& rule, std::size_t tree);

    // Adds weight times the leaf's terms to `sums`, an entry each in the component's order; `known` are the
    // bins of a row, one that the column does not have where its value is summed out.
    void add(std::size_t number, double weight, const std::uint32_t* known, double* sums) const;

  private:
    struct Part {  // entries that leave the same ruled columns unasked
        std::vector<std::size_t> unasked;
        std::size_t first = 0;
        std::size_t end = 0;
    };

    void find_parts();
    void find_terms(std::size_t number);

    const LeafTable& leaves_;
    const RuleEvent& rule_;
    std::size_t first_leaf_;
    std::size_t n_entries_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> entry_;  // of each place, and the other way round
    std::vector<std::uint32_t> place_;
    std::vector<double> terms_;
};

}  // namespace boxwood
