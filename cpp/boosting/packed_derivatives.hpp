// Sums of derivatives in 64 bits: bins of them take half the memory of two doubles, and a row is added to one
// by one addition. Integers are exact: sums are the same in every order.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace boxwood {

// Sums of first and second derivatives of the log-likelihood by a row's logit.
struct Derivatives {
    double first = 0.0;
    double second = 0.0;

    Derivatives operator-(const Derivatives& other) const {
        return {first - other.first, second - other.second};
    }
};

// First derivatives in the upper half, with a sign, second ones, which have none, in the lower.
using PackedDerivatives = std::int64_t;

// How numbers become integers. Of n rows that weigh W together, first derivatives sum up to W at most and
// second ones to a fourth of it; a row is rounded to about W·2⁻³⁰, which is far below the noise of its node:
// 1e-4 of a row of 100,000.
struct PackedScale {
    double first, second;
    double by_first, by_second;  // their inverses, exact

    PackedScale(double total_weight, std::size_t n) {
        // Half a unit a row is for rounding. A power of two, so that halves and fourths of it are exact.
        const double room = 2147483647.0 - 0.5 * static_cast<double>(std::min<std::size_t>(n, 1u << 30));
        first = std::ldexp(1.0, std::ilogb(room / std::clamp(total_weight, 1e-250, 1e250)));
        second = 4.0 * first;
        by_first = 1.0 / first;
        by_second = 1.0 / second;
    }

    // Adding 1.5·2⁵² rounds to integers, which then stand in the low bits.
    PackedDerivatives pack(const Derivatives& row) const {
        constexpr double rounder = 6755399441055744.0;
        constexpr auto nothing = std::bit_cast<std::int64_t>(rounder);
        const std::int64_t upper = std::bit_cast<std::int64_t>(row.first * first + rounder) - nothing;
        const std::int64_t lower = std::bit_cast<std::int64_t>(row.second * second + rounder) - nothing;
        return static_cast<PackedDerivatives>(static_cast<std::uint64_t>(upper) << 32) + lower;
    }
    Derivatives unpack(PackedDerivatives sums) const {
        return {static_cast<double>(static_cast<std::int32_t>(sums >> 32)) * by_first,
                static_cast<double>(static_cast<std::uint32_t>(sums)) * by_second};
    }
};

}  // namespace boxwood
