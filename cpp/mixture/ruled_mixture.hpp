// A mixture under rules: columns that follow from others keep to them, whatever the trees have learnt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "mixture/mixture.hpp"

namespace boxwood {

// What a rule asks of one column, an entry of its component each: the value at a point (low == high), to lie
// between low and high, or nothing (both NaN).
struct RuledColumn {
    std::size_t column = 0;
    std::vector<double> low;
    std::vector<double> high;
};

// Columns that follow from one, the root. An entry is a value of the root: where it lies on [0, 1] and how
// wide its interval is. The last entry is all the rest of [0, 1]; its point is not read.
struct RuleComponent {
    std::size_t root = 0;
    std::vector<double> point;
    std::vector<double> width;
    std::vector<RuledColumn> columns;

    std::size_t n_entries() const { return point.size(); }
    std::size_t other() const { return point.size() - 1; }
};

// How far a mixture keeps to a component by itself.
struct RuleAgreement {
    std::vector<double> log_all;  // of each entry: log P(what is asked | the entry); a density at points
    std::vector<double> log_but;  // n_columns × n_entries: the same without what is asked of one column
};

// The density p(a)·p(others | a, what follows from a) of a component with root a, one component after the
// other: within a leaf columns are independent, so that a component multiplies the leaf's mass by a sum over
// its entries. Components have no column in common.
class RuledMixture {
  public:
    // Keeps a reference to the mixture. Throws std::invalid_argument where a component does not fit it.
    RuledMixture(const Mixture& mixture, std::vector<RuleComponent> components);

    std::size_t n_columns() const { return mixture_.n_columns(); }
    RuleAgreement agreement(std::size_t component) const;

    // Row-major points; what row i gets depends on the seed and i alone.
    void sample(std::size_t n_rows, std::uint64_t seed, double* out) const;

  private:
    using EntriesOfBins = std::vector<std::vector<std::uint32_t>>;  // of the root's bins

    void add_component(std::size_t c);
    RuleAgreement find_agreement(std::size_t c) const;
    void tilt_leaves(std::size_t c) const;
    void find_node_masses() const;

    const Mixture& mixture_;
    std::vector<RuleComponent> components_;
    std::vector<EntriesOfBins> entries_of_bins_;
    std::vector<RuleAgreement> agreements_;  // of a point its bin's probability, not its density
    // Of each tree: of the leaves under all components but the last, until something is drawn.
    mutable std::vector<std::vector<double>> node_mass_;
    mutable std::once_flag masses_found_;
};

}  // namespace boxwood
