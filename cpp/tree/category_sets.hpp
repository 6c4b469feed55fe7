// Sets of categories in one array: each as a list of its codes or as bits, whichever is shorter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace boxwood {

// A set is found by the place of its first word: its number of further words times two, plus 1 for a list.
// Bits end with the largest code; whatever lies behind is not in the set.
// Adds a set of ascending codes to others and gives its place.
inline std::uint32_t add_category_set(std::vector<std::uint32_t>& words,
                                      std::span<const std::uint32_t> codes) {
    const auto place = static_cast<std::uint32_t>(words.size());
    const std::size_t n_words = codes.empty() ? 0 : codes.back() / 32 + std::size_t{1};
    if (codes.size() < n_words) {
        words.push_back(static_cast<std::uint32_t>(codes.size() * 2 + 1));
        words.insert(words.end(), codes.begin(), codes.end());
    } else {
        words.push_back(static_cast<std::uint32_t>(n_words * 2));
        words.resize(words.size() + n_words, 0);
        for (std::uint32_t code : codes) words[place + 1 + code / 32] |= std::uint32_t{1} << (code % 32);
    }
    return place;
}

class CategorySets {
  public:
    std::uint32_t add(std::span<const std::uint32_t> codes) { return add_category_set(words_, codes); }

    std::vector<std::uint32_t>& words() { return words_; }

  private:
    std::vector<std::uint32_t> words_;
};

inline bool in_category_set(const std::uint32_t* set, std::uint32_t code) {
    const std::size_t n = *set >> 1;
    if ((*set & 1u) != 0) return std::binary_search(set + 1, set + 1 + n, code);
    return code / 32 < n && ((set[1 + code / 32] >> (code % 32)) & 1u) != 0;
}

}  // namespace boxwood
