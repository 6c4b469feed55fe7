#include "boosting/move_chains.hpp"

#include <algorithm>
#include <vector>

namespace boxwood {

void move_chains(std::span<const ChainRows> chains, std::size_t n_rows, double* log_density,
                 std::size_t n_threads, const Watch& watch) {
    constexpr std::size_t block = 16'384;
    const std::size_t n_blocks = (n_rows + block - 1) / block;
    StopSignal stop;
    const auto check = stop.check();
    const auto move = [&](std::size_t task) {
        check();
        const std::size_t k = task / n_blocks;
        const std::size_t begin = task % n_blocks * block;
        const std::size_t n = std::min(block, n_rows - begin);
        const MapChain& chain = *chains[k].chain;
        std::vector<double> logs(n, 0.0);
        move_rows(chain, chains[k].points + begin * chain.n_columns, n, logs.data(), 0, chain.n_trees());
        for (std::size_t i = 0; i < n; ++i) log_density[(begin + i) * chains.size() + k] = logs[i];
    };
    run_tasks(chains.size() * n_blocks, n_threads, move, stop.watching(watch));
}

}  // namespace boxwood
