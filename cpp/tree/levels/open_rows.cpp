#include "tree/levels/open_rows.hpp"

namespace boxwood {

void OpenRowsView::require_nodes(std::size_t n_nodes) const {
    if (begin.size() != n_nodes + 1 || begin.back() != rows.size())
        throw std::invalid_argument("the rows are not those of the tree's level");
}

OpenRows sample_part(const RowsToSample& part, const SampleOptions& options, std::size_t tree) {
    SampleOptions of_part = options;
    of_part.part_of_table = true;
    const std::vector<double> sample = draw_sample(of_part, tree, part);
    OpenRows found;
    bool all_one = true;
    for (std::size_t row = 0; row < part.n_rows; ++row) {
        if (!(sample[row] > 0.0)) continue;
        found.rows.push_back(static_cast<std::uint32_t>(row));
        found.weights.push_back(sample[row]);
        all_one = all_one && sample[row] == 1.0;
    }
    if (all_one) found.weights.clear();
    found.begin = {0, found.rows.size()};
    return found;
}

std::uint64_t first_taken(const TakenRows& taken, std::size_t k) {
    std::uint64_t first = 0;
    for (std::size_t before = 0; before < k; ++before) first += taken.n_rows[before];
    return first;
}

}  // namespace boxwood
