// Each column of a row given the rest of it, for many rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "query/leaf_table.hpp"
#include "query/rule_event.hpp"

namespace boxwood {

// Row-major points of the cube; NaN where a value is not known, which is summed out.
struct RowPoints {
    const double* points;
    std::size_t n_rows;
    std::size_t n_threads;
};

// The mass of each entry of components of rules: `known` are points of the rows as they are, where those that
// are asked keep to the rules; n × n_entries of each component is written.
struct RuleMasses {
    const double* known = nullptr;
    std::vector<RulePointer> rules;
    std::vector<double*> out;
};

class RowConditionals {
  public:
    explicit RowConditionals(const LeafTable& leaves);

    const LeafTable& leaves() const { return leaves_; }

    // Log-density on the cube of each value given the others of its row, n × D; NaN where it is not known.
    // Many rows go through all leaves of a tree at once, few go down the tree.
    void log_density(const RowPoints& rows, const RuleMasses& ruled, double* out, const Watch& watch) const;

    // The same of any number of rows by going down the trees, without rules.
    void log_density_by_search(const RowPoints& rows, double* out, const Watch& watch) const;

    // Expectations of functions of one column given the others of each row, n × n_functions: `integrals` has
    // ∫ of each function over each bin, n_functions × n_bins. What rows have in that column is not read. A
    // row that is impossible gets NaN.
    void expectations(const RowPoints& rows, std::size_t column, const double* integrals,
                      std::size_t n_functions, double* out, const Watch& watch) const;

    // The u below which a fraction p of what lies below `end` lies, n × n_fractions; p is n × n_fractions.
    void quantiles(const RowPoints& rows, std::size_t column, const double* p, std::size_t n_fractions,
                   double end, double* out, const Watch& watch) const;

    // Of each row the mass of each entry of a component, n × n_entries, on a scale of its own: what rows have
    // in the component's columns is not read; where no value follows, what is there in `known` counts by its
    // density.
    void rule_masses(const RowPoints& rows, const double* known, const RuleEvent& rule, double* out,
                     const Watch& watch) const;

  private:
    template <class Work>
    void in_blocks(const RowPoints& rows, const Watch& watch, const Work& work) const;
    template <class Work>
    void for_each_density(const RowPoints& rows, std::size_t column, const Watch& watch,
                          const Work& work) const;
    void log_density_of_batch(const RowPoints& rows, const RuleMasses& ruled, double* out,
                              const Watch& watch) const;
    bool can_lay_out(const RuleMasses& ruled) const;

    const LeafTable& leaves_;
    std::vector<double> normalizer_;  // of each leaf what its pieces integrate to, side by side
};

}  // namespace boxwood
