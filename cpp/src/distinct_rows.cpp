#include "boxwood/distinct_rows.hpp"

#include <algorithm>
#include <cstring>

#include "boxwood/random.hpp"

namespace boxwood {

namespace {

std::uint64_t hash_bytes(const unsigned char* bytes, std::size_t n) {
    std::uint64_t hash = mix_bits(n);
    for (; n >= 8; n -= 8, bytes += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, 8);
        hash = mix_bits(hash ^ word);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes, n);
    return mix_bits(hash ^ rest);
}

}  // namespace

DistinctRows find_distinct_rows(const void* rows, std::size_t row_bytes, std::size_t n_rows,
                                const double* weights) {
    const auto* bytes = static_cast<const unsigned char*>(rows);
    const auto at = [&](std::size_t row) { return bytes + row * row_bytes; };
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        order[row] = {hash_bytes(at(row), row_bytes), static_cast<std::uint32_t>(row)};
    }
    // Equal hashes are ordered by content, so that even colliding rows do not depend on the table's order.
    std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first < b.first;
        const int compared = std::memcmp(at(a.second), at(b.second), row_bytes);
        return compared != 0 ? compared < 0 : a.second < b.second;
    });
    DistinctRows distinct;
    distinct.number.resize(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
        const auto [hash, row] = order[i];
        const bool same = i > 0 && hash == order[i - 1].first &&
                          std::memcmp(at(row), at(order[i - 1].second), row_bytes) == 0;
        if (!same) {
            distinct.first.push_back(row);
            distinct.key.push_back(hash);
            distinct.weight.push_back(0.0);
        }
        distinct.weight.back() += weights == nullptr ? 1.0 : weights[row];
        distinct.number[row] = static_cast<std::uint32_t>(distinct.first.size() - 1);
    }
    return distinct;
}

}  // namespace boxwood
