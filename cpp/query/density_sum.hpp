// The density of a column, added up over leaves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "query/leaf_event.hpp"

namespace boxwood {

// Most leaves are not cut along a given column: their histograms have the same bins and are added up as they
// are, in a third of the time that bins of all widths take. Categories of a leaf are no stretches: each is
// added to its own bin, which takes 40 % of the time that differences between neighbours take.
class DensitySum {
  public:
    // Keeps a reference to the column.
    explicit DensitySum(const ColumnLeaves& column)
        : column_(column),
          difference_(column.n_bins() + 1, 0.0),
          whole_(leaf_bins_between(0, static_cast<std::uint32_t>(column.n_bins()),
                                   column.kind == LeafKind::histogram ? column.n_leaf_bins : 1)) {
        if (column.kind == LeafKind::histogram) sums_.assign(whole_.n_leaf_bins, 0.0);
        if (column.kind == LeafKind::histogram && column.categorical()) of_bin_.assign(column.n_bins(), 0.0);
    }

    // Adds mass times a leaf's density.
    void add(std::size_t leaf, double mass) {
        if (sums_.empty()) return add_density(column_, leaf, mass, difference_.data());
        if (is_whole(leaf)) return add_whole(leaf, mass * column_.scale[leaf]);
        if (of_bin_.empty()) return add_density(column_, leaf, mass, difference_.data());
        add_members(leaf, mass * column_.scale[leaf]);
    }

    // Adds the densities of many leaves, each times its mass, in their order: to the bit what one call of
    // `add` for each adds.
    void add_all(std::span<const std::uint32_t> leaves, const double* masses) {
        if (sums_.size() == usual_leaf_bins && column_.n_leaf_bins == usual_leaf_bins && of_bin_.empty())
            return add_usual(leaves, masses);
        for (std::size_t k = 0; k < leaves.size(); ++k) add(leaves[k], masses[k]);
    }

    std::size_t n_bins() const { return column_.n_bins(); }

    // Writes the density in u of each bin.
    void write(double* out) {
        sum_differences(difference_.data(), column_.n_bins());
        std::copy_n(difference_.data(), column_.n_bins(), out);
        if (sums_.empty()) return;
        for (std::uint32_t bin = 0; bin < column_.n_bins(); ++bin) out[bin] += sums_[whole_.leaf_bin_of(bin)];
        for (std::size_t bin = 0; bin < of_bin_.size(); ++bin) out[bin] += of_bin_[bin];
    }

  private:
    static constexpr std::uint32_t usual_leaf_bins = 16;

    // Ordered columns of histograms of 16 bins. Their number known to the compiler, the sums of whole leaves
    // stay in registers, and where a bin begins takes a shift: 789,000 leaves of a column with 1,023 bins
    // take 8 ms, and 19 one by one.
    void add_usual(std::span<const std::uint32_t> leaves, const double* masses) {
        constexpr std::uint32_t n = usual_leaf_bins;
        const std::uint32_t* const low = column_.low.data();
        const std::uint32_t* const high = column_.high.data();
        const double* const scale = column_.scale.data();
        const double* const weights = column_.weights;
        const std::uint8_t* const quantised = column_.quantised.data();
        const auto n_bins = static_cast<std::uint32_t>(column_.n_bins());
        double* const difference = difference_.data();
        std::array<double, n> sums{};
        std::copy_n(sums_.data(), n, sums.data());
        for (std::size_t k = 0; k < leaves.size(); ++k) {
            const std::size_t leaf = leaves[k];
            const std::uint32_t first = low[leaf];
            const std::uint32_t width = high[leaf] - first;
            const double factor = masses[k] * scale[leaf];
            std::array<std::uint8_t, n> bytes;
            std::memcpy(bytes.data(), quantised + leaf * n, n);
            if (width == n_bins) {
                for (std::uint32_t b = 0; b < n; ++b) sums[b] += factor * weights[bytes[b]];
                continue;
            }
            double before = 0.0;
            const auto add_from = [&](std::uint32_t bin, std::uint32_t b) {
                const double density = factor * weights[bytes[b]];
                difference[bin] += density - before;
                before = density;
            };
            if (width < n) {  // a bin of the column has one of its own
                for (std::uint32_t b = 0; b < width; ++b) add_from(first + b, b);
            } else {
                for (std::uint32_t b = 0; b < n; ++b) add_from(first + (b * width + n - 1) / n, b);
            }
            difference[first + width] -= before;
        }
        std::copy_n(sums.data(), n, sums_.data());
    }

    const std::uint8_t* bytes_of(std::size_t leaf) const {
        return column_.quantised.data() + leaf * column_.n_leaf_bins;
    }

    void add_whole(std::size_t leaf, double scale) {
        const std::uint8_t* bytes = bytes_of(leaf);
        for (std::size_t b = 0; b < sums_.size(); ++b) sums_[b] += scale * column_.weights[bytes[b]];
    }

    void add_members(std::size_t leaf, double scale) {
        const std::uint8_t* bytes = bytes_of(leaf);
        column_.for_each_member(leaf, [&](std::uint32_t bin) {
            of_bin_[bin] += scale * column_.weights[bytes[column_.leaf_bin[bin]]];
        });
    }

    bool is_whole(std::size_t leaf) const {
        const std::size_t n = column_.n_bins();
        if (!column_.categorical()) return column_.low[leaf] == 0 && column_.high[leaf] == n;
        const std::uint64_t* words = column_.members.data() + leaf * column_.n_words;
        for (std::size_t w = 0; w + 1 < column_.n_words; ++w) {
            if (~words[w] != 0) return false;
        }
        return words[column_.n_words - 1] == (~std::uint64_t{0} >> (64 * column_.n_words - n));
    }

    const ColumnLeaves& column_;
    std::vector<double> difference_;
    LeafBinRange whole_;  // bins of a histogram over the whole column
    std::vector<double> sums_;
    std::vector<double> of_bin_;  // of leaves with some of the categories
};

// Several sums over the same column, one after another.
inline std::vector<double> written_densities(std::vector<DensitySum>& sums) {
    std::vector<double> found;
    for (DensitySum& sum : sums) {
        found.resize(found.size() + sum.n_bins());
        sum.write(found.data() + found.size() - sum.n_bins());
    }
    return found;
}

}  // namespace boxwood
