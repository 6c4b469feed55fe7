// What a decision or regression tree should tell: a class or a value for each row.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxwood {

struct Targets {
    const std::uint32_t* classes = nullptr;  // null: regression
    std::size_t n_classes = 0;
    const double* values = nullptr;  // null: classification
};

enum class Impurity { gini, entropy, variance };

}  // namespace boxwood
