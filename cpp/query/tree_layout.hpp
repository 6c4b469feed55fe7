// One tree's leaves as many rows read them: which leaves hold a bin, a bit a leaf, and what scores a row there.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "query/leaf_table.hpp"

namespace boxwood {

// Made for a batch of rows and forgotten: it takes as long as some ten rows. Going down the tree for every
// column that may differ took three times as long for each row.
class TreeLayout {
  public:
    // Whether the leaves are histograms (or uniform) of so few bins that a float finds the bin of one.
    static bool fits(const LeafTable& leaves);

    TreeLayout(const LeafTable& leaves, std::size_t tree);

    std::size_t n_words() const { return n_words_; }
    std::size_t first_leaf() const { return first_leaf_; }
    // The leaves with mass.
    const std::uint64_t* all() const { return all_.data(); }
    // Columns that the tree splits.
    const std::vector<std::size_t>& split() const { return split_; }
    // The leaves that hold a bin of a column.
    const std::uint64_t* holders(std::size_t column, std::uint32_t bin) const {
        return holders_.data() + (first_bin_[column] + bin) * n_words_;
    }

    // 2^exponent·mantissa is the leaf's mass times its scales, and the tree's weight.
    double mantissa(std::size_t number) const { return mantissa_[number]; }
    std::int32_t exponent(std::size_t number) const { return exponent_[number]; }

    // The place of each column's byte among those of a leaf, `stride` floats of bins from `bins_of_row`; of a
    // column whose bin the leaf does not hold it is nonsense.
    void find_places(std::size_t number, const float* bins, std::int32_t* places) const {
        const float* low = low_.data() + number * stride_;
        const float* factor = factor_.data() + number * stride_;
        for (std::size_t j = 0; j < stride_; ++j)
            places[j] = static_cast<std::int32_t>((bins[j] - low[j]) * factor[j]);
    }
    // Of uniform leaves there are none.
    const std::uint8_t* bytes(std::size_t number) const { return bytes_ + number * bytes_a_leaf_; }
    bool has_bytes() const { return bytes_ != nullptr; }
    std::size_t n_leaf_bins() const { return n_leaf_bins_; }

    static std::size_t stride_of(std::size_t n_columns) { return (n_columns + 3) / 4 * 4; }

  private:
    void find_holders(const LeafTable& leaves, std::size_t n);
    void find_scores(const LeafTable& leaves, std::size_t tree, std::size_t n);

    std::size_t n_words_ = 0;
    std::size_t first_leaf_ = 0;
    std::size_t stride_ = 0;
    std::size_t n_leaf_bins_ = 0;
    std::size_t bytes_a_leaf_ = 0;
    const std::uint8_t* bytes_ = nullptr;
    std::vector<std::size_t> split_;
    std::vector<std::size_t> first_bin_;  // of each column among all columns' bins
    std::vector<std::uint64_t> all_;
    std::vector<std::uint64_t> holders_;
    std::vector<double> mantissa_;
    std::vector<std::int32_t> exponent_;
    std::vector<float> low_;
    std::vector<float> factor_;
};

// A row's bins as `find_places` takes them: of a categorical column the histogram's bin itself.
void bins_for_places(const LeafTable& leaves, const std::uint32_t* bins, float* found);

}  // namespace boxwood
