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
class CategorySets {
  public:
    // Adds a set of ascending codes and gives its place.
    std::uint32_t add(std::span<const std::uint32_t> codes) {
        const auto place = static_cast<std::uint32_t>(words_.size());
        const std::size_t n_words = codes.empty() ? 0 : codes.back() / 32 + std::size_t{1};
        if (codes.size() < n_words) {
            words_.push_back(static_cast<std::uint32_t>(codes.size() * 2 + 1));
            words_.insert(words_.end(), codes.begin(), codes.end());
        } else {
            words_.push_back(static_cast<std::uint32_t>(n_words * 2));
            words_.resize(words_.size() + n_words, 0);
            for (std::uint32_t code : codes) words_[place + 1 + code / 32] |= std::uint32_t{1} << (code % 32);
        }
        return place;
    }

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
