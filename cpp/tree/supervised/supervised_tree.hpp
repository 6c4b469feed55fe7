// A grown decision or regression tree: arrays with an entry a node, a parent before its children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tree/density/grow_data.hpp"
#include "tree/supervised/direction.hpp"
#include "tree/supervised/supervised_data.hpp"

namespace boxwood {

struct SupervisedTree {
    std::vector<std::int32_t> feature;       // −1: a leaf
    std::vector<std::uint32_t> left;         // the left child; the right one stands behind it
    std::vector<std::uint32_t> cut;          // codes below it go left; of categories: the place of a set
    std::vector<std::uint8_t> missing_left;  // whether missing numbers go left
    std::vector<double> count;               // weight of the rows
    std::vector<double> gain;                // of every inner node
    std::vector<double> impurity;            // weight · impurity
    std::vector<double> response;            // class weights, n_classes a node, or means
    std::vector<double>
        threshold;  // of numbers as they are; NaN where the cut is one of codes, empty where all are
    std::vector<Direction> directions;  // features beyond the columns
    std::vector<std::uint32_t> sets;    // of categories, as in CategorySets

    std::size_t n_nodes() const { return feature.size(); }
};

// Grows a decision tree (classes) or a regression tree (values); `interrupt` is called at every node and may
// throw. The criterion in the options is not used.
SupervisedTree grow_supervised_tree(const SupervisedData& data, Impurity impurity, const GrowOptions& options,
                                    const std::function<void()>& interrupt = {});

}  // namespace boxwood
