#include "query/leaf_table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "mixture/leaf_density.hpp"
#include "mixture/leaf_walk.hpp"

namespace boxwood {

LeafTable::LeafTable(const Mixture& mixture, std::size_t n_threads, const Watch& watch)
    : mixture_(mixture), columns_(mixture.n_columns()) {
    const Leaves& first = mixture.trees().front().leaves;
    if (first.kind == LeafKind::gaussian_full)
        throw std::invalid_argument("leaves of full covariance are no products of columns");
    first_leaf_.push_back(0);
    for (const auto& [tree, leaves] : mixture.trees()) {
        if (leaves.kind != first.kind || leaves.n_leaf_bins != first.n_leaf_bins)
            throw std::invalid_argument("trees with leaves of several kinds cannot be asked together");
        first_leaf_.push_back(first_leaf_.back() + tree.n_leaves);
    }
    mass_.assign(first_leaf_.back(), 0.0);
    for (std::size_t j = 0; j < n_columns(); ++j) make_room(j);
    run_tasks(mixture.n_trees(), n_threads, [&](std::size_t t) { read_tree(t); }, watch);
}

void LeafTable::make_room(std::size_t j) {
    const Leaves& leaves = mixture_.trees().front().leaves;
    ColumnLeaves& column = columns_[j];
    column.bin_edges = &mixture_.columns()[j];
    column.kind = leaves.kind;
    column.scale.assign(n_leaves(), 0.0);
    const auto n_bins = static_cast<std::uint32_t>(column.n_bins());
    if (column.categorical()) {
        column.n_words = (n_bins + 63) / 64;
        column.members.assign(n_leaves() * column.n_words, 0);
    } else {
        column.low.assign(n_leaves(), 0);
        column.high.assign(n_leaves(), 0);
    }
    if (leaves.kind == LeafKind::histogram) {
        column.n_leaf_bins = static_cast<std::uint32_t>(leaves.n_leaf_bins);
        column.quantised.assign(n_leaves() * leaves.n_leaf_bins, 0);
        column.weights = quantised_weights().data();
        if (std::has_single_bit(column.n_leaf_bins)) column.shift = std::countr_zero(column.n_leaf_bins);
        const LeafBinRange range = leaf_bins_between(0, n_bins, leaves.n_leaf_bins);
        for (std::uint32_t bin = 0; column.categorical() && bin < n_bins; ++bin)
            column.leaf_bin.push_back(range.leaf_bin_of(bin));
    } else if (column.gaussian()) {
        column.mean.assign(n_leaves(), 0.0f);
        column.deviation.assign(n_leaves(), 1.0f);
    }
}

void LeafTable::read_tree(std::size_t t) {
    const auto& [tree, leaves] = mixture_.trees()[t];
    LeafWalk(tree, leaves, mixture_.columns())
        .for_each_leaf([&](const TreeNode& node, const Box& box, const auto& normalizer_of) {
            read_leaf(t, node, box, normalizer_of);
        });
}

template <class NormalizerOf>
void LeafTable::read_leaf(std::size_t t, const TreeNode& node, const Box& box,
                          const NormalizerOf& normalizer_of) {
    const Leaves& leaves = mixture_.trees()[t].leaves;
    const std::size_t leaf = first_leaf_[t] + node.leaf;
    mass_[leaf] = mixture_.weights()[t] * node.mass;
    for (std::size_t j = 0; j < n_columns(); ++j) {
        ColumnLeaves& column = columns_[j];
        column.scale[leaf] = 1.0 / normalizer_of(j);
        if (column.categorical()) {
            for (std::uint32_t bin : box.members(j))
                column.members[leaf * column.n_words + bin / 64] |= std::uint64_t{1} << (bin % 64);
        } else {
            column.low[leaf] = box.low(j);
            column.high[leaf] = box.high(j);
        }
        if (column.kind == LeafKind::histogram) {
            const std::uint8_t* from = leaves.quantised_of(node.leaf, j, n_columns());
            std::copy(from, from + leaves.n_leaf_bins, column.quantised.data() + leaf * leaves.n_leaf_bins);
        } else if (column.gaussian()) {
            column.mean[leaf] = leaves.mean[node.leaf * n_columns() + j];
            column.deviation[leaf] = leaves.deviation[node.leaf * n_columns() + j];
        }
    }
}

std::size_t LeafTable::bytes() const {
    const auto size = [](const auto& part) { return part.capacity() * sizeof(part[0]); };
    std::size_t sum = size(mass_);
    for (const ColumnLeaves& column : columns_) {
        sum += size(column.low) + size(column.high) + size(column.members) + size(column.scale) +
               size(column.quantised) + size(column.mean) + size(column.deviation);
    }
    return sum;
}

namespace {

double upper_tail(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

}  // namespace

double gaussian_integral(const ColumnLeaves& column, std::size_t leaf, double low, double high) {
    const std::vector<double>& u = column.bin_edges->u;
    low = std::max(low, u[column.low[leaf]]);
    high = std::min(high, u[column.high[leaf]]);
    if (!(low < high)) return 0.0;
    const double deviation = column.deviation[leaf];
    const double a = (low - column.mean[leaf]) / deviation;
    const double b = (high - column.mean[leaf]) / deviation;
    // By the tail that does not cancel.
    const double mass = a > 0.0 ? upper_tail(a) - upper_tail(b) : upper_tail(-b) - upper_tail(-a);
    return deviation * std::sqrt(2.0 * std::numbers::pi) * mass;
}

double gaussian_weight(const ColumnLeaves& column, std::size_t leaf, double point) {
    return std::exp(gaussian_log_weight(point, column.mean[leaf], column.deviation[leaf]));
}

}  // namespace boxwood
