// Work on the rows of a table in blocks, which threads share.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/parallel.hpp"

namespace boxwood {

// Less work than this is done at once: starting a thread takes as long as some hundred values.
inline constexpr std::size_t least_values = 8192;

// Calls task(0) … task(n_tasks − 1), which look at `n_values` values together, on threads where that is much.
template <class Task>
void in_tasks(std::size_t n_tasks, std::size_t n_threads, std::size_t n_values, const Watch& watch,
              const Task& task) {
    if (n_tasks > 1 && n_values > least_values) return run_tasks(n_tasks, n_threads, task, watch);
    for (std::size_t i = 0; i < n_tasks; ++i) task(i);
}

// How many rows of so many columns a block has: what stays in a cache, and enough blocks for all threads.
inline std::size_t rows_a_block(std::size_t n_rows, std::size_t n_columns, std::size_t n_threads) {
    constexpr std::size_t most_rows = 4096;
    const std::size_t least =
        std::clamp<std::size_t>(least_values / std::max<std::size_t>(n_columns, 1), 16, 512);
    return std::clamp(n_rows / (4 * std::max<std::size_t>(n_threads, 1)), least, most_rows);
}

// Calls work(first, n) for each block of rows; a row's result must not depend on its block.
template <class Work>
void in_row_blocks(std::size_t n_rows, std::size_t n_columns, std::size_t n_threads, const Watch& watch,
                   const Work& work) {
    const std::size_t block = rows_a_block(n_rows, n_columns, n_threads);
    in_tasks((n_rows + block - 1) / block, n_threads, n_rows * n_columns, watch,
             [&](std::size_t i) { work(i * block, std::min(block, n_rows - i * block)); });
}

}  // namespace boxwood
