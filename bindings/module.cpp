#include <nanobind/nanobind.h>

#include "register.hpp"

NB_MODULE(_core, module) {
    using namespace boxwood::bindings;
    module.doc() = "The native core of boxwood.";
    // An interpreter that ends while a traceback still holds a model is no leak of ours to report to users.
    nanobind::set_leak_warnings(false);
    register_mapped_memory(module);
    register_table(module);
    register_margins(module);
    register_margin_set(module);
    register_binning(module);
    register_tree_density(module);
    register_tree_supervised(module);
    register_tree_shapley(module);
    register_density_levels(module);
    register_decision_levels(module);
    register_mixture(module);
    register_ruled_mixture(module);
    register_boosting(module);
    register_mixture_fits(module);
    register_networks(module);
    register_histogram(module);
    register_neighbors(module);
    register_linear(module);
    register_query(module);
}
