// Forests of decision or regression trees.
#pragma once

#include <vector>

#include "tree/forest.hpp"
#include "tree/supervised/supervised_tree.hpp"

namespace boxwood {

struct SupervisedForestOptions : ForestOptions {
    SupervisedForestOptions() { bootstrap = true; }

    bool balanced = false;  // the classes of each tree's sample weigh the same
    Impurity impurity = Impurity::gini;
};

// The rows that the trees' samples are drawn from.
inline RowsToSample rows_to_sample(const SupervisedData& data) {
    return {data.n_rows, data.keys, data.weights};
}

// Grows the trees; the same for any number of threads.
std::vector<SupervisedTree> fit_supervised_forest(const SupervisedData& data,
                                                  const SupervisedForestOptions& options, const Watch& watch);

}  // namespace boxwood
