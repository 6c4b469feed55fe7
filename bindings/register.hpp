// One registering function a topic; module.cpp calls them all.
#pragma once

#include <nanobind/nanobind.h>

namespace boxwood::bindings {

void register_bins(nanobind::module_& module);
void register_boost(nanobind::module_& module);
void register_column_moments(nanobind::module_& module);
void register_evidence(nanobind::module_& module);
void register_grow(nanobind::module_& module);
void register_adaptive_grid(nanobind::module_& module);
void register_mixture(nanobind::module_& module);
void register_neighbors(nanobind::module_& module);
void register_piecewise_cdf(nanobind::module_& module);
void register_ranks(nanobind::module_& module);
void register_scan(nanobind::module_& module);
void register_supervised(nanobind::module_& module);
void register_fourier_features(nanobind::module_& module);

}  // namespace boxwood::bindings
