#include "query/rows/shared_leaves.hpp"

#include <algorithm>
#include <stdexcept>

namespace boxwood {

void check_leaves(LeavesOfRows rows, const LeafValues& values) {
    const std::size_t n_trees = values.n_trees();
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        for (std::size_t t = 0; t < n_trees; ++t) {
            if (rows.leaf[i * n_trees + t] >= values.first[t + 1] - values.first[t])
                throw std::invalid_argument("a tree has no such leaf");
        }
    }
}

void shared_leaves(LeavesOfRows a, LeavesOfRows b, const LeafValues& values, double* out,
                   std::size_t n_threads, const Watch& watch) {
    const std::size_t n_trees = values.n_trees();
    std::vector<double> weight(a.n_rows * n_trees);  // of the leaves of a's rows, side by side
    for (std::size_t i = 0; i < a.n_rows; ++i) {
        for (std::size_t t = 0; t < n_trees; ++t)
            weight[i * n_trees + t] = values.weight[values.first[t] + a.leaf[i * n_trees + t]];
    }
    constexpr std::size_t block = 16;
    run_tasks((a.n_rows + block - 1) / block, n_threads,
              [&](std::size_t task) {
                  const std::size_t end = std::min(a.n_rows, (task + 1) * block);
                  for (std::size_t j = 0; j < b.n_rows; ++j) {
                      const std::uint32_t* const right = b.leaf + j * n_trees;
                      for (std::size_t i = task * block; i < end; ++i) {
                          const std::uint32_t* const left = a.leaf + i * n_trees;
                          const double* const counts = weight.data() + i * n_trees;
                          double sum = 0.0;
                          for (std::size_t t = 0; t < n_trees; ++t)
                              sum += left[t] == right[t] ? counts[t] : 0.0;
                          out[i * b.n_rows + j] = sum;
                      }
                  }
              },
              watch);
}

}  // namespace boxwood
