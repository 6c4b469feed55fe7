// The box of a node: for each column the range, or the set, of its bins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/bin_edges.hpp"
#include "tree/tree.hpp"

namespace boxwood {

class Box {
  public:
    // The whole cube.
    explicit Box(const std::vector<BinEdges>& columns);

    // The two halves of a box that a node divides.
    Box child(const Tree& tree, const TreeNode& node, bool left) const;
    // The same, into a box that exists: its room is used again.
    void take_child(const Box& parent, const Tree& tree, const TreeNode& node, bool left);

    // Becomes one of its halves.
    void shrink(const Tree& tree, const TreeNode& node, bool left);

    // What a box is along one column.
    struct Part {
        std::uint32_t low;
        std::uint32_t high;
        std::vector<std::uint32_t> members;
        double width;
    };
    Part part(std::size_t j) const;
    void set_part(std::size_t j, const Part& part);

    const BinEdges& bin_edges(std::size_t j) const { return (*columns_)[j]; }
    std::size_t n_columns() const { return columns_->size(); }
    bool categorical(std::size_t j) const { return bin_edges(j).categorical; }

    // Bins of an ordered column.
    std::uint32_t low(std::size_t j) const { return low_[j]; }
    std::uint32_t high(std::size_t j) const { return high_[j]; }
    // Bins of a categorical column, ascending.
    const std::vector<std::uint32_t>& members(std::size_t j) const { return members_[j]; }

    std::size_t n_bins(std::size_t j) const {
        return categorical(j) ? members_[j].size() : high_[j] - low_[j];
    }
    // Bin number k of the box along a column.
    std::uint32_t bin(std::size_t j, std::size_t k) const {
        return categorical(j) ? members_[j][k] : low_[j] + static_cast<std::uint32_t>(k);
    }
    // Width of the box along a column, and of its bins k to l − 1.
    double width(std::size_t j) const { return width_[j]; }
    double width_of_bins(std::size_t j, std::size_t k, std::size_t l) const;
    double volume() const;
    double log_volume() const;

  private:
    const std::vector<BinEdges>* columns_;
    std::vector<std::uint32_t> low_;
    std::vector<std::uint32_t> high_;
    std::vector<std::vector<std::uint32_t>> members_;
    std::vector<double> width_;
};

}  // namespace boxwood
