// Trees and their leaves as flat arrays, as Python keeps and saves them.
#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <vector>

#include "mixture/mixture.hpp"

namespace boxwood::bindings {

using FlatTrees = nanobind::typed<nanobind::dict, nanobind::str, nanobind::any>;

// A dictionary of arrays: node_start, set_start, feature, left, cut, mass, count, sets, words_per_set,
// leaf_kind, n_bins, levels, mean, deviation.
FlatTrees flatten(std::span<const MixtureTree> trees);

const char* name_of(LeafKind kind);

// The trees and leaves of such a dictionary; std::invalid_argument where lengths do not fit.
void unflatten(const FlatTrees& flat, std::vector<Tree>& trees, std::vector<Leaves>& leaves);

}  // namespace boxwood::bindings
