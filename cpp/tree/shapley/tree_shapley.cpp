#include "tree/shapley/tree_shapley.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace boxwood {

// What one row needs on its ways; products and sums have an entry for each depth.
struct TreeShapley::Workspace {
    std::vector<Frame> frames;
    std::vector<char> known;       // o of each node's edge
    std::vector<double> products;  // depth × point
    std::vector<double> sums;      // depth × output × point
};

TreeShapley::TreeShapley(FittedTrees trees, std::vector<double> counts, std::vector<double> responses,
                         std::size_t n_outputs)
    : trees_(std::move(trees)),
      counts_(std::move(counts)),
      responses_(std::move(responses)),
      n_outputs_(n_outputs) {
    check_trees(trees_);
    if (!trees_.directions.empty()) throw std::invalid_argument("directions have no Shapley values");
    if (counts_.size() != trees_.n_nodes() || responses_.size() != trees_.n_nodes() * n_outputs_)
        throw std::invalid_argument("the arrays of nodes differ in length");
    for (double count : counts_)
        if (!(count > 0.0) || !std::isfinite(count)) throw std::invalid_argument("a node has no rows");
    add_edges();
}

void TreeShapley::add_edges() {
    const std::size_t n = trees_.n_nodes();
    edges_.resize(n);
    std::vector<std::uint32_t> depth(n, 0), n_columns(n, 0), parent(n, 0);
    std::uint32_t most = 1;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (trees_.feature[i] < 0) continue;
        const double both = counts_[trees_.left[i]] + counts_[trees_.left[i] + 1];
        for (const std::uint32_t child : {trees_.left[i], trees_.left[i] + 1}) {
            Edge& edge = edges_[child];
            edge.feature = static_cast<std::uint32_t>(trees_.feature[i]);
            edge.is_left = child == trees_.left[i];
            edge.fraction = counts_[child] / both;
            edge.before = child;
            parent[child] = i;
            depth[child] = depth[i] + 1;
            for (std::uint32_t above = i; depth[above] > 0; above = parent[above]) {
                if (edges_[above].feature != edge.feature) continue;
                edge.before = above;
                edge.fraction *= edges_[above].fraction;
                break;
            }
            n_columns[child] = n_columns[i] + (edge.before == child ? 1 : 0);
            most = std::max(most, n_columns[child]);
            max_depth_ = std::max<std::size_t>(max_depth_, depth[child]);
        }
    }
    rule_ = gauss_legendre((most + 1) / 2);
}

std::vector<double> TreeShapley::expected() const {
    std::vector<double> sums(n_outputs_, 0.0);
    std::vector<double> reached(trees_.n_nodes(), 0.0);
    for (std::uint32_t root : trees_.roots) reached[root] = 1.0 / static_cast<double>(trees_.n_trees());
    for (std::size_t i = 0; i < trees_.n_nodes(); ++i) {
        if (trees_.feature[i] < 0) {
            for (std::size_t k = 0; k < n_outputs_; ++k)
                sums[k] += reached[i] * responses_[i * n_outputs_ + k];
            continue;
        }
        const double both = counts_[trees_.left[i]] + counts_[trees_.left[i] + 1];
        for (const std::uint32_t child : {trees_.left[i], trees_.left[i] + 1})
            reached[child] = reached[i] * (counts_[child] / both);
    }
    return sums;
}

void TreeShapley::values(const double* rows, std::size_t n_rows, double* out, std::size_t n_threads,
                         const Watch& watch) const {
    const std::size_t n_values = n_columns() * n_outputs_, n_points = rule_.points.size();
    const double scale = 1.0 / static_cast<double>(trees_.n_trees());
    constexpr std::size_t block = 16;  // a row alone may take milliseconds
    run_tasks((n_rows + block - 1) / block, n_threads,
              [&](std::size_t task) {
                  Workspace work;
                  work.known.resize(trees_.n_nodes());
                  work.products.resize((max_depth_ + 1) * n_points);
                  work.sums.resize((max_depth_ + 1) * n_points * n_outputs_);
                  for (std::size_t i = task * block; i < std::min(n_rows, (task + 1) * block); ++i) {
                      double* values = out + i * n_values;
                      std::fill_n(values, n_values, 0.0);
                      for (std::uint32_t root : trees_.roots)
                          add_tree(root, rows + i * n_columns(), values, work);
                      for (std::size_t k = 0; k < n_values; ++k) values[k] *= scale;
                  }
              },
              watch);
}

void TreeShapley::add_tree(std::uint32_t root, const double* row, double* out, Workspace& work) const {
    const std::size_t n_points = rule_.points.size(), n_sums = n_points * n_outputs_;
    work.frames.assign(1, {root, 0});
    std::fill_n(work.products.begin(), n_points, 1.0);
    std::fill_n(work.sums.begin(), n_sums, 0.0);
    while (!work.frames.empty()) {
        Frame& frame = work.frames.back();
        if (trees_.feature[frame.node] < 0 || frame.n_visited == 2) {
            leave(frame, out, work);
            continue;
        }
        const std::uint32_t child = trees_.left[frame.node] + frame.n_visited++;
        enter(child, goes_left(trees_, frame.node, row) == edges_[child].is_left, work);
    }
}

// Goes down an edge: the product gets its column's new factor in place of the old one.
void TreeShapley::enter(std::uint32_t child, bool known, Workspace& work) const {
    const std::size_t n_points = rule_.points.size(), depth = work.frames.size();
    const Edge& edge = edges_[child];
    const bool is_first = edge.before == child;
    const double z_before = is_first ? 1.0 : edges_[edge.before].fraction;
    const double o_before = is_first || work.known[edge.before] ? 1.0 : 0.0;
    work.known[child] = known && o_before > 0.0;
    const double o = work.known[child] ? 1.0 : 0.0;
    const double* above = work.products.data() + (depth - 1) * n_points;
    double* product = work.products.data() + depth * n_points;
    for (std::size_t k = 0; k < n_points; ++k) {
        const double t = rule_.points[k];
        product[k] = above[k] * (((1.0 - t) * edge.fraction + t * o) / ((1.0 - t) * z_before + t * o_before));
    }
    std::fill_n(work.sums.begin() + static_cast<std::ptrdiff_t>(depth * n_points * n_outputs_),
                n_points * n_outputs_, 0.0);
    work.frames.push_back({child, 0});
}

// Comes up from a node: its leaves count for its edge, and no longer for the edge above that split the
// column.
void TreeShapley::leave(const Frame& frame, double* out, Workspace& work) const {
    const std::size_t n_points = rule_.points.size(), n_sums = n_points * n_outputs_;
    const std::size_t depth = work.frames.size() - 1;
    const std::uint32_t node = frame.node;
    double* sums = work.sums.data() + depth * n_sums;
    if (trees_.feature[node] < 0) {
        const double* product = work.products.data() + depth * n_points;
        for (std::size_t output = 0; output < n_outputs_; ++output)
            for (std::size_t k = 0; k < n_points; ++k)
                sums[output * n_points + k] = product[k] * responses_[node * n_outputs_ + output];
    }
    work.frames.pop_back();
    if (depth == 0) return;
    add_edge(node, 1.0, sums, out, work);
    if (edges_[node].before != node) add_edge(edges_[node].before, -1.0, sums, out, work);
    double* above = sums - n_sums;
    for (std::size_t k = 0; k < n_sums; ++k) above[k] += sums[k];
}

void TreeShapley::add_edge(std::uint32_t node, double sign, const double* sums, double* out,
                           const Workspace& work) const {
    const std::size_t n_points = rule_.points.size();
    const Edge& edge = edges_[node];
    const double o = work.known[node] ? 1.0 : 0.0;
    const double gain = sign * (o - edge.fraction);
    for (std::size_t k = 0; k < n_points; ++k) {
        const double t = rule_.points[k];
        const double weight = gain * rule_.weights[k] / ((1.0 - t) * edge.fraction + t * o);
        for (std::size_t output = 0; output < n_outputs_; ++output)
            out[edge.feature * n_outputs_ + output] += weight * sums[output * n_points + k];
    }
}

}  // namespace boxwood
