#include "tree/density/node_counts.hpp"

#include <algorithm>

namespace boxwood {

namespace {

// Most rows that are counted column by column instead, and the bins a row from which on that pays.
constexpr std::size_t few_rows = 32;
constexpr std::size_t bins_a_row = 4;

}  // namespace

NodeCounts::NodeCounts(const BinnedRows& data)
    : first_(data.n_columns(), 0), first_word_(data.n_columns(), 0) {
    for (std::size_t j = 0; j < data.n_columns(); ++j) {
        if (data.exact(j) || (*data.columns)[j].categorical) continue;
        ordered_.push_back(j);
        first_[j] = n_bins_;
        n_bins_ += (*data.columns)[j].n_bins();
        first_word_[j] = n_words_;
        n_words_ += ((*data.columns)[j].n_bins() + 63) / 64;
    }
}

bool NodeCounts::pays(const GrowBox& box, std::size_t n_rows) const {
    if (ordered_.empty()) return false;
    if (n_rows > few_rows) return true;
    std::size_t n_bins = 0;
    for (std::size_t j : ordered_) n_bins += box.ranges[j].high - box.ranges[j].low;
    return n_bins <= bins_a_row * n_rows * ordered_.size();
}

NodeCounts::Handle NodeCounts::count(const RowPartition& rows, std::size_t begin, std::size_t n_rows,
                                     const GrowBox& box) {
    if (spare_->empty()) {
        // Without zeroes, which count() writes where they are needed. (Older libc++ has no
        // make_unique_for_overwrite.)
        auto counts = std::make_unique<Counts>();
        counts->n.reset(new double[n_bins_]);
        counts->occupied.reset(new std::uint64_t[n_words_]);
        spare_->push_back(std::move(counts));
    }
    Handle handle(spare_->back().release(),
                  [spare = spare_](Counts* counts) { spare->push_back(std::unique_ptr<Counts>(counts)); });
    spare_->pop_back();
    const double* weights = rows.weights(begin);
    for (std::size_t j : ordered_) {
        double* column = handle->n.get() + first_[j];
        std::uint64_t* occupied = handle->occupied.get() + first_word_[j];
        const ColumnRange& range = box.ranges[j];
        std::fill(column + range.low, column + range.high, 0.0);
        std::fill(occupied + range.low / 64, occupied + (range.high + 63) / 64, std::uint64_t{0});
        const std::uint16_t* bins = rows.bins(begin) + j;
        for (std::size_t i = 0; i < n_rows; ++i) {
            const std::size_t bin = bins[i * rows.stride()];
            const double weight = weights == nullptr ? 1.0 : weights[i];
            column[bin] += weight;
            occupied[bin / 64] |= std::uint64_t{1} << (bin % 64);
        }
    }
    return handle;
}

void NodeCounts::subtract(const RowPartition& rows, std::size_t begin, std::size_t end,
                          std::size_t split_column, const Handle& handle) const {
    const double* weights = rows.weights(begin);
    for (std::size_t j : ordered_) {
        if (j == split_column) continue;  // the box of the larger half ends at the threshold
        double* column = handle->n.get() + first_[j];
        std::uint64_t* occupied = handle->occupied.get() + first_word_[j];
        const std::uint16_t* bins = rows.bins(begin) + j;
        for (std::size_t i = 0; i < end - begin; ++i) {
            const std::size_t bin = bins[i * rows.stride()];
            column[bin] -= weights == nullptr ? 1.0 : weights[i];
            occupied[bin / 64] &= ~(std::uint64_t{column[bin] <= 0.0} << (bin % 64));
        }
    }
}

}  // namespace boxwood
