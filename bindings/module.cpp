#include <nanobind/nanobind.h>

#include "register.hpp"

NB_MODULE(_core, module) {
    using namespace boxwood::bindings;
    module.doc() = "The native core of boxwood.";
    // An interpreter that ends while a traceback still holds a model is no leak of ours to report to users.
    nanobind::set_leak_warnings(false);
    register_bins(module);
    register_boost(module);
    register_column_moments(module);
    register_evidence(module);
    register_grow(module);
    register_adaptive_grid(module);
    register_mixture(module);
    register_neighbors(module);
    register_piecewise_cdf(module);
    register_ranks(module);
    register_scan(module);
    register_supervised(module);
    register_fourier_features(module);
}
