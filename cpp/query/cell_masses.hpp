// What a leaf has of cells of a column's bins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "query/cube_event.hpp"
#include "query/leaf_event.hpp"
#include "query/leaf_table.hpp"

namespace boxwood {

// A leaf's probability of each cell along one column, and which cells it has.
class CellMasses {
  public:
    CellMasses(const ColumnLeaves& pieces, const std::vector<std::uint32_t>& cells)
        : pieces_(pieces), cells_(cells), mass_(cells.size() - 1), cell_of_bin_(pieces.n_bins()) {
        if (cells.size() < 2 || cells.front() != 0 || cells.back() != pieces.n_bins() ||
            std::adjacent_find(cells.begin(), cells.end(), std::greater_equal<>()) != cells.end())
            throw std::invalid_argument("cells must ascend over all bins");
        for (std::uint32_t c = 0; c < mass_.size(); ++c)
            std::fill(cell_of_bin_.begin() + cells[c], cell_of_bin_.begin() + cells[c + 1], c);
        const std::vector<double>& u = pieces.bin_edges->u;
        widths_.resize(u.size());
        for (std::size_t bin = 0; bin < u.size(); ++bin) widths_[bin] = u[bin];
    }

    void enter(std::size_t leaf, const CubeEvent* own) {
        const double* below = own == nullptr ? widths_.data() : own->below().data();
        const double scale = pieces_.scale[leaf];
        first_ = static_cast<std::uint32_t>(mass_.size());
        end_ = 0;
        const auto add = [&](std::uint32_t cell, double mass) {
            if (cell < first_ || cell >= end_) {
                const std::uint32_t first = std::min(first_, cell);
                const std::uint32_t end = std::max(end_, cell + 1);
                if (first_ >= end_) {
                    mass_[cell] = 0.0;
                } else {
                    std::fill(mass_.begin() + first, mass_.begin() + first_, 0.0);
                    std::fill(mass_.begin() + end_, mass_.begin() + end, 0.0);
                }
                first_ = first;
                end_ = end;
            }
            mass_[cell] += mass;
        };
        if (pieces_.gaussian()) {
            const std::vector<double>& u = pieces_.bin_edges->u;
            for (std::uint32_t bin = pieces_.low[leaf]; bin < pieces_.high[leaf]; ++bin) {
                const double mean =
                    gaussian_integral(pieces_, leaf, u[bin], u[bin + 1]) / (u[bin + 1] - u[bin]);
                add(cell_of_bin_[bin], scale * mean * (below[bin + 1] - below[bin]));
            }
            return;
        }
        pieces_.for_each_stretch(leaf, [&](std::uint32_t first, std::uint32_t end, double weight) {
            while (first < end) {
                const std::uint32_t cell = cell_of_bin_[first];
                const std::uint32_t stop = std::min(end, cells_[cell + 1]);
                add(cell, scale * weight * (below[stop] - below[first]));
                first = stop;
            }
        });
    }

    std::uint32_t first() const { return first_; }
    std::uint32_t end() const { return end_; }
    const double* mass() const { return mass_.data(); }

  private:
    const ColumnLeaves& pieces_;
    const std::vector<std::uint32_t>& cells_;
    std::vector<double> mass_;
    std::vector<std::uint32_t> cell_of_bin_;
    std::vector<double> widths_;
    std::uint32_t first_ = 0;
    std::uint32_t end_ = 0;
};

}  // namespace boxwood
