// A mixture under margins: the density of a table's rows, whatever it was fitted as.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "margins/margins.hpp"
#include "mixture/mixture.hpp"
#include "table/table_view.hpp"

namespace boxwood {

// Looks at margins and a mixture, which must outlive it. Throws std::invalid_argument where these have not
// the same number of columns.
class TableMixture {
  public:
    // A missing value of a column that had some when fitted is an event with a probability, or summed out;
    // in other columns it is summed out.
    TableMixture(const Margins& margins, const Mixture& mixture,
                 MissingValues missing = MissingValues::marginal);

    // Log-density of each row.
    void log_density(const TableView& table, double* out, std::size_t n_threads,
                     const Watch& watch = {}) const;

    // The same, and in `unseen` what the trees that did not see a row say of its point on the cube: without
    // the margins, which have seen it.
    void log_density_with_out_of_bag(const TableView& table, const LeftOut& left_out, double* out,
                                     UnseenScore* unseen, std::size_t n_threads,
                                     const Watch& watch = {}) const;

    // Random rows of known categories, column by column; what row i gets depends on the seed and i alone.
    std::vector<DecodedColumn> sample(std::size_t n_rows, std::uint64_t seed, std::size_t n_threads,
                                      const Watch& watch = {}) const;

  private:
    const Margins& margins_;
    const Mixture& mixture_;
    MissingValues missing_;
};

}  // namespace boxwood
