#include "mixture/fitting/place_sums.hpp"

#include <cstddef>
#include <cstdint>

namespace boxwood {

namespace {

// Returns the place in column j of row number i in the tree's order.
double place_at(const GrownDensityTree& grown, const BinnedRows& data, std::size_t i, std::size_t j) {
    if (grown.bins.empty() || data.points != nullptr) return data.place(grown.rows[i], j);
    const std::vector<double>& u = (*data.columns)[j].u;
    const std::uint16_t bin = grown.bins[i * grown.bin_stride + j];
    return 0.5 * (u[bin] + u[bin + 1]);
}

}  // namespace

std::vector<PlaceSums> sums_of_nodes(const GrownDensityTree& grown, const BinnedRows& data,
                                     const std::vector<double>& weights) {
    const auto& nodes = grown.tree.nodes;
    const std::size_t d = data.n_columns();
    std::vector<PlaceSums> sums(nodes.size() * d);
    for (std::size_t node = nodes.size(); node-- > 0;) {  // children come after their parent
        PlaceSums* own = sums.data() + node * d;
        if (!nodes[node].is_leaf()) {
            const PlaceSums* left = sums.data() + nodes[node].left * d;
            for (std::size_t j = 0; j < d; ++j)
                own[j] = {left[j].places + left[d + j].places, left[j].squares + left[d + j].squares};
            continue;
        }
        for (std::size_t i = grown.begin[node]; i < grown.end[node]; ++i) {
            const double w = weights.empty() ? 1.0 : weights[i];
            for (std::size_t j = 0; j < d; ++j) {
                const double x = place_at(grown, data, i, j);
                own[j].places += w * x;
                own[j].squares += w * x * x;
            }
        }
    }
    return sums;
}

}  // namespace boxwood
