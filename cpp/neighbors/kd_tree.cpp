#include "neighbors/kd_tree.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace boxwood {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Queries a task; fewer than this run in the caller's thread.
constexpr std::size_t kTask = 128;

struct Box {
    std::vector<double> low;
    std::vector<double> high;
};

}  // namespace

class KdTree::Builder {
  public:
    Builder(KdTree& tree, const double* rows, std::size_t n_rows)
        : tree_(tree), rows_(rows), dims_(tree.n_dims_), order_(n_rows) {
        std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    }

    void build() {
        const Range all{0, order_.size()};
        // The root is a node even where one leaf holds all rows.
        add_node(all);
    }

  private:
    static std::size_t n_leaves(const Range& range) { return (range.end - range.begin + kLeaf - 1) / kLeaf; }

    Box box_of(const Range& range) const {
        Box box{std::vector<double>(dims_, kInfinity), std::vector<double>(dims_, -kInfinity)};
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const double* x = rows_ + order_[i] * dims_;
            for (std::size_t d = 0; d < dims_; ++d) {
                box.low[d] = std::min(box.low[d], x[d]);
                box.high[d] = std::max(box.high[d], x[d]);
            }
        }
        return box;
    }

    // Cuts across the widest side, so that the left part fills whole leaves.
    std::size_t halve(const Range& range) {
        const Box box = box_of(range);
        std::size_t widest = 0;
        for (std::size_t d = 1; d < dims_; ++d) {
            if (box.high[d] - box.low[d] > box.high[widest] - box.low[widest]) widest = d;
        }
        const std::size_t middle = range.begin + (n_leaves(range) + 1) / 2 * kLeaf;
        const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
        std::nth_element(at(range.begin), at(middle), at(range.end), [&](std::uint32_t a, std::uint32_t b) {
            const double x = rows_[a * dims_ + widest];
            const double y = rows_[b * dims_ + widest];
            return x < y || (x == y && a < b);
        });
        return middle;
    }

    // Three times in two: up to eight parts, in their order along the cuts.
    std::vector<Range> eighths(const Range& range) {
        std::vector<Range> parts{range};
        for (std::size_t n = 1; n < kChildren; n *= 2) {
            std::vector<Range> halves;
            for (const Range& part : parts) {
                if (n_leaves(part) == 1) {
                    halves.push_back(part);
                    continue;
                }
                const std::size_t middle = halve(part);
                halves.push_back({part.begin, middle});
                halves.push_back({middle, part.end});
            }
            parts = std::move(halves);
        }
        return parts;
    }

    std::int32_t add_node(const Range& range) {
        const std::size_t node = tree_.nodes_.size();
        tree_.nodes_.emplace_back();
        tree_.boxes_.resize(tree_.boxes_.size() + 2 * kChildren * dims_);
        const std::vector<Range> parts = eighths(range);
        for (std::size_t i = 0; i < kChildren; ++i) {
            const bool empty = i >= parts.size();
            set_box(node, i,
                    empty ? Box{std::vector<double>(dims_, kInfinity), std::vector<double>(dims_, kInfinity)}
                          : box_of(parts[i]));
            std::int32_t child = 0;
            if (!empty) child = n_leaves(parts[i]) == 1 ? add_leaf(parts[i]) : add_node(parts[i]);
            tree_.nodes_[node].child[i] = child;
        }
        return static_cast<std::int32_t>(node);
    }

    void set_box(std::size_t node, std::size_t child, const Box& box) {
        double* out = tree_.boxes_.data() + node * 2 * kChildren * dims_ + child;
        for (std::size_t d = 0; d < dims_; ++d, out += 2 * kChildren) {
            out[0] = box.low[d];
            out[kChildren] = box.high[d];
        }
    }

    std::int32_t add_leaf(const Range& range) {
        const std::size_t leaf = tree_.n_leaves();
        tree_.points_.resize((leaf + 1) * kLeaf * dims_, kInfinity);
        tree_.row_.resize((leaf + 1) * kLeaf, -1);
        // In ascending order, so that of equal distances the first is met first.
        std::sort(order_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                  order_.begin() + static_cast<std::ptrdiff_t>(range.end));
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const std::size_t lane = i - range.begin;
            const std::uint32_t row = order_[i];
            tree_.row_[leaf * kLeaf + lane] = row;
            tree_.slot_[row] = static_cast<std::uint32_t>(leaf * kLeaf + lane);
            for (std::size_t d = 0; d < dims_; ++d) {
                tree_.points_[(leaf * dims_ + d) * kLeaf + lane] = rows_[row * dims_ + d];
            }
        }
        return ~static_cast<std::int32_t>(leaf);
    }

    KdTree& tree_;
    const double* rows_;
    std::size_t dims_;
    std::vector<std::uint32_t> order_;
};

class KdTree::Search {
  public:
    Search(const KdTree& tree, std::size_t k)
        : tree_(tree),
          list_(k),
          leaf_(point_kernels().leaf[static_cast<std::size_t>(tree.norm_)]),
          boxes_(point_kernels().boxes[static_cast<std::size_t>(tree.norm_)]) {}

    const std::vector<Neighbor>& find(const double* query) {
        list_.clear();
        query_ = query;
        visit(0);
        return list_.sorted();
    }

    std::size_t n_visited() const { return n_visited_; }

  private:
    void visit(std::size_t node) {
        double distance[kChildren];
        std::uint32_t mask =
            boxes_(tree_.boxes(node), tree_.n_dims_, query_, tree_.p_, list_.bound(), distance);
        // Nearest child first.
        unsigned order[kChildren];
        unsigned n = 0;
        for (; mask != 0; mask &= mask - 1) {
            const auto child = static_cast<unsigned>(std::countr_zero(mask));
            unsigned i = n++;
            for (; i > 0 && distance[child] < distance[order[i - 1]]; --i) order[i] = order[i - 1];
            order[i] = child;
        }
        const Node& children = tree_.nodes_[node];
        for (unsigned i = 0; i < n; ++i) {
            if (distance[order[i]] > list_.bound()) return;
            const std::int32_t child = children.child[order[i]];
            if (child < 0) {
                scan(static_cast<std::size_t>(~child));
            } else {
                visit(static_cast<std::size_t>(child));
            }
        }
    }

    void scan(std::size_t leaf) {
        ++n_visited_;
        double distance[kLeaf];
        std::uint32_t mask =
            leaf_(tree_.points(leaf), tree_.n_dims_, query_, tree_.p_, list_.bound(), distance);
        const std::int64_t* rows = tree_.leaf_rows(leaf);
        for (; mask != 0; mask &= mask - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(mask));
            list_.offer(distance[lane], rows[lane]);
        }
    }

    const KdTree& tree_;
    NeighborList list_;
    PointKernels::Leaf leaf_;
    PointKernels::Boxes boxes_;
    const double* query_ = nullptr;
    std::size_t n_visited_ = 0;
};

KdTree::KdTree(const double* rows, std::size_t n_rows, std::size_t n_dims, Norm norm, double p)
    : n_dims_(n_dims), norm_(norm), p_(p), slot_(n_rows) {
    if (n_rows > 0) Builder(*this, rows, n_rows).build();
}

void KdTree::query(const double* queries, std::size_t n_queries, std::size_t k, std::size_t n_threads,
                   double* distances, std::int64_t* rows, const Watch& watch) const {
    const auto answer = [&](Search& search, std::size_t i) {
        write_found(search.find(queries + i * n_dims_), k, distances + i * k, rows + i * k,
                    [&](double kept) { return to_distance(norm_, kept); });
    };
    if (n_queries <= kTask / 4) {
        Search search(*this, k);
        for (std::size_t i = 0; i < n_queries; ++i) answer(search, i);
        return;
    }
    // Queries of one place follow each other: what one of them has read is in the cache for the next.
    const std::vector<std::size_t> order = by_place(queries, n_queries);
    run_tasks((n_queries + kTask - 1) / kTask, n_threads,
              [&](std::size_t task) {
                  Search search(*this, k);
                  const std::size_t end = std::min(n_queries, (task + 1) * kTask);
                  for (std::size_t i = task * kTask; i < end; ++i) answer(search, order[i]);
              },
              watch);
}

std::size_t KdTree::nearest_leaf(const double* query) const {
    const auto boxes_of = point_kernels().boxes[static_cast<std::size_t>(norm_)];
    std::int32_t at = 0;
    double distance[kChildren];
    do {
        const auto node = static_cast<std::size_t>(at);
        boxes_of(boxes(node), n_dims_, query, p_, 0.0, distance);
        at = nodes_[node].child[std::min_element(distance, distance + kChildren) - distance];
    } while (at >= 0);
    return static_cast<std::size_t>(~at);
}

std::vector<std::size_t> KdTree::by_place(const double* queries, std::size_t n_queries) const {
    std::vector<std::pair<std::size_t, std::size_t>> placed(n_queries);
    for (std::size_t i = 0; i < n_queries; ++i) placed[i] = {nearest_leaf(queries + i * n_dims_), i};
    std::sort(placed.begin(), placed.end());
    std::vector<std::size_t> order(n_queries);
    for (std::size_t i = 0; i < n_queries; ++i) order[i] = placed[i].second;
    return order;
}

void KdTree::remove(std::size_t row) {
    const std::size_t leaf = slot_[row] / kLeaf;
    const std::size_t lane = slot_[row] % kLeaf;
    row_[slot_[row]] = -1;
    for (std::size_t d = 0; d < n_dims_; ++d) points_[(leaf * n_dims_ + d) * kLeaf + lane] = kInfinity;
}

void KdTree::copy_row(std::size_t row, double* out) const {
    const double* point = points(slot_[row] / kLeaf) + slot_[row] % kLeaf;
    for (std::size_t d = 0; d < n_dims_; ++d) out[d] = point[d * kLeaf];
}

double KdTree::visited_fraction(std::size_t n_probes, std::size_t k) const {
    if (n_rows() == 0) return 0.0;
    Search search(*this, std::min(k, n_rows()));
    std::vector<double> query(n_dims_);
    n_probes = std::min(n_probes, n_rows());
    for (std::size_t i = 0; i < n_probes; ++i) {
        copy_row(i * (n_rows() / n_probes), query.data());
        search.find(query.data());
    }
    return static_cast<double>(search.n_visited()) / static_cast<double>(n_probes * n_leaves());
}

}  // namespace boxwood
