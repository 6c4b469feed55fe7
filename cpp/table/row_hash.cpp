#include "table/row_hash.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace boxwood {

namespace {

std::uint64_t bits_of(double value) {
    return std::bit_cast<std::uint64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN()
                                                          : value + 0.0);
}

}  // namespace

std::vector<std::uint64_t> hash_rows(const double* rows, std::size_t n_rows, std::size_t n_columns) {
    std::vector<std::uint64_t> hashes(2 * n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        // Two chains that begin apart; each mixes a word with all before it.
        std::uint64_t first = mix_bits(n_columns);
        std::uint64_t second = mix_bits(~static_cast<std::uint64_t>(n_columns));
        for (std::size_t j = 0; j < n_columns; ++j) {
            const std::uint64_t word = bits_of(rows[row * n_columns + j]);
            first = mix_bits(first ^ word);
            second = mix_bits(second + std::rotl(word, 32));
        }
        hashes[2 * row] = first;
        hashes[2 * row + 1] = second;
    }
    return hashes;
}

}  // namespace boxwood
