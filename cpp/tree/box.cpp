#include "tree/box.hpp"

#include <cmath>

namespace boxwood {

Box::Box(const std::vector<BinEdges>& columns)
    : columns_(&columns), low_(columns.size(), 0), high_(columns.size()), width_(columns.size(), 1.0) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
        high_[j] = static_cast<std::uint32_t>(columns[j].n_bins());
        if (!columns[j].categorical) continue;
        members_.resize(
            columns.size());  // left empty where no column needs it: boxes are copied at every node
        for (std::uint32_t bin = 0; bin < high_[j]; ++bin) members_[j].push_back(bin);
    }
}

Box Box::child(const Tree& tree, const TreeNode& node, bool left) const {
    Box box = *this;
    box.shrink(tree, node, left);
    return box;
}

void Box::take_child(const Box& parent, const Tree& tree, const TreeNode& node, bool left) {
    *this = parent;
    shrink(tree, node, left);
}

void Box::shrink(const Tree& tree, const TreeNode& node, bool left) {
    const auto j = static_cast<std::size_t>(node.feature);
    if (categorical(j)) {
        std::erase_if(members_[j],
                      [&](std::uint32_t bin) { return tree.in_set(node.threshold, bin) != left; });
    } else {
        (left ? high_[j] : low_[j]) = node.threshold;
    }
    width_[j] = width_of_bins(j, 0, n_bins(j));
}

Box::Part Box::part(std::size_t j) const {
    return {low_[j], high_[j], categorical(j) ? members_[j] : std::vector<std::uint32_t>(), width_[j]};
}

void Box::set_part(std::size_t j, const Part& part) {
    low_[j] = part.low;
    high_[j] = part.high;
    if (categorical(j)) members_[j] = part.members;
    width_[j] = part.width;
}

double Box::width_of_bins(std::size_t j, std::size_t k, std::size_t l) const {
    const std::vector<double>& u = bin_edges(j).u;
    if (!categorical(j)) return u[low_[j] + l] - u[low_[j] + k];
    double width = 0.0;
    for (std::size_t i = k; i < l; ++i) width += u[members_[j][i] + 1] - u[members_[j][i]];
    return width;
}

double Box::volume() const { return std::exp(log_volume()); }

double Box::log_volume() const {
    double sum = 0.0;
    for (double width : width_) sum += std::log(width);
    return sum;
}

}  // namespace boxwood
