#include "mixture/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/random.hpp"
#include "mixture/gaussian/full_gaussian.hpp"
#include "mixture/leaf_density.hpp"
#include "mixture/leaf_walk.hpp"
#include "tree/box.hpp"

namespace boxwood {

namespace {

// Draws of a point that is not accepted.
constexpr int most_draws = 64;

// Columns split at shared bin edges have fewer bins.
constexpr std::size_t most_factors = 4096;

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

// Factors of covariances: rows and columns of level columns are 0, and categories are level.
void check_full_gaussians(const Leaves& leaves, std::size_t n_leaves, const std::vector<BinEdges>& columns) {
    const std::size_t d = columns.size();
    require(leaves.mean.size() == n_leaves * d && leaves.deviation.size() == n_leaves * row_of_triangle(d),
            "a leaf lacks its Gaussian");
    for (float mean : leaves.mean) require(std::isfinite(mean), "Gaussians need finite means");
    for (std::size_t leaf = 0; leaf < n_leaves; ++leaf) {
        const float* factor = leaves.deviation.data() + leaf * row_of_triangle(d);
        for (std::size_t i = 0; i < d; ++i) {
            const float own = factor[row_of_triangle(i) + i];
            require(std::isfinite(own) && own >= 0.0f && (own == 0.0f || !columns[i].categorical),
                    "Gaussians need positive deviations, of ordered columns");
            for (std::size_t j = 0; j < i; ++j) {
                const float entry = factor[row_of_triangle(i) + j];
                const bool level = own == 0.0f || factor[row_of_triangle(j) + j] == 0.0f;
                require(std::isfinite(entry) && (!level || entry == 0.0f), "a covariance is none");
            }
        }
    }
}

void check_leaves(const Leaves& leaves, const Tree& tree, const std::vector<BinEdges>& columns) {
    const std::size_t n_columns = columns.size();
    const std::size_t pieces = tree.n_leaves * n_columns;
    if (leaves.kind == LeafKind::histogram) {
        require(leaves.n_leaf_bins >= 1 && leaves.n_leaf_bins <= 1024, "a histogram has 1 to 1024 bins");
        require(leaves.quantised.size() == pieces * leaves.n_leaf_bins,
                "a tree has too few or too many histograms");
    } else if (leaves.kind == LeafKind::gaussian) {
        require(leaves.mean.size() == pieces && leaves.deviation.size() == pieces,
                "a leaf lacks its Gaussians");
        for (std::size_t i = 0; i < pieces; ++i) {
            require(std::isfinite(leaves.mean[i]) && leaves.deviation[i] > 0.0f &&
                        std::isfinite(leaves.deviation[i]),
                    "Gaussians need finite means and positive deviations");
        }
    } else if (leaves.kind == LeafKind::gaussian_full) {
        check_full_gaussians(leaves, tree.n_leaves, columns);
    }
}

void find_log_scales(const Tree& tree, const std::vector<BinEdges>& columns, Leaves& leaves) {
    leaves.log_scale.assign(tree.n_leaves, 0.0);
    LeafWalk(tree, leaves, columns)
        .for_each_leaf([&](const TreeNode& node, const Box& box, const auto& normalizer_of) {
            leaves.log_scale[node.leaf] = log_scale_of(leaves, node.leaf, node.mass, box, normalizer_of);
        });
}

}  // namespace

Mixture::Mixture(std::vector<BinEdges> columns, std::vector<MixtureTree> trees, std::vector<double> weights)
    : columns_(std::move(columns)), trees_(std::move(trees)), weights_(std::move(weights)) {
    require(!trees_.empty() && trees_.size() == weights_.size(),
            "a mixture has one or more trees, each with leaves and a weight");
    for (const BinEdges& bin_edges : columns_) check_bin_edges(bin_edges);
    double total = 0.0;
    for (double weight : weights_) {
        require(weight >= 0.0 && std::isfinite(weight), "weights must not be negative");
        total += weight;
    }
    require(std::abs(total - 1.0) <= 1e-9, "the weights of a mixture sum to 1");
    for (auto& [tree, leaves] : trees_) {
        check_tree(tree, columns_);
        check_leaves(leaves, tree, columns_);
        find_log_scales(tree, columns_, leaves);
    }
    list_leaf_bin_factors();
}

Mixture Mixture::of_fitted(std::vector<BinEdges> columns, std::vector<MixtureTree> trees) {
    Mixture mixture;
    mixture.columns_ = std::move(columns);
    mixture.weights_.assign(trees.size(), 1.0 / static_cast<double>(trees.size()));
    mixture.trees_ = std::move(trees);
    mixture.list_leaf_bin_factors();
    return mixture;
}

void Mixture::list_leaf_bin_factors() {
    const Leaves& leaves = trees_.front().leaves;
    std::size_t longest = 0;
    for (const BinEdges& bin_edges : columns_) longest = std::max(longest, bin_edges.n_bins());
    if (leaves.kind != LeafKind::histogram || longest > most_factors) return;
    for (const MixtureTree& component : trees_) {
        if (component.leaves.kind != leaves.kind || component.leaves.n_leaf_bins != leaves.n_leaf_bins)
            return;
    }
    leaf_bin_factors_.assign(1, 0);
    for (std::uint32_t n = 1; n <= longest; ++n) {
        const LeafBinRange leaf_bins = leaf_bins_between(0, n, leaves.n_leaf_bins);
        leaf_bin_factors_.push_back(FastLeafBins::factor(leaf_bins.n_leaf_bins, leaf_bins.n_bins));
    }
}

MixtureMemory Mixture::memory() const {
    const auto bytes = [](const auto& part) { return part.capacity() * sizeof(part[0]); };
    MixtureMemory memory;
    for (const auto& [tree, leaves] : trees_) {
        memory.structure += bytes(tree.nodes);
        memory.sets += bytes(tree.sets);
        memory.leaves +=
            bytes(leaves.quantised) + bytes(leaves.mean) + bytes(leaves.deviation) + bytes(leaves.log_scale);
    }
    for (const BinEdges& bin_edges : columns_) memory.bin_edges += bytes(bin_edges.u);
    return memory;
}

void Mixture::apply(const double* points, std::size_t n_rows, std::uint32_t* out) const {
    std::vector<std::uint32_t> bins(n_columns());
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < n_columns(); ++j) {
            const double point = points[i * n_columns() + j];
            bins[j] = columns_[j].bin_of(std::isnan(point) ? 1.0 : point);
        }
        for (std::size_t t = 0; t < n_trees(); ++t) {
            const Tree& tree = trees_[t].tree;
            out[i * n_trees() + t] = tree.nodes[find_leaf(tree, columns_, bins.data())].leaf;
        }
    }
}

void Mixture::sample(std::size_t n_rows, std::uint64_t seed, double* out,
                     const std::function<bool(const double*)>& accept) const {
    std::vector<double> upper(weights_.size());
    std::partial_sum(weights_.begin(), weights_.end(), upper.begin());
    for (std::size_t i = 0; i < n_rows; ++i) {
        Draws draws(combine_keys(mix_bits(seed), i));
        double* const point = out + i * n_columns();
        for (int draw = 0; draw < most_draws; ++draw) {
            draw_point(upper, draws, point);
            if (!accept || accept(point)) break;
        }
    }
}

void Mixture::draw_point(const std::vector<double>& upper, Draws& draws, double* out) const {
    const double target = draws.uniform() * upper.back();
    const auto found = std::upper_bound(upper.begin(), upper.end() - 1, target);
    const MixtureTree& component = trees_[static_cast<std::size_t>(found - upper.begin())];
    Box box(columns_);
    std::uint32_t at = 0;
    while (!component.tree.nodes[at].is_leaf()) {
        const TreeNode& node = component.tree.nodes[at];
        const bool left = draws.uniform() * node.mass < component.tree.nodes[node.left].mass;
        box = box.child(component.tree, node, left);
        at = node.left + (left ? 0 : 1);
    }
    const std::size_t leaf = component.tree.nodes[at].leaf;
    boxwood::draw_point(component.leaves, leaf, box, draws, out);
}

void Mixture::sample_evenly(std::size_t n_rows, std::uint64_t seed, double* out) const {
    const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    std::size_t tree = 0;
    double before = 0.0;
    for (std::size_t i = 0; i < n_rows; ++i) {
        Draws draws(combine_keys(mix_bits(seed), i));
        const double target =
            (static_cast<double>(i) + draws.uniform()) * (total / static_cast<double>(n_rows));
        while (tree + 1 < trees_.size() && target >= before + weights_[tree]) before += weights_[tree++];
        const double place = weights_[tree] > 0.0 ? (target - before) / weights_[tree] : 0.0;
        const double below = place * trees_[tree].tree.nodes[0].mass;
        draw_point_of_tree(trees_[tree], below, draws, out + i * n_columns());
    }
}

void Mixture::draw_point_of_tree(const MixtureTree& component, double below, Draws& draws,
                                 double* out) const {
    Box box(columns_);
    std::uint32_t at = 0;
    while (!component.tree.nodes[at].is_leaf()) {
        const TreeNode& node = component.tree.nodes[at];
        const double of_left = component.tree.nodes[node.left].mass;
        // Rounding must not lead to where nothing is.
        const bool left = below < of_left || !(component.tree.nodes[node.left + 1].mass > 0.0);
        if (!left) below -= of_left;
        box = box.child(component.tree, node, left);
        at = node.left + (left ? 0 : 1);
    }
    boxwood::draw_point(component.leaves, component.tree.nodes[at].leaf, box, draws, out);
}

namespace {

// How much of a box's column lies in an event: nothing, everything, or a part.
enum class Overlap { none, part, all };

Overlap overlap_of(const Box& box, std::size_t j, const ColumnEvent& event) {
    if (event.kind == ColumnEvent::Kind::anything) return Overlap::all;
    if (event.kind == ColumnEvent::Kind::interval && !box.categorical(j)) {
        const std::vector<double>& u = box.bin_edges(j).u;
        const double low = u[box.low(j)];
        const double high = u[box.high(j)];
        if (event.low <= low && event.high >= high) return Overlap::all;
        return event.high <= low || event.low >= high ? Overlap::none : Overlap::part;
    }
    if (event.kind == ColumnEvent::Kind::interval) return Overlap::part;
    std::size_t inside = 0;
    for (std::size_t k = 0; k < box.n_bins(j); ++k) inside += event.bins[box.bin(j, k)] ? 1 : 0;
    return inside == 0 ? Overlap::none : inside == box.n_bins(j) ? Overlap::all : Overlap::part;
}

double tree_probability(const MixtureTree& component, const std::vector<BinEdges>& columns,
                        const std::vector<ColumnEvent>& events) {
    double sum = 0.0;
    std::vector<std::pair<std::uint32_t, Box>> open;
    open.emplace_back(0, Box(columns));
    while (!open.empty()) {
        const auto [at, box] = std::move(open.back());
        open.pop_back();
        const TreeNode& node = component.tree.nodes[at];
        bool all = true;
        bool none = false;
        for (std::size_t j = 0; j < columns.size() && !none; ++j) {
            const Overlap overlap = overlap_of(box, j, events[j]);
            all = all && overlap == Overlap::all;
            none = overlap == Overlap::none;
        }
        if (none) continue;
        if (all) {
            sum += node.mass;
        } else if (node.is_leaf()) {
            double product = node.mass;
            for (std::size_t j = 0; j < columns.size(); ++j) {
                product *= probability_of({&component.leaves, node.leaf, &box, j}, events[j]);
            }
            sum += product;
        } else {
            for (std::uint32_t side : {1u, 0u}) {
                open.emplace_back(node.left + side, box.child(component.tree, node, side == 0));
            }
        }
    }
    return sum;
}

}  // namespace

void Mixture::check_closed_forms() const {
    for (const MixtureTree& component : trees_) {
        require(
            component.leaves.kind != LeafKind::gaussian_full,
            "leaves of full covariance are no products of columns: their probabilities and marginals have "
            "no closed form. Draw rows and count, or take leaf=\"gaussian\" or leaf=\"histogram\"");
    }
}

double Mixture::probability(const std::vector<ColumnEvent>& events) const {
    check_closed_forms();
    require(events.size() == n_columns(), "one event a column is needed");
    for (std::size_t j = 0; j < events.size(); ++j) {
        require(events[j].kind != ColumnEvent::Kind::bins || events[j].bins.size() == columns_[j].n_bins(),
                "an event needs one flag a bin");
        require(!std::isnan(events[j].low) && !std::isnan(events[j].high), "an event ends at NaN");
    }
    double sum = 0.0;
    for (std::size_t t = 0; t < n_trees(); ++t)
        sum += weights_[t] * tree_probability(trees_[t], columns_, events);
    return sum;
}

std::vector<double> Mixture::marginal(std::size_t column) const {
    check_closed_forms();
    require(column < n_columns(), "there is no such column");
    std::vector<double> bins(columns_[column].n_bins(), 0.0);
    for (std::size_t t = 0; t < n_trees(); ++t) {
        const auto& fitted = trees_[t];  // not its parts: clang before 16 has no bindings inside lambdas
        BoxWalk(fitted.tree, columns_).for_each_leaf([&](std::uint32_t at, const Box& box) {
            const TreeNode& node = fitted.tree.nodes[at];
            add_bin_masses({&fitted.leaves, node.leaf, &box, column}, weights_[t] * node.mass, bins.data());
        });
    }
    return bins;
}

}  // namespace boxwood
