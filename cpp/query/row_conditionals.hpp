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

class RowConditionals {
  public:
    explicit RowConditionals(const LeafTable& leaves);

    const LeafTable& leaves() const { return leaves_; }

    // Log-density on the cube of each value given the others of its row, n × D; NaN where it is not known.
    void log_density(const RowPoints& rows, double* out, const Watch& watch) const;

    // Expectations of functions of one column given the others of each row, n × n_functions: `integrals` has
    // ∫ of each function over each bin, n_functions × n_bins. What rows have in that column is not read. A
    // row that is impossible gets NaN.
    void expectations(const RowPoints& rows, std::size_t column, const double* integrals,
                      std::size_t n_functions, double* out, const Watch& watch) const;

    // The u below which a fraction p of what lies below `end` lies, n × n_fractions; p is n × n_fractions.
    void quantiles(const RowPoints& rows, std::size_t column, const double* p, std::size_t n_fractions,
                   double end, double* out, const Watch& watch) const;

    // Of each row the mass of each entry of a component, n × n_entries, on a scale of its own: `known` are
    // its points, `factor` (n × n_entries) is what an entry is multiplied by. Columns of the component are
    // NaN in `rows`; where no value follows, what is there in `known` counts by its density.
    void rule_masses(const RowPoints& rows, const double* known, const RuleEvent& rule, const double* factor,
                     double* out, const Watch& watch) const;

  private:
    template <class Work>
    void in_blocks(const RowPoints& rows, const Watch& watch, const Work& work) const;
    template <class Work>
    void for_each_density(const RowPoints& rows, std::size_t column, const Watch& watch,
                          const Work& work) const;

    const LeafTable& leaves_;
    std::vector<double> scale_;  // of each leaf its columns' scales, side by side
};

}  // namespace boxwood
