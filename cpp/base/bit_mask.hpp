// Which bins of a column hold rows: bits, walked in ascending order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace boxwood {

// Of a column of more than 4,096 bins a second level of bits tells which words have any, so that a few rows
// among a million bins are found at once.
class BitMask {
  public:
    void resize(std::size_t n_bins) {
        words_.resize((n_bins + 63) / 64, 0);
        upper_.resize((words_.size() + 63) / 64, 0);
    }
    template <bool has_upper>
    void set(std::uint32_t bin) {
        words_[bin >> 6] |= std::uint64_t{1} << (bin & 63);
        if constexpr (has_upper) upper_[bin >> 12] |= std::uint64_t{1} << ((bin >> 6) & 63);
    }
    // Appends the set bins of the first n_bins to `bins` and clears them.
    template <bool has_upper>
    void take(std::size_t n_bins, std::vector<std::uint32_t>& bins) {
        if constexpr (has_upper) {
            for (std::size_t u = 0; u < (n_bins + 4095) / 4096; ++u) {
                for (; upper_[u] != 0; upper_[u] &= upper_[u] - 1) {
                    take_word(u * 64 + static_cast<std::size_t>(std::countr_zero(upper_[u])), bins);
                }
            }
        } else {
            for (std::size_t w = 0; w < (n_bins + 63) / 64; ++w) take_word(w, bins);
        }
    }
    // Calls use(std::bool_constant) with whether a column of so many bins needs the second level.
    template <class Use>
    static void with_levels(std::size_t n_bins, Use&& use) {
        n_bins > 4096 ? use(std::true_type{}) : use(std::false_type{});
    }

  private:
    void take_word(std::size_t w, std::vector<std::uint32_t>& bins) {
        for (; words_[w] != 0; words_[w] &= words_[w] - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(words_[w]));
            bins.push_back(static_cast<std::uint32_t>(w * 64 + bit));
        }
    }

    std::vector<std::uint64_t> words_;
    std::vector<std::uint64_t> upper_;
};

}  // namespace boxwood
