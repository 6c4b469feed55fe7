#include "base/counting_ranks.hpp"

#include <algorithm>

namespace boxwood {

namespace {

template <std::size_t lanes>
void place_keys(const std::int32_t* key, std::size_t n_keys, const std::int32_t* keys, std::size_t n,
                std::int32_t* sorted) {
    std::int32_t place[lanes] = {};
    for (std::size_t k = 0; k < n; ++k) {
        const std::int32_t other = keys[k];
        for (std::size_t i = 0; i < lanes; ++i) place[i] += other < key[i] ? 1 : 0;
    }
    for (std::size_t i = 0; i < n_keys; ++i) sorted[place[i]] = key[i];
}

}  // namespace

void sort_few(const std::int32_t* keys, std::size_t n, std::int32_t* sorted) {
    if (n <= 4) return place_keys<4>(keys, n, keys, n, sorted);
    for (std::size_t first = 0; first < n; first += ranked_at_once)
        place_keys<ranked_at_once>(keys + first, std::min(ranked_at_once, n - first), keys, n, sorted);
}

}  // namespace boxwood
