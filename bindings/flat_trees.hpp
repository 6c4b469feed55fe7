// Trees and their leaves as a dictionary of flat arrays, as Python keeps and saves them.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "mixture/flat_mixture.hpp"
#include "tree/supervised/flat_forest.hpp"

namespace boxwood::bindings {

using FlatTrees = nanobind::typed<nanobind::dict, nanobind::str, nanobind::any>;

// node_start, set_start, feature, left, cut, mass, count, sets, words_per_set, leaf_kind, n_bins, levels,
// mean, deviation.
FlatTrees to_dict(FlatMixture&& flat);

// Decision and regression trees; `fill` is what stands for missing numbers along directions, a column.
FlatTrees to_dict(FlatForest&& forest, const std::vector<double>& fill);

// The trees of such a dictionary; std::invalid_argument where lengths do not fit.
std::vector<MixtureTree> from_dict(const FlatTrees& flat);

}  // namespace boxwood::bindings
