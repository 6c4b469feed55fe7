// One registering function a folder of the core; module.cpp calls them all.
#pragma once

#include <nanobind/nanobind.h>

namespace boxwood::bindings {

void register_mapped_memory(nanobind::module_& module);
void register_table(nanobind::module_& module);
void register_margins(nanobind::module_& module);
void register_margin_set(nanobind::module_& module);
void register_binning(nanobind::module_& module);
void register_tree_density(nanobind::module_& module);
void register_tree_supervised(nanobind::module_& module);
void register_tree_shapley(nanobind::module_& module);
void register_density_levels(nanobind::module_& module);
void register_decision_levels(nanobind::module_& module);
void register_mixture(nanobind::module_& module);
void register_ruled_mixture(nanobind::module_& module);
void register_boosting(nanobind::module_& module);
void register_mixture_fits(nanobind::module_& module);
void register_networks(nanobind::module_& module);
void register_histogram(nanobind::module_& module);
void register_neighbors(nanobind::module_& module);
void register_linear(nanobind::module_& module);
void register_query(nanobind::module_& module);

}  // namespace boxwood::bindings
