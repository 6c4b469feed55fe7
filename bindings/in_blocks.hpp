// Work on the rows of a table in blocks, which threads share; Ctrl-C is heard between blocks.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/parallel.hpp"
#include "interrupt.hpp"

namespace boxwood::bindings {

// Calls work(begin, n) for each block of rows; a row's result must not depend on its block.
template <class Work>
void in_blocks(std::size_t n_rows, std::size_t n_threads, const Work& work) {
    constexpr std::size_t block = 16'384;
    const nb::object nobody = nb::none();
    const Watch watch = watch_signals(nobody);
    nb::gil_scoped_release nogil;
    StopSignal stop;
    const auto check = stop.check();
    run_tasks((n_rows + block - 1) / block, n_threads,
              [&](std::size_t i) {
                  check();
                  work(i * block, std::min(block, n_rows - i * block));
              },
              stop.watching(watch));
}

}  // namespace boxwood::bindings
