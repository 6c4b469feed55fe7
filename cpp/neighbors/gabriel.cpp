#include "neighbors/gabriel.hpp"

#include <algorithm>
#include <cmath>

namespace boxwood {

namespace {

constexpr std::size_t kTask = 64;
constexpr std::size_t kNearest = 32;  // rows that are tried first as what lies between

// Searches around one row a. A row c that was found between a and some b hides from a all that lies beyond
// the plane through c across a − c: these `blockers` cut off most boxes before anything inside is looked at.
class Search {
  public:
    Search(const KdTree& tree, const double* rows, const std::int64_t* classes)
        : tree_(tree), rows_(rows), classes_(classes), dims_(tree.n_dims()) {}

    bool has_enemy(std::size_t row, const std::int64_t* nearest, std::size_t n_nearest) {
        row_ = row;
        a_ = rows_ + row * dims_;
        blockers_.assign(nearest, nearest + n_nearest);
        return visit(0);
    }

  private:
    const double* at(std::int64_t row) const { return rows_ + static_cast<std::size_t>(row) * dims_; }

    // Negative where c lies inside the ball between a and b.
    double side(const double* b, const double* c) const {
        double sum = 0.0;
        for (std::size_t d = 0; d < dims_; ++d) sum += (a_[d] - c[d]) * (b[d] - c[d]);
        return sum;
    }

    // Whether c lies between a and every b of a box. Each term takes its largest value at an end of the box,
    // and rounding is monotone: no b inside can have a larger sum.
    bool hides_box(const double* box, const double* c) const {
        double sum = 0.0;
        for (std::size_t d = 0; d < dims_; ++d) {
            const double slope = a_[d] - c[d];
            const double* ends = box + 2 * kChildren * d;
            sum += slope * ((slope > 0.0 ? ends[kChildren] : ends[0]) - c[d]);
        }
        return sum < 0.0;
    }

    // What has hidden something last is asked first the next time.
    template <class Hides>
    bool hidden(Hides&& hides) {
        for (std::size_t i = 0; i < blockers_.size(); ++i) {
            if (!hides(at(blockers_[i]))) continue;
            std::rotate(blockers_.begin(), blockers_.begin() + static_cast<std::ptrdiff_t>(i),
                        blockers_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            return true;
        }
        return false;
    }

    bool visit(std::size_t node) {
        double distance[kChildren];
        kernels_.boxes[0](tree_.boxes(node), dims_, a_, 2.0, 0.0, distance);
        unsigned order[kChildren];
        for (unsigned i = 0; i < kChildren; ++i) order[i] = i;
        std::sort(order, order + kChildren,
                  [&](unsigned i, unsigned j) { return distance[i] < distance[j]; });
        for (const unsigned i : order) {
            if (std::isinf(distance[i])) return false;
            const double* box = tree_.boxes(node) + i;
            if (hidden([&](const double* c) { return hides_box(box, c); })) continue;
            const std::int32_t child = tree_.nodes()[node].child[i];
            const bool found =
                child < 0 ? scan(static_cast<std::size_t>(~child)) : visit(static_cast<std::size_t>(child));
            if (found) return true;
        }
        return false;
    }

    bool scan(std::size_t leaf) {
        const std::int64_t* rows = tree_.leaf_rows(leaf);
        for (std::size_t lane = 0; lane < kLeaf && rows[lane] >= 0; ++lane) {
            const std::int64_t row = rows[lane];
            if (classes_[row] == classes_[row_]) continue;
            b_ = at(row);
            if (hidden([&](const double* c) { return side(b_, c) < 0.0; })) continue;
            const std::int64_t between = find_between(0);
            if (between < 0) return true;
            blockers_.insert(blockers_.begin(), between);
        }
        return false;
    }

    // A row inside the ball between a and b; −1 where there is none.
    std::int64_t find_between(std::size_t node) const {
        const KdTree::Node& children = tree_.nodes()[node];
        for (std::size_t i = 0; i < kChildren; ++i) {
            if (!may_hold_between(tree_.boxes(node) + i)) continue;
            const std::int32_t child = children.child[i];
            const std::int64_t found = child < 0 ? scan_between(static_cast<std::size_t>(~child))
                                                 : find_between(static_cast<std::size_t>(child));
            if (found >= 0) return found;
        }
        return -1;
    }

    std::int64_t scan_between(std::size_t leaf) const {
        const std::int64_t* rows = tree_.leaf_rows(leaf);
        for (std::size_t lane = 0; lane < kLeaf && rows[lane] >= 0; ++lane) {
            if (side(b_, at(rows[lane])) < 0.0) return rows[lane];
        }
        return -1;
    }

    // The sum is least at the box's point nearest to the ball's middle; rounding there is no longer monotone,
    // so that a box is looked into where the sum is within the error of 0.
    bool may_hold_between(const double* box) const {
        double sum = 0.0;
        double size = 0.0;
        for (std::size_t d = 0; d < dims_; ++d) {
            const double low = box[2 * kChildren * d];
            const double high = box[2 * kChildren * d + kChildren];
            if (std::isinf(low)) return false;
            const double c = std::clamp(0.5 * a_[d] + 0.5 * b_[d], low, high);
            const double term = (a_[d] - c) * (b_[d] - c);
            sum += term;
            size += std::fabs(term);
        }
        return sum <= 1e-12 * size;
    }

    const KdTree& tree_;
    const double* rows_;
    const std::int64_t* classes_;
    const PointKernels& kernels_ = point_kernels();
    std::size_t dims_;
    std::size_t row_ = 0;
    const double* a_ = nullptr;
    const double* b_ = nullptr;
    std::vector<std::int64_t> blockers_;
};

}  // namespace

std::vector<std::uint8_t> has_gabriel_enemy(const KdTree& tree, const double* rows,
                                            const std::int64_t* classes, std::size_t n_threads,
                                            const Watch& watch) {
    const std::size_t n = tree.n_rows();
    const std::size_t k = std::min(n, kNearest);
    std::vector<double> distances(n * k);
    std::vector<std::int64_t> nearest(n * k);
    tree.query(rows, n, k, n_threads, distances.data(), nearest.data(), watch);
    std::vector<std::uint8_t> out(n, 0);
    run_tasks((n + kTask - 1) / kTask, n_threads,
              [&](std::size_t task) {
                  Search search(tree, rows, classes);
                  for (std::size_t i = task * kTask; i < std::min(n, (task + 1) * kTask); ++i) {
                      out[i] = search.has_enemy(i, nearest.data() + i * k, k) ? 1 : 0;
                  }
              },
              watch);
    return out;
}

}  // namespace boxwood
