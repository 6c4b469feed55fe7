#include "query/tree_layout.hpp"

#include <cmath>
#include <numbers>

namespace boxwood {

namespace {

// Words are read four at once.
constexpr std::size_t few_words = 4;
// A float finds the bin of a histogram by a multiplication where the product of both numbers of bins is less:
// what is nearest below a whole number then differs from it by more than two roundings.
constexpr std::size_t most_products = std::size_t{1} << 19;
constexpr float above = 1.0f + 0x1p-21f;

}  // namespace

bool TreeLayout::fits(const LeafTable& leaves) {
    for (std::size_t j = 0; j < leaves.n_columns(); ++j) {
        const ColumnLeaves& column = leaves.column(j);
        if (column.kind != LeafKind::histogram && column.kind != LeafKind::uniform) return false;
        if (column.n_bins() * column.n_leaf_bins >= most_products) return false;
    }
    return true;
}

TreeLayout::TreeLayout(const LeafTable& leaves, std::size_t tree)
    : first_leaf_(leaves.first_leaf()[tree]), stride_(stride_of(leaves.n_columns())) {
    const std::size_t n = leaves.first_leaf()[tree + 1] - first_leaf_;
    n_words_ = (n + 64 * few_words - 1) / (64 * few_words) * few_words;
    all_.assign(n_words_, 0);
    for (std::size_t i = 0; i < n; ++i) {
        if (leaves.mass()[first_leaf_ + i] > 0.0) all_[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    find_holders(leaves, n);
    find_scores(leaves, tree, n);
}

void TreeLayout::find_holders(const LeafTable& leaves, std::size_t n) {
    std::size_t n_bins = 0;
    for (std::size_t j = 0; j < leaves.n_columns(); ++j) {
        first_bin_.push_back(n_bins);
        n_bins += leaves.column(j).n_bins();
    }
    holders_.assign(n_bins * n_words_, 0);
    for (std::size_t j = 0; j < leaves.n_columns(); ++j) {
        const ColumnLeaves& column = leaves.column(j);
        std::uint64_t* const rows = holders_.data() + first_bin_[j] * n_words_;
        const auto toggle = [&](std::size_t bin, std::size_t i) {
            rows[bin * n_words_ + i / 64] ^= std::uint64_t{1} << (i % 64);
        };
        bool whole = true;
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t leaf = first_leaf_ + i;
            if (column.categorical()) {
                std::size_t held = 0;
                column.for_each_member(leaf, [&](std::uint32_t bin) {
                    toggle(bin, i);
                    ++held;
                });
                whole = whole && held == column.n_bins();
                continue;
            }
            toggle(column.low[leaf], i);
            if (column.high[leaf] < column.n_bins()) toggle(column.high[leaf], i);
            whole = whole && column.low[leaf] == 0 && column.high[leaf] == column.n_bins();
        }
        if (!whole) split_.push_back(j);
        // Leaves that begin and end at a bin were noted there: what is held is all that was noted before.
        for (std::size_t w = n_words_; !column.categorical() && w < column.n_bins() * n_words_; ++w)
            rows[w] ^= rows[w - n_words_];
    }
}

void TreeLayout::find_scores(const LeafTable& leaves, std::size_t tree, std::size_t n) {
    const std::size_t d = leaves.n_columns();
    const Leaves& payload = leaves.mixture().trees()[tree].leaves;
    const double log_weight = std::log(leaves.mixture().weights()[tree]);
    mantissa_.resize(n);
    exponent_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (!(leaves.mass()[first_leaf_ + i] > 0.0)) continue;
        const double octaves = (payload.log_scale[i] + log_weight) / std::numbers::ln2;
        exponent_[i] = static_cast<std::int32_t>(std::floor(octaves));
        mantissa_[i] = std::exp2(octaves - std::floor(octaves));
    }
    if (payload.kind != LeafKind::histogram) return;
    bytes_ = payload.quantised.data();
    n_leaf_bins_ = payload.n_leaf_bins;
    bytes_a_leaf_ = d * n_leaf_bins_;
    low_.assign(n * stride_, 0.0f);
    factor_.assign(n * stride_, 0.0f);
    for (std::size_t j = 0; j < d; ++j) {
        const ColumnLeaves& column = leaves.column(j);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t at = i * stride_ + j;
            if (column.categorical()) {
                factor_[at] = 1.0f;
                continue;
            }
            const std::uint32_t low = column.low[first_leaf_ + i];
            const LeafBinRange range = leaf_bins_between(low, column.high[first_leaf_ + i], n_leaf_bins_);
            low_[at] = static_cast<float>(low);
            factor_[at] = static_cast<float>(range.n_leaf_bins) / static_cast<float>(range.n_bins) * above;
        }
    }
}

void bins_for_places(const LeafTable& leaves, const std::uint32_t* bins, float* found) {
    for (std::size_t j = 0; j < leaves.n_columns(); ++j) {
        const ColumnLeaves& column = leaves.column(j);
        const bool listed = column.categorical() && column.kind == LeafKind::histogram;
        if (bins[j] >= column.n_bins()) {
            found[j] = 0.0f;  // not known
        } else {
            found[j] = static_cast<float>(listed ? column.leaf_bin[bins[j]] : bins[j]);
        }
    }
}

}  // namespace boxwood
