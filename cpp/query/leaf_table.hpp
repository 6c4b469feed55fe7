// All leaves of a mixture, column by column: what queries read, made once for a fitted mixture.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mixture/mixture.hpp"

namespace boxwood {

// The 1-D pieces of all leaves along one column. Leaf-major payloads would touch a cache line a leaf for
// every column asked; side by side a column of 165,000 leaves takes 5 MB.
struct ColumnLeaves {
    const BinEdges* bin_edges = nullptr;
    LeafKind kind = LeafKind::uniform;
    std::uint32_t n_leaf_bins = 1;
    std::vector<std::uint32_t> low;      // of an ordered column: bins of the leaf's box
    std::vector<std::uint32_t> high;     // one behind the last
    std::vector<std::uint64_t> members;  // of a categorical one: `n_words` a leaf, a bit a bin
    std::size_t n_words = 0;
    std::vector<std::uint32_t> leaf_bin;  // of a categorical one: the histogram's bin of each bin
    int shift = -1;                       // log₂ of n_leaf_bins where that is whole
    std::vector<double> scale;            // 1 / what the leaf's weights integrate to
    std::vector<std::uint8_t> quantised;
    const double* weights = nullptr;  // of a histogram's bytes; a call for each costs as much as the rest
    std::vector<float> mean;
    std::vector<float> deviation;

    bool categorical() const { return bin_edges->categorical; }
    std::size_t n_bins() const { return bin_edges->n_bins(); }
    bool gaussian() const { return kind == LeafKind::gaussian && !categorical(); }

    bool holds(std::size_t leaf, std::uint32_t bin) const {
        if (!categorical()) return bin >= low[leaf] && bin < high[leaf];
        return ((members[leaf * n_words + bin / 64] >> (bin % 64)) & 1u) != 0;
    }
    // Weight of a bin inside the leaf's box, before it is multiplied by `scale`.
    double weight_of(std::size_t leaf, std::uint32_t bin) const {
        if (kind != LeafKind::histogram) return 1.0;
        const std::uint32_t b = categorical()
                                    ? leaf_bin[bin]
                                    : leaf_bins_between(low[leaf], high[leaf], n_leaf_bins).leaf_bin_of(bin);
        return weights[quantised[leaf * n_leaf_bins + b]];
    }

    // Calls visit(first bin, one behind the last, weight) for stretches of constant weight, in order. A
    // Gaussian has none.
    template <class Visit>
    void for_each_stretch(std::size_t leaf, Visit&& visit) const {
        if (categorical()) {
            for_each_member(leaf, [&](std::uint32_t bin) {
                visit(bin, bin + 1, kind == LeafKind::histogram ? weight_of(leaf, bin) : 1.0);
            });
            return;
        }
        if (kind != LeafKind::histogram) return visit(low[leaf], high[leaf], 1.0);
        const std::uint8_t* bytes = quantised.data() + leaf * n_leaf_bins;
        std::uint32_t before = 0;
        leaf_bins_between(low[leaf], high[leaf], n_leaf_bins)
            .for_each_begin([&](std::uint32_t b, std::uint32_t bin) {
                if (b > 0) visit(before, bin, weights[bytes[b - 1]]);
                before = bin;
            });
    }

    template <class Visit>
    void for_each_member(std::size_t leaf, Visit&& visit) const {
        for (std::size_t w = 0; w < n_words; ++w) {
            for (std::uint64_t word = members[leaf * n_words + w]; word != 0; word &= word - 1)
                visit(static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(std::countr_zero(word))));
        }
    }
};

class LeafTable {
  public:
    // Keeps a reference to the mixture. Throws std::invalid_argument where its trees have leaves of several
    // kinds, which no fitted mixture has.
    LeafTable(const Mixture& mixture, std::size_t n_threads, const Watch& watch);

    const Mixture& mixture() const { return mixture_; }
    std::size_t n_columns() const { return columns_.size(); }
    std::size_t n_leaves() const { return mass_.size(); }
    const ColumnLeaves& column(std::size_t j) const { return columns_[j]; }
    // Probability of each leaf, its tree's weight in it.
    const std::vector<double>& mass() const { return mass_; }
    // Number of the first leaf of each tree, and of all leaves at the end.
    const std::vector<std::size_t>& first_leaf() const { return first_leaf_; }
    std::size_t bytes() const;

  private:
    void make_room(std::size_t j);
    void read_tree(std::size_t t);
    template <class NormalizerOf>
    void read_leaf(std::size_t t, const TreeNode& node, const Box& box, const NormalizerOf& normalizer_of);

    const Mixture& mixture_;
    std::vector<ColumnLeaves> columns_;
    std::vector<double> mass_;
    std::vector<std::size_t> first_leaf_;
};

// ∫ of a Gaussian piece's weight between two points of its box, and its weight at a point.
double gaussian_integral(const ColumnLeaves& column, std::size_t leaf, double low, double high);
double gaussian_weight(const ColumnLeaves& column, std::size_t leaf, double point);

}  // namespace boxwood
