// Views of numbers that the core reads without owning them.
#pragma once

#include <cstddef>

namespace boxwood {

// One column: `size` doubles, `stride` doubles apart (a row-major matrix lends its columns this
// way).
struct Strided {
    const double* data = nullptr;
    std::size_t size = 0;
    std::ptrdiff_t stride = 1;

    double operator[](std::size_t i) const { return data[static_cast<std::ptrdiff_t>(i) * stride]; }
};

}  // namespace boxwood
