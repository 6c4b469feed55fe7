// Ctrl-C and progress while the core works without the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include "base/parallel.hpp"

namespace boxwood::bindings {

// Called by the waiting thread: raises KeyboardInterrupt where Ctrl-C came, then tells `progress` (may be
// None).
inline Watch watch_signals(const nanobind::object& progress) {
    return [&progress](std::size_t n_done) {
        nanobind::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        if (!progress.is_none()) progress(n_done);
    };
}

}  // namespace boxwood::bindings
