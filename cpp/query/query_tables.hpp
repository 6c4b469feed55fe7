// Probabilities of boxes, many of them on the same columns: tables of one and of two columns are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "query/conditioned.hpp"

namespace boxwood {

// Asked from several threads: tables are made under a lock and never changed.
class QueryTables {
  public:
    // `rules` are those of all columns that follow from others, each asked nothing. Keeps a reference to the
    // leaves.
    QueryTables(const LeafTable& leaves, std::vector<RulePointer> rules);

    const LeafTable& leaves() const { return leaves_; }
    // A box with events of columns that follow no rule, and the rules of which something is asked.
    QueryBox box(std::vector<std::size_t> columns, std::vector<EventPointer> events,
                 std::vector<RulePointer> rules, double factor = 1.0) const;

    double probability(const QueryBox& box) const;
    // The same where a table has the answer; else NaN. Columns that are asked often enough get a table.
    double look_up(const QueryBox& box) const;
    std::vector<double> probabilities(const std::vector<QueryBox>& boxes, std::size_t n_threads,
                                      const Watch& watch) const;
    // Bytes of the tables that are kept now.
    std::size_t bytes() const;

  private:
    using Table = std::shared_ptr<const std::vector<double>>;  // density of each bin, or pair of bins
    using Pair = std::pair<std::size_t, std::size_t>;

    struct PairUse {
        std::size_t n = 0;
        std::size_t last = 0;
        Table table;
    };

    Table marginal(std::size_t column) const;
    Table pair(Pair columns) const;
    void forget_pairs() const;

    const LeafTable& leaves_;
    std::vector<RulePointer> rules_;
    double total_ = 0.0;
    mutable std::mutex mutex_;
    mutable std::vector<Table> marginals_;
    mutable std::vector<char> asked_;  // of each column, whether it was asked for alone
    mutable std::map<Pair, PairUse> pairs_;
    mutable std::size_t clock_ = 0;
};

}  // namespace boxwood
