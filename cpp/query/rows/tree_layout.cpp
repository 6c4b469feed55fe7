#include "query/rows/tree_layout.hpp"

#include <cmath>
#include <numbers>

namespace boxwood {

namespace {

// Words are read four at once.
constexpr std::size_t few_words = 4;
// Columns with more bins would make a leaf's bytes too many for a cache.
constexpr std::size_t most_narrow_bins = 128;

}  // namespace

BytePlaces::BytePlaces(const LeafTable& leaves) : first_(leaves.n_columns(), 0) {
    for (std::size_t j = 0; j < leaves.n_columns(); ++j) {
        n_bins_.push_back(leaves.column(j).n_bins());
        if (n_bins_[j] > most_narrow_bins) {
            wide_.push_back(j);
            continue;
        }
        narrow_.push_back(j);
        first_[j] = static_cast<std::uint32_t>(n_places_);
        n_places_ += n_bins_[j];
    }
}

bool TreeLayout::fits(const LeafTable& leaves) {
    const LeafKind kind = leaves.column(0).kind;
    return kind == LeafKind::histogram || kind == LeafKind::uniform;
}

TreeLayout::TreeLayout(const LeafTable& leaves, std::size_t tree)
    : leaves_(leaves), first_leaf_(leaves.first_leaf()[tree]) {
    const std::size_t n = leaves.first_leaf()[tree + 1] - first_leaf_;
    n_words_ = (n + 64 * few_words - 1) / (64 * few_words) * few_words;
    all_.assign(n_words_, 0);
    for (std::size_t i = 0; i < n; ++i) {
        if (leaves.mass()[first_leaf_ + i] > 0.0) all_[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    if (!leaves.mixture().leaf_bin_factors().empty()) factors_ = leaves.mixture().leaf_bin_factors().data();
    find_holders(n);
    find_scores(tree, n);
    if (leaves.column(0).kind == LeafKind::histogram) find_bytes(n);
}

void TreeLayout::find_holders(std::size_t n) {
    std::size_t n_bins = 0;
    for (std::size_t j = 0; j < leaves_.n_columns(); ++j) {
        first_bin_.push_back(n_bins);
        n_bins += leaves_.column(j).n_bins();
    }
    holders_.assign(n_bins * n_words_, 0);
    for (std::size_t j = 0; j < leaves_.n_columns(); ++j) {
        const ColumnLeaves& column = leaves_.column(j);
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

void TreeLayout::find_scores(std::size_t tree, std::size_t n) {
    const Leaves& payload = leaves_.mixture().trees()[tree].leaves;
    const double log_weight = std::log(leaves_.mixture().weights()[tree]);
    mantissa_.resize(n);
    exponent_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (!(leaves_.mass()[first_leaf_ + i] > 0.0)) continue;
        const double octaves = (payload.log_scale[i] + log_weight) / std::numbers::ln2;
        exponent_[i] = static_cast<std::int32_t>(std::floor(octaves));
        mantissa_[i] = std::exp2(octaves - std::floor(octaves));
    }
}

void TreeLayout::find_bytes(std::size_t n) {
    const BytePlaces places(leaves_);
    bytes_a_leaf_ = (places.n_places() + 15) / 16 * 16;
    bytes_.assign(n * bytes_a_leaf_, 0);
    for (std::size_t i = 0; i < n; ++i) bytes_[i * bytes_a_leaf_] = 255;
    for (const std::size_t j : places.narrow()) {
        const ColumnLeaves& column = leaves_.column(j);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t leaf = first_leaf_ + i;
            std::uint8_t* const to = bytes_.data() + i * bytes_a_leaf_ + places.first_place(j);
            const std::uint8_t* from = column.quantised.data() + leaf * column.n_leaf_bins;
            if (column.categorical()) {
                column.for_each_member(leaf,
                                       [&](std::uint32_t bin) { to[bin] = from[column.leaf_bin[bin]]; });
                continue;
            }
            std::uint32_t before = 0;
            leaf_bins_between(column.low[leaf], column.high[leaf], column.n_leaf_bins)
                .for_each_begin([&](std::uint32_t b, std::uint32_t bin) {
                    for (std::uint32_t k = before; b > 0 && k < bin; ++k) to[k] = from[b - 1];
                    before = bin;
                });
        }
    }
}

}  // namespace boxwood
