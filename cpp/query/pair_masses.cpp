// Probabilities of cells of columns, in pairs and leaf by leaf.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "query/cell_masses.hpp"
#include "query/conditioned.hpp"
#include "query/leaf_event.hpp"

namespace boxwood {

std::vector<double> Conditioned::pair_masses(std::size_t a, const std::vector<std::uint32_t>& cells_a,
                                             std::size_t b, const std::vector<std::uint32_t>& cells_b) const {
    CellMasses of_a(leaves_.column(a), cells_a);
    CellMasses of_b(leaves_.column(b), cells_b);
    const std::size_t n_b = cells_b.size() - 1;
    std::vector<double> sums((cells_a.size() - 1) * n_b, 0.0);
    for (std::size_t i = 0; i < n_boxes(); ++i) {
        const CubeEvent* own_a = boxes_[i].event_of(a);
        const CubeEvent* own_b = boxes_[i].event_of(b);
        for (std::size_t k = 0; k < weights_[i].leaf.size(); ++k) {
            const std::size_t leaf = weights_[i].leaf[k];
            double weight = weights_[i].weight[k];
            if (own_a != nullptr) weight /= probability_of(leaves_.column(a), leaf, *own_a);
            if (own_b != nullptr) weight /= probability_of(leaves_.column(b), leaf, *own_b);
            of_a.enter(leaf, own_a);
            of_b.enter(leaf, own_b);
            for (std::uint32_t c = of_a.first(); c < of_a.end(); ++c) {
                const double mass = weight * of_a.mass()[c];
                if (mass == 0.0) continue;
                double* const row = sums.data() + c * n_b;
                for (std::uint32_t d = of_b.first(); d < of_b.end(); ++d) row[d] += mass * of_b.mass()[d];
            }
        }
    }
    return sums;
}

std::vector<double> Conditioned::cell_masses(const std::vector<std::size_t>& columns,
                                             const std::vector<std::vector<std::uint32_t>>& cells,
                                             std::size_t first, std::size_t n) const {
    if (cells.size() != columns.size()) throw std::invalid_argument("every column has its cells");
    std::vector<CellMasses> masses;
    std::size_t n_cells = 0;
    for (std::size_t a = 0; a < columns.size(); ++a) {
        masses.emplace_back(leaves_.column(columns[a]), cells[a]);
        n_cells += cells[a].size() - 1;
    }
    std::vector<double> found(n * n_cells, 0.0);
    double* row = found.data();
    for (std::size_t i = 0; i < n_boxes(); ++i) {
        const LeafWeights& of_box = weights_[i];
        for (std::size_t k = first; k < of_box.leaf.size() && row != found.data() + found.size(); ++k) {
            const double weight = std::sqrt(of_box.weight[k]);
            for (std::size_t a = 0; a < columns.size(); ++a) {
                const CubeEvent* own = boxes_[i].event_of(columns[a]);
                masses[a].enter(of_box.leaf[k], own);
                // The weight has the probability of the column's own event in it, and so have the masses.
                const double factor = own == nullptr ? weight
                                                     : weight / probability_of(leaves_.column(columns[a]),
                                                                               of_box.leaf[k], *own);
                for (std::uint32_t c = masses[a].first(); c < masses[a].end(); ++c)
                    row[c] = factor * masses[a].mass()[c];
                row += cells[a].size() - 1;
            }
        }
        first -= std::min(first, of_box.leaf.size());
    }
    return found;
}

}  // namespace boxwood
