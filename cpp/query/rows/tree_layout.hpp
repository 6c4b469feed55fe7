// One tree's leaves as many rows read them: which leaves hold a bin, a bit a leaf, and what scores a row
// there.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/instruction_sets.hpp"
#include "query/leaf_table.hpp"

namespace boxwood {

// Made for a batch of rows and forgotten: it takes as long as some ten rows. Going down the tree for every
// column that may differ took three times as long for each row.
class TreeLayout {
  public:
    // Whether the leaves are histograms, or uniform.
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

    // The byte of a leaf's histogram at a place from `find_places`: 0 where the leaf does not hold the bin,
    // 255 where the bin is not known.
    std::int32_t byte_at(std::size_t number, std::uint32_t place) const {
        return bytes_[number * bytes_a_leaf_ + place];
    }
    // The sum of the bytes of a leaf at places.
    BOXWOOD_INLINE std::int32_t sum_bytes(std::size_t number, const std::uint32_t* places,
                                          std::size_t n) const {
        const std::uint8_t* const bytes = bytes_.data() + number * bytes_a_leaf_;
        std::int32_t sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += bytes[places[k]];
        return sum;
    }
    // The same of a column with many bins, whose bytes are found anew for each leaf.
    std::int32_t wide_byte(std::size_t number, std::size_t column, std::uint32_t bin) const {
        const ColumnLeaves& pieces = leaves_.column(column);
        const std::size_t leaf = first_leaf_ + number;
        if (bin >= pieces.n_bins()) return 255;
        std::uint32_t leaf_bin = 0;
        if (pieces.categorical()) {
            leaf_bin = pieces.leaf_bin[bin];
        } else {
            const std::uint32_t distance = bin - pieces.low[leaf];
            const std::uint32_t width = pieces.high[leaf] - pieces.low[leaf];
            if (distance >= width) return 0;
            leaf_bin = factors_ != nullptr
                           ? FastLeafBins::leaf_bin_of(distance, factors_[width])
                           : leaf_bins_between(0, width, pieces.n_leaf_bins).leaf_bin_of(distance);
        }
        return pieces.quantised[leaf * pieces.n_leaf_bins + leaf_bin];
    }
    // Of uniform leaves there are none.
    bool has_bytes() const { return bytes_a_leaf_ > 0; }

  private:
    void find_holders(std::size_t n);
    void find_scores(std::size_t tree, std::size_t n);
    void find_bytes(std::size_t n);

    const LeafTable& leaves_;
    const std::uint64_t* factors_ = nullptr;  // by which bins of a histogram are found
    std::size_t n_words_ = 0;
    std::size_t first_leaf_ = 0;
    std::size_t bytes_a_leaf_ = 0;
    std::vector<std::size_t> split_;
    std::vector<std::size_t> first_bin_;  // of each column among all columns' bins
    std::vector<std::uint64_t> all_;
    std::vector<std::uint64_t> holders_;
    std::vector<double> mantissa_;
    std::vector<std::int32_t> exponent_;
    std::vector<std::uint8_t> bytes_;
};

// Where the bytes of a row lie among those of any leaf: a place for each bin of all columns that are not
// wide.
class BytePlaces {
  public:
    explicit BytePlaces(const LeafTable& leaves);

    // Columns with a place for each bin, and those with too many bins.
    const std::vector<std::size_t>& narrow() const { return narrow_; }
    const std::vector<std::size_t>& wide() const { return wide_; }
    std::size_t n_places() const { return n_places_; }
    std::uint32_t first_place(std::size_t column) const { return first_[column]; }
    // The place of a bin; 0, where every leaf has 255, of one that the column does not have.
    std::uint32_t place_of(std::size_t column, std::uint32_t bin) const {
        return bin < n_bins_[column] ? first_[column] + bin : 0;
    }
    bool is_wide(std::size_t column) const { return first_[column] == 0; }

  private:
    std::size_t n_places_ = 1;
    std::vector<std::size_t> narrow_;
    std::vector<std::size_t> wide_;
    std::vector<std::uint32_t> first_;
    std::vector<std::size_t> n_bins_;
};

}  // namespace boxwood
