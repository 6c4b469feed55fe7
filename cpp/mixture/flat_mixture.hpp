// Trees of a mixture and their leaves as flat arrays, as Python keeps and saves them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "mixture/mixture.hpp"
#include "tree/flat_nodes.hpp"

namespace boxwood {

struct FlatMixture {
    FlatNodes nodes;
    std::vector<double> mass;                   // of each node
    std::vector<std::int64_t> set_start = {0};  // of each tree's sets, and the end of the last
    std::vector<std::uint64_t> sets;
    std::size_t words_per_set = 0;
    Leaves leaves;  // of all trees, one after another
};

// The same where it lies: copies of all arrays at once would double the memory of a large forest.
struct FlatMixtureView {
    std::span<const std::int64_t> node_start;
    std::span<const std::int64_t> set_start;
    std::span<const std::int32_t> feature;
    std::span<const std::uint32_t> left;
    std::span<const std::uint32_t> threshold;
    std::span<const double> mass;
    std::span<const double> count;
    std::span<const std::uint64_t> sets;
    std::size_t words_per_set = 0;
    LeafKind kind = LeafKind::uniform;
    std::size_t n_leaf_bins = 0;
    std::span<const std::uint8_t> quantised;
    std::span<const float> mean;
    std::span<const float> deviation;
};

FlatMixture flatten(std::span<const MixtureTree> trees);

// The trees and leaves of such arrays; std::invalid_argument where lengths do not fit. What they hold is not
// looked at: that is what Mixture does.
std::vector<MixtureTree> unflatten(const FlatMixtureView& flat);

std::string_view name_of(LeafKind kind);
// std::invalid_argument where there is none of that name.
LeafKind leaf_kind_of(std::string_view name);

}  // namespace boxwood
