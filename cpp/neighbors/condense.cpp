#include "neighbors/condense.hpp"

#include <bit>
#include <limits>

#include "neighbors/neighbor_list.hpp"
#include "neighbors/point_kernels.hpp"

namespace boxwood {

namespace {

// Memorised rows in blocks as the kernels want them.
class Memory {
  public:
    explicit Memory(std::size_t n_dims)
        : n_dims_(n_dims), leaf_(point_kernels().leaf[static_cast<std::size_t>(Norm::euclidean)]) {}

    std::size_t size() const { return rows_.size(); }
    std::vector<std::int64_t> take_rows() { return std::move(rows_); }

    void add(const double* x, std::int64_t row) {
        const std::size_t lane = rows_.size() % kLeaf;
        if (lane == 0)
            points_.resize(points_.size() + kLeaf * n_dims_, std::numeric_limits<double>::infinity());
        double* out = points_.data() + rows_.size() / kLeaf * kLeaf * n_dims_ + lane;
        for (std::size_t d = 0; d < n_dims_; ++d) out[d * kLeaf] = x[d];
        rows_.push_back(row);
    }

    // The nearest of `best` and the rows from position `from` on. The block that `from` lies in is asked
    // whole.
    Neighbor nearest(const double* x, std::size_t from, Neighbor best) const {
        double distance[kLeaf];
        for (std::size_t block = from / kLeaf; block * kLeaf < rows_.size(); ++block) {
            std::uint32_t mask =
                leaf_(points_.data() + block * kLeaf * n_dims_, n_dims_, x, 2.0, best.distance, distance);
            for (; mask != 0; mask &= mask - 1) {
                const auto lane = static_cast<unsigned>(std::countr_zero(mask));
                const Neighbor candidate{distance[lane], rows_[block * kLeaf + lane]};
                if (candidate < best) best = candidate;
            }
        }
        return best;
    }

  private:
    std::size_t n_dims_;
    PointKernels::Leaf leaf_;
    std::vector<double> points_;
    std::vector<std::int64_t> rows_;
};

constexpr std::size_t kCheckEvery = 256;

}  // namespace

std::vector<std::int64_t> condense(const double* rows, std::size_t n_rows, std::size_t n_dims,
                                   const std::int64_t* classes, const std::int64_t* order, bool one_pass,
                                   const std::function<void()>& check) {
    Memory memory(n_dims);
    if (n_rows == 0) return {};
    std::vector<std::int64_t> left(order, order + n_rows);
    std::vector<Neighbor> nearest(n_rows, {std::numeric_limits<double>::max(), -1});
    std::vector<std::size_t> compared(n_rows, 0);
    bool moved = true;
    while (moved) {
        moved = false;
        std::size_t n_left = 0;
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (check && i % kCheckEvery == 0) check();
            const std::int64_t row = left[i];
            const auto r = static_cast<std::size_t>(row);
            const double* x = rows + r * n_dims;
            nearest[r] = memory.nearest(x, compared[r], nearest[r]);
            compared[r] = memory.size();
            const bool right = nearest[r].row >= 0 && classes[nearest[r].row] == classes[row];
            if (right) {
                left[n_left++] = row;
            } else {
                memory.add(x, row);
                moved = true;
            }
        }
        left.resize(n_left);
        if (one_pass) break;
    }
    return memory.take_rows();
}

}  // namespace boxwood
