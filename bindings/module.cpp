#include <nanobind/nanobind.h>

#include "register.hpp"

NB_MODULE(_core, module) {
    using namespace boxwood::bindings;
    module.doc() = "The native core of boxwood.";
    register_scan(module);
}
