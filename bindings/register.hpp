// One registering function a topic; module.cpp calls them all.
#pragma once

#include <nanobind/nanobind.h>

namespace boxwood::bindings {

void register_scan(nanobind::module_& module);

}  // namespace boxwood::bindings
