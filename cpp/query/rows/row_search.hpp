// The leaves that rows would fall into whatever their value of one column; a block of rows together.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "mixture/leaf_density.hpp"
#include "query/leaf_table.hpp"

namespace boxwood {

inline constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();
inline constexpr std::size_t nothing_free = no_column - 1;
inline constexpr std::uint32_t unknown_bin = std::numeric_limits<std::uint32_t>::max();
// Rows that go down a tree together: with their sums they stay in a cache.
inline constexpr std::size_t most_rows = 512;
// What pieces integrate to lies between 2^−20 or so and 1: the product of so many is a number.
inline constexpr std::size_t few_columns = 8;
inline constexpr double log_of_step = 0.6931471805599453 / steps_per_octave;

// A row in bins; kept for a block of rows, so that a tree is read once for all of them.
struct RowBins {
    std::vector<std::uint32_t> bin;       // unknown_bin where the value is not known
    std::vector<std::uint32_t> leaf_bin;  // of a leaf that is the whole cube
};

// Finds the leaves of one tree that a row would fall into whatever its value of one column.
class LeafSearch {
  public:
    LeafSearch(const LeafTable& leaves, const std::vector<double>& normalizer)
        : leaves_(leaves),
          normalizer_(normalizer),
          mixture_(leaves.mixture()),
          d_(leaves.n_columns()),
          factors_(mixture_.leaf_bin_factors().data()),
          has_factors_(!mixture_.leaf_bin_factors().empty()),
          low_(d_),
          high_(d_),
          place_(d_) {
        for (std::size_t j = 0; j < d_; ++j) {
            categorical_.push_back(mixture_.columns()[j].categorical ? 1 : 0);
            high_[j] = static_cast<std::uint32_t>(mixture_.columns()[j].n_bins());
        }
    }

    RowBins bins_of(const double* point) const {
        RowBins row{std::vector<std::uint32_t>(d_), std::vector<std::uint32_t>(d_, 0)};
        for (std::size_t j = 0; j < d_; ++j) {
            row.bin[j] = std::isnan(point[j]) ? unknown_bin : mixture_.columns()[j].bin_of(point[j]);
            if (leaves_.column(j).kind != LeafKind::histogram || row.bin[j] == unknown_bin) continue;
            const auto n_bins = static_cast<std::uint32_t>(mixture_.columns()[j].n_bins());
            row.leaf_bin[j] =
                leaf_bins_between(0, n_bins, leaves_.column(j).n_leaf_bins).leaf_bin_of(row.bin[j]);
        }
        return row;
    }

    // Calls visit(leaf, free column or no_column, log of mass times the density of all other known columns
    // over the scales of what is summed out). With `only` that column is free, which may be nothing_free;
    // without it every one in turn:
    // a leaf that holds the whole row is visited once, with no free column.
    template <class Visit>
    void for_each_leaf(std::size_t tree, const RowBins& row, const double* point, std::size_t only,
                       Visit&& visit) {
        tree_ = tree;
        tree_of_ = &mixture_.trees()[tree].tree;
        nodes_ = tree_of_->nodes.data();
        leaves_of_tree_ = &mixture_.trees()[tree].leaves;
        n_leaf_bins_ = static_cast<std::uint32_t>(leaves_of_tree_->n_leaf_bins);
        bin_ = row.bin.data();
        point_ = point;
        unknown_.clear();
        for (std::size_t j = 0; j < d_; ++j) {
            place_[j] = static_cast<std::uint32_t>(j) * n_leaf_bins_ + row.leaf_bin[j];
            if (bin_[j] == unknown_bin) unknown_.push_back(j);
        }
        go_down(0, only, visit);
    }

    // Of a leaf that holds the whole row, the weight of one column that is no Gaussian.
    double weight_of(std::size_t number, std::size_t j) const {
        const ColumnLeaves& column = leaves_.column(j);
        return column.kind == LeafKind::histogram ? column.weights[bytes_of(number)[place_[j]]] : 1.0;
    }
    double log_gaussian(const ColumnLeaves& column, std::size_t leaf, std::size_t j) const {
        return gaussian_log_weight(point_[j], column.mean[leaf], column.deviation[leaf]);
    }

  private:
    template <class Visit>
    void go_down(std::uint32_t at, std::size_t free, Visit& visit) {
        const TreeNode& node = nodes_[at];
        if (node.is_leaf()) {
            if (node.mass > 0.0) add_leaf(node.leaf, free, visit);
            return;
        }
        const auto s = static_cast<std::size_t>(node.feature);
        const bool categorical = categorical_[s] != 0;
        if (s == free || bin_[s] == unknown_bin) {
            for (const bool left : {true, false}) enter(node, s, left, categorical, false, free, visit);
            return;
        }
        const bool own = tree_of_->goes_left(node, bin_[s], categorical);
        enter(node, s, own, categorical, true, free, visit);
        if (free != no_column) return;
        const std::uint32_t place = place_[s];
        place_[s] = static_cast<std::uint32_t>(s) * n_leaf_bins_;
        enter(node, s, !own, categorical, false, s, visit);
        place_[s] = place;
    }

    // Goes into a child. Where the row is `inside` it along an ordered column, its bin of the leaves'
    // histograms there is found anew: once for all leaves below.
    template <class Visit>
    void enter(const TreeNode& node, std::size_t s, bool left, bool categorical, bool inside,
               std::size_t free, Visit& visit) {
        const std::uint32_t child = node.left + (left ? 0 : 1);
        if (categorical) return go_down(child, free, visit);
        std::uint32_t& bound = left ? high_[s] : low_[s];
        const std::uint32_t before = bound;
        const std::uint32_t place = place_[s];
        bound = node.threshold;
        if (inside) find_place(s);
        go_down(child, free, visit);
        bound = before;
        place_[s] = place;
    }

    void find_place(std::size_t s) {
        const std::uint32_t leaf_bin =
            has_factors_       ? FastLeafBins::leaf_bin_of(bin_[s] - low_[s], factors_[high_[s] - low_[s]])
            : n_leaf_bins_ > 0 ? leaf_bins_between(low_[s], high_[s], n_leaf_bins_).leaf_bin_of(bin_[s])
                               : 0;
        place_[s] = static_cast<std::uint32_t>(s) * n_leaf_bins_ + leaf_bin;
    }

    const std::uint8_t* bytes_of(std::size_t number) const {
        return leaves_of_tree_->quantised.data() + number * d_ * n_leaf_bins_;
    }

    template <class Visit>
    void add_leaf(std::uint32_t number, std::size_t free, Visit& visit) const {
        const Leaves& payload = *leaves_of_tree_;
        const std::size_t leaf = leaves_.first_leaf()[tree_] + number;
        double log = payload.log_scale[number];
        if (payload.kind == LeafKind::histogram) {
            const std::uint8_t* bytes = bytes_of(number);
            std::int32_t sum = 0;
            for (std::size_t j = 0; j < d_; ++j) sum += bytes[place_[j]];
            if (free < d_) sum += 255 - bytes[place_[free]];
            for (const std::size_t j : unknown_) {
                if (j != free) sum += 255 - bytes[place_[j]];
            }
            log += log_of_step * (sum - 255 * static_cast<std::int32_t>(d_));
        } else if (payload.kind == LeafKind::gaussian) {
            for (std::size_t j = 0; j < d_; ++j) {
                if (j != free && categorical_[j] == 0 && bin_[j] != unknown_bin)
                    log += log_gaussian(leaves_.column(j), leaf, j);
            }
        }
        double product = 1.0;  // one logarithm for a few columns: it takes as long as all the rest
        std::size_t n = 0;
        for (const std::size_t j : unknown_) {
            if (j == free) continue;
            product *= normalizer_[leaf * d_ + j];
            if (++n % few_columns != 0) continue;
            log += std::log(product);
            product = 1.0;
        }
        if (n % few_columns != 0) log += std::log(product);
        visit(number, leaf, free, log);
    }

    const LeafTable& leaves_;
    const std::vector<double>& normalizer_;
    const Mixture& mixture_;
    std::size_t d_;
    const std::uint64_t* factors_;
    bool has_factors_;
    std::vector<char> categorical_;
    std::vector<std::uint32_t> low_;
    std::vector<std::uint32_t> high_;
    std::size_t tree_ = 0;
    const TreeNode* nodes_ = nullptr;
    const Leaves* leaves_of_tree_ = nullptr;
    const std::uint32_t* bin_ = nullptr;
    const double* point_ = nullptr;
    const Tree* tree_of_ = nullptr;
    std::uint32_t n_leaf_bins_ = 0;
    std::vector<std::uint32_t> place_;  // of each column, its byte among those of a leaf
    std::vector<std::size_t> unknown_;
};

// Sums of exponentials, kept as sum·exp(shift) so that nothing overflows.
class ShiftedSums {
  public:
    explicit ShiftedSums(std::size_t n) : sums_(n, 0.0) {}
    // exp(log) as a number that may be added to a sum.
    double scaled(double log) {
        if (log > shift_ + 300.0) {
            for (double& sum : sums_) sum *= sum == 0.0 ? 0.0 : std::exp(shift_ - log);
            shift_ = log;
        }
        return std::exp(log - shift_);
    }
    double& operator[](std::size_t i) { return sums_[i]; }
    double* data() { return sums_.data(); }

  private:
    std::vector<double> sums_;
    double shift_ = -std::numeric_limits<double>::infinity();
};

// A block of rows, each with sums that all trees add to.
class RowBlock {
  public:
    RowBlock(const LeafTable& leaves, const std::vector<double>& normalizer, const double* points,
             std::size_t n, std::size_t n_sums)
        : leaves_(leaves), search_(leaves, normalizer), points_(points), sums_(n, ShiftedSums(n_sums)) {
        for (std::size_t i = 0; i < n; ++i) rows_.push_back(search_.bins_of(point(i)));
    }

    bool known(std::size_t i, std::size_t j) const { return rows_[i].bin[j] != unknown_bin; }
    ShiftedSums& sums(std::size_t i) { return sums_[i]; }
    const LeafSearch& search() const { return search_; }

    // Calls visit(row, number in its tree, leaf, free column, log + log of the tree's weight).
    template <class Visit>
    void for_each_leaf(std::size_t only, Visit&& visit) {
        const Mixture& mixture = leaves_.mixture();
        for (std::size_t t = 0; t < mixture.n_trees(); ++t) {
            if (!(mixture.weights()[t] > 0.0)) continue;
            const double log_weight = std::log(mixture.weights()[t]);
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                search_.for_each_leaf(t, rows_[i], point(i), only,
                                      [&](std::size_t number, std::size_t leaf, std::size_t free,
                                          double log) { visit(i, number, leaf, free, log + log_weight); });
            }
        }
    }

  private:
    const double* point(std::size_t i) const { return points_ + i * leaves_.n_columns(); }

    const LeafTable& leaves_;
    LeafSearch search_;
    const double* points_;
    std::vector<ShiftedSums> sums_;
    std::vector<RowBins> rows_;
};

}  // namespace boxwood
