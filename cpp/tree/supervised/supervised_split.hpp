// The best split of a node of a decision or regression tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tree/supervised/direction.hpp"

namespace boxwood {

struct SupervisedSplit {
    double gain = -std::numeric_limits<double>::infinity();
    std::size_t feature = 0;
    double left_weight = 0.0;
    std::uint32_t threshold_code = 0;  // numbers with a code below it go left
    bool missing_left = false;         // and so do missing ones, where this is set
    double left_value = 0.0;           // what the halves would predict, where columns are monotone
    double right_value = 0.0;
    std::vector<std::uint32_t> left_codes;  // of a categorical column, ascending

    // A split of numbers as they are, where `by_number` is set: of a column, or along a direction.
    bool by_number = false;
    double threshold = 0.0;
    Direction direction;

    bool found() const { return gain > -std::numeric_limits<double>::infinity(); }
};

// What a node may predict where columns are monotone.
struct ResponseBounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    bool allow(double value) const { return value >= low && value <= high; }
};

}  // namespace boxwood
