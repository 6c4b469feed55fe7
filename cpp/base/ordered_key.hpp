// Doubles as integers in the same order: the fixed grid on which columns are counted.
#pragma once

#include <bit>
#include <cstdint>

namespace boxwood {

inline constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// Order-preserving integer of a double that is not NaN; −0 and +0 share one key.
inline std::uint64_t ordered_key(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

inline double from_ordered_key(std::uint64_t key) {
    return std::bit_cast<double>((key & sign_bit) != 0 ? key & ~sign_bit : ~key);
}

}  // namespace boxwood
