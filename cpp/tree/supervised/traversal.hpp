// Ways of rows down fitted decision and regression trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tree/supervised/direction.hpp"

namespace boxwood {

// Fitted trees, one after another. An inner node sends values below its threshold to `left`, missing ones
// where `missing_left` says, all others to `left + 1`; of a categorical column the codes of the set at the
// place `threshold` go left. Features beyond the columns are directions.
struct FittedTrees {
    std::vector<std::int32_t> feature;  // −1: a leaf
    std::vector<std::uint32_t> left;    // an index into the whole
    std::vector<double> threshold;
    std::vector<std::uint8_t> missing_left;
    std::vector<std::uint32_t> roots;        // one a tree
    std::vector<std::uint32_t> sets;         // as in CategorySets
    std::vector<std::int64_t> n_categories;  // of each column; −1: numbers
    std::vector<Direction> directions;
    std::vector<double> fill;  // of each column, for missing numbers along directions

    std::size_t n_nodes() const { return feature.size(); }
    std::size_t n_trees() const { return roots.size(); }
    std::size_t n_columns() const { return n_categories.size(); }
    bool is_categorical(std::size_t j) const { return n_categories[j] >= 0; }
};

// Throws std::invalid_argument where they are no trees.
void check_trees(const FittedTrees& trees);

// Where a row of numbers goes at an inner node: the plain way, node by node.
bool goes_left(const FittedTrees& trees, std::uint32_t at, const double* row);

// Rows are n_columns numbers each: codes of categories (unknown ones `n_categories`, missing ones
// `n_categories + 1`), NaN for missing numbers.
class Traversal {
  public:
    // What a block of rows is turned into before its ways.
    struct Codes {
        std::vector<unsigned char> bytes;
        bool any_missing = false;  // may be true where none is
    };

    virtual ~Traversal() = default;
    virtual void encode(const double* rows, std::size_t n_rows, Codes& codes) const = 0;
    // The leaves' nodes of encoded rows in one tree.
    virtual void find(std::size_t tree, const double* rows, std::size_t n_rows, const Codes& codes,
                      std::uint32_t* leaves) const = 0;
    // The leaves' nodes of one encoded row in all trees.
    virtual void find_in_all(const double* row, const Codes& codes, std::uint32_t* leaves) const = 0;
};

std::unique_ptr<Traversal> make_traversal(const FittedTrees& trees);

}  // namespace boxwood
