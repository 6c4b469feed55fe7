// What a decision or regression tree should predict: a class, a value or several values for each row.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxwood {

struct Targets {
    const std::uint32_t* classes = nullptr;  // null: regression
    std::size_t n_classes = 0;
    const double* values = nullptr;  // null: classification
    std::size_t n_values = 1;        // of a row; they lie side by side
};

}  // namespace boxwood
