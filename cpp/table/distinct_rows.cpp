#include "table/distinct_rows.hpp"

#include <algorithm>
#include <cstring>

#include "base/random.hpp"
#include "base/sort_points.hpp"

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
                                const double* weights, const std::uint64_t* groups) {
    // Rows without columns have no bytes and may have no address, which memcpy and memcmp must not be given.
    static constexpr unsigned char nothing = 0;
    const auto* bytes = row_bytes == 0 ? &nothing : static_cast<const unsigned char*>(rows);
    const auto at = [&](std::size_t row) { return bytes + row * row_bytes; };
    std::vector<std::uint64_t> hash(n_rows);
    std::vector<std::uint32_t> order(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        hash[row] = hash_bytes(at(row), row_bytes);
        if (groups != nullptr) hash[row] = combine_keys(hash[row], groups[row]);
        order[row] = static_cast<std::uint32_t>(row);
    }
    sort_keys(hash, order);
    const auto group_of = [&](std::uint32_t row) { return groups == nullptr ? 0 : groups[row]; };
    const auto precedes = [&](std::uint32_t a, std::uint32_t b) {
        const int order_of_content = std::memcmp(at(a), at(b), row_bytes);
        return order_of_content < 0 || (order_of_content == 0 && group_of(a) < group_of(b));
    };
    // Equal hashes are ordered by content, so that even colliding rows do not depend on the table's order.
    for (std::size_t i = 0, end = 0; i < n_rows; i = end) {
        while (end < n_rows && hash[end] == hash[i]) ++end;
        const auto first = order.begin() + static_cast<std::ptrdiff_t>(i);
        if (end - i > 1) std::stable_sort(first, first + static_cast<std::ptrdiff_t>(end - i), precedes);
    }
    DistinctRows distinct;
    distinct.number.resize(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
        const std::uint32_t row = order[i];
        const bool same = i > 0 && hash[i] == hash[i - 1] && group_of(row) == group_of(order[i - 1]) &&
                          std::memcmp(at(row), at(order[i - 1]), row_bytes) == 0;
        if (!same) {
            distinct.first.push_back(row);
            distinct.key.push_back(hash[i]);
            distinct.weight.push_back(0.0);
        }
        distinct.weight.back() += weights == nullptr ? 1.0 : weights[row];
        distinct.number[row] = static_cast<std::uint32_t>(distinct.first.size() - 1);
    }
    return distinct;
}

}  // namespace boxwood
