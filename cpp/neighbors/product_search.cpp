#include "neighbors/product_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "neighbors/point_kernels.hpp"

namespace boxwood {

namespace {

constexpr std::size_t kTask = 192;  // queries a task: whole tiles of every kernel, and they fit the cache
constexpr float kNoBound = std::numeric_limits<float>::max();

// With u = 2⁻²⁴: rounding x and q to single precision costs 2u·|q||x|, adding n_dims products and the offset
// (n_dims + 2)·u·(|q||x| + ½|x|²), rounding offset and threshold u each of values below |q||x| + ½|x|². A
// quarter more covers the squares of u and the rounding of the norms; numbers too small for single precision
// are off by less than 2⁻¹²⁶ each.
double error_bound(std::size_t n_dims, double query_norm, double norm) {
    const double size = query_norm * norm + 0.5 * norm * norm;
    const double n = static_cast<double>(n_dims);
    return 1.25 * (n + 8.0) * 0x1p-24 * (size + 0.5 * query_norm * query_norm * 0x1p-24) +
           (n + 1.0) * 0x1p-120 * (1.0 + query_norm + norm);
}

double squared_distance(const double* a, const double* b, std::size_t n_dims) {
    double sum = 0.0;
    for (std::size_t d = 0; d < n_dims; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

}  // namespace

ProductSearch::ProductSearch(const double* rows, std::size_t n_rows, std::size_t n_dims)
    : n_dims_(n_dims),
      panel_points_(point_kernels().panel_points),
      centre_(n_dims),
      rows_(n_rows * n_dims),
      row_(n_rows),
      place_(n_rows) {
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t d = 0; d < n_dims; ++d) centre_[d] += rows[i * n_dims + d];
    }
    for (double& c : centre_) c /= static_cast<double>(n_rows);
    std::vector<double> norm(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
        norm[i] = std::sqrt(squared_distance(rows + i * n_dims, centre_.data(), n_dims));
    }
    std::vector<std::uint32_t> order(n_rows);
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return norm[a] < norm[b] || (norm[a] == norm[b] && a < b);
    });
    const double largest = n_rows > 0 ? norm[order.back()] : 0.0;
    if (largest > 0.0) scale_ = std::ldexp(1.0, -std::ilogb(largest) - 1);

    const std::size_t n_panels = (n_rows + panel_points_ - 1) / panel_points_;
    panels_.assign(n_panels * panel_points_ * n_dims, 0.0f);
    offsets_.assign(n_panels * panel_points_, std::numeric_limits<float>::infinity());
    norms_.assign(n_panels, 0.0);
    for (std::size_t place = 0; place < n_rows; ++place) {
        const std::uint32_t row = order[place];
        const double* x = rows + row * n_dims;
        row_[place] = row;
        place_[row] = static_cast<std::uint32_t>(place);
        std::copy(x, x + n_dims, rows_.begin() + static_cast<std::ptrdiff_t>(place * n_dims));
        const std::size_t panel = panel_of(place);
        float* out = panels_.data() + panel * panel_points_ * n_dims + place % panel_points_;
        for (std::size_t d = 0; d < n_dims; ++d) {
            out[d * panel_points_] = static_cast<float>((x[d] - centre_[d]) * scale_);
        }
        const double scaled = norm[row] * scale_;
        offsets_[place] = static_cast<float>(0.5 * scaled * scaled);
        norms_[panel] = scaled;
    }
}

// The queries of one task, their nearest rows so far, and the thresholds that follow from these.
class ProductSearch::Block {
  public:
    Block(const ProductSearch& search, const double* queries, std::size_t n_queries, std::size_t k)
        : search_(search),
          kernels_(point_kernels()),
          queries_(queries),
          n_queries_(n_queries),
          n_tiles_((n_queries + kernels_.tile_queries - 1) / kernels_.tile_queries),
          lists_(n_queries, NeighborList(k)),
          norms_(n_queries),
          tiles_(n_tiles_ * kernels_.tile_queries * search.n_dims_, 0.0f),
          thresholds_(n_tiles_ * kernels_.tile_queries, -kNoBound) {
        for (std::size_t i = 0; i < n_queries; ++i) add(i);
    }

    void scan(std::size_t panel) {
        for (std::size_t tile = 0; tile < n_tiles_; ++tile) scan(panel, tile);
    }

    NeighborList& list(std::size_t i) { return lists_[i]; }

  private:
    void add(std::size_t i) {
        const std::size_t n_dims = search_.n_dims_;
        const double* q = queries_ + i * n_dims;
        const std::size_t width = kernels_.tile_queries;
        float* out = tiles_.data() + i / width * width * n_dims + i % width;
        for (std::size_t d = 0; d < n_dims; ++d) {
            out[d * width] = static_cast<float>((q[d] - search_.centre_[d]) * search_.scale_);
        }
        norms_[i] = std::sqrt(squared_distance(q, search_.centre_.data(), n_dims)) * search_.scale_;
    }

    // Rows whose bracket is above this are farther than the bound; without one all rows are asked.
    float threshold(std::size_t i, double norm) const {
        // A query far outside may overflow single precision: then no product says anything.
        if (!lists_[i].is_full() || !(norms_[i] < 0x1p60)) return kNoBound;
        const double reach = lists_[i].bound() * search_.scale_ * search_.scale_;
        const double t = 0.5 * (reach - norms_[i] * norms_[i]) +
                         error_bound(search_.n_dims_, norms_[i], norm) +
                         0x1p-50 * (reach + norms_[i] * norms_[i]);
        return std::nextafter(static_cast<float>(t), kNoBound);
    }

    void scan(std::size_t panel, std::size_t tile) {
        const std::size_t width = kernels_.tile_queries;
        const std::size_t first = tile * width;
        const std::size_t n = std::min(width, n_queries_ - first);
        const std::size_t points = search_.panel_points_;
        const float* offsets = search_.offsets_.data() + panel * points;
        for (std::size_t i = 0; i < n; ++i)
            thresholds_[first + i] = threshold(first + i, search_.norms_[panel]);
        std::uint32_t masks[kLargestTile];
        kernels_.products(search_.panels_.data() + panel * points * search_.n_dims_, offsets,
                          tiles_.data() + first * search_.n_dims_, search_.n_dims_,
                          thresholds_.data() + first, masks);
        for (std::size_t i = 0; i < n; ++i) {
            if (!(norms_[first + i] < 0x1p60)) masks[i] = ~std::uint32_t{0} >> (32 - points);
            if (masks[i] != 0) offer(first + i, panel * points, masks[i]);
        }
    }

    void offer(std::size_t i, std::size_t place, std::uint32_t mask) {
        const std::size_t n_dims = search_.n_dims_;
        for (; mask != 0; mask &= mask - 1) {
            const std::size_t at = place + static_cast<std::size_t>(std::countr_zero(mask));
            if (at >= search_.row_.size() || search_.row_[at] < 0) continue;
            const double distance =
                squared_distance(search_.rows_.data() + at * n_dims, queries_ + i * n_dims, n_dims);
            if (distance <= lists_[i].bound()) lists_[i].offer(distance, search_.row_[at]);
        }
    }

    const ProductSearch& search_;
    const PointKernels& kernels_;
    const double* queries_;
    std::size_t n_queries_;
    std::size_t n_tiles_;
    std::vector<NeighborList> lists_;
    std::vector<double> norms_;
    std::vector<float> tiles_;  // [tile][dim][query]
    std::vector<float> thresholds_;
};

void ProductSearch::query(const double* queries, std::size_t n_queries, std::size_t k, std::size_t n_threads,
                          double* distances, std::int64_t* rows, const Watch& watch) const {
    const std::size_t n_panels = norms_.size();
    const auto answer = [&](std::size_t task) {
        const std::size_t first = task * kTask;
        const std::size_t n = std::min(kTask, n_queries - first);
        Block block(*this, queries + first * n_dims_, n, k);
        for (std::size_t panel = 0; panel < n_panels; ++panel) block.scan(panel);
        for (std::size_t i = 0; i < n; ++i) {
            write_found(block.list(i).sorted(), k, distances + (first + i) * k, rows + (first + i) * k,
                        [](double kept) { return std::sqrt(kept); });
        }
    };
    if (n_queries == 1) return answer(0);
    run_tasks((n_queries + kTask - 1) / kTask, n_threads, answer, watch);
}

void ProductSearch::remove(std::size_t row) {
    offsets_[place_[row]] = std::numeric_limits<float>::infinity();
    row_[place_[row]] = -1;
}

}  // namespace boxwood
