// Which cells of a column hold rows: bits, walked in ascending order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

// A second level of bits tells which words have any, so that a few rows among a million cells are found at
// once.
class CellMask {
  public:
    void resize(std::size_t n_cells) {
        words_.resize(std::max(words_.size(), (n_cells + 63) / 64), 0);
        upper_.resize(std::max(upper_.size(), (words_.size() + 63) / 64), 0);
    }
    void set(std::uint32_t cell) {
        words_[cell >> 6] |= std::uint64_t{1} << (cell & 63);
        upper_[cell >> 12] |= std::uint64_t{1} << ((cell >> 6) & 63);
    }
    // Appends the set cells of the first n_cells to `cells` and clears them.
    void take(std::size_t n_cells, std::vector<std::uint32_t>& cells) {
        for (std::size_t u = 0; u < (n_cells + 4095) / 4096; ++u) {
            for (; upper_[u] != 0; upper_[u] &= upper_[u] - 1) {
                const std::size_t w = u * 64 + static_cast<std::size_t>(std::countr_zero(upper_[u]));
                for (; words_[w] != 0; words_[w] &= words_[w] - 1) {
                    cells.push_back(static_cast<std::uint32_t>(
                        w * 64 + static_cast<std::size_t>(std::countr_zero(words_[w]))));
                }
            }
        }
    }

  private:
    std::vector<std::uint64_t> words_;
    std::vector<std::uint64_t> upper_;
};

}  // namespace boxwood
