#include "boosting/ratio_trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace boxwood {

namespace {

// Sums of first and second derivatives of the log-likelihood by a row's logit.
struct Derivatives {
    double first = 0.0;
    double second = 0.0;

    Derivatives& operator+=(const Derivatives& other) {
        first += other.first;
        second += other.second;
        return *this;
    }
    Derivatives operator-(const Derivatives& other) const {
        return {first - other.first, second - other.second};
    }
};

struct RatioSplit {
    double gain = 0.0;
    std::size_t column = 0;
    std::size_t bin = 0;  // the last one to the left
    Derivatives left;
};

// The rows of a node, by their places, and the sums of their derivatives.
struct Part {
    std::size_t begin;
    std::size_t end;
    Derivatives sums;

    std::size_t size() const { return end - begin; }
};

double logistic(double logit) { return 1.0 / (1.0 + std::exp(-logit)); }

double value_at(const RatioTrees& trees, std::size_t root, const double* point) {
    const RatioNode* node = &trees.nodes[root];
    while (!node->is_leaf()) {
        const double u = point[node->column];
        if (std::isnan(u)) {
            const double left = node->left_fraction;
            return left * value_at(trees, node->left, point) +
                   (1.0 - left) * value_at(trees, node->left + 1, point);
        }
        node = &trees.nodes[node->left + (u < node->cut ? 0 : 1)];
    }
    return node->value;
}

// One tree after another on the same rows.
class RatioGrower {
  public:
    RatioGrower(const std::vector<std::vector<double>>& edges, const RatioRows& train,
                const RatioOptions& options)
        : edges_(edges), train_(train), options_(options), n_columns_(edges.size()), logits_(train.size()) {
        for (const std::vector<double>& of_column : edges) {
            starts_.push_back(n_bins_);
            n_bins_ += of_column.size() + 1;
        }
        histograms_.resize(options.max_depth + 2);
    }

    // Adds a tree, and what it says to the logits of the rows.
    void grow(RatioTrees& trees) {
        derivatives_.resize(train_.size());
        for (std::size_t row = 0; row < train_.size(); ++row) {
            const double chance = logistic(logits_[row]);
            const double real = train_.is_real[row] ? 1.0 : 0.0;
            derivatives_[row] = {train_.weights[row] * (real - chance),
                                 train_.weights[row] * chance * (1.0 - chance)};
        }
        rows_.resize(train_.size());
        std::iota(rows_.begin(), rows_.end(), 0u);
        trees.roots.push_back(static_cast<std::uint32_t>(trees.nodes.size()));
        trees.nodes.push_back({});
        count(rows_, histograms_[0]);
        const Derivatives all =
            std::accumulate(derivatives_.begin(), derivatives_.end(), Derivatives{},
                            [](Derivatives sum, const Derivatives& of_row) { return sum += of_row; });
        divide(trees, trees.nodes.size() - 1, {0, rows_.size(), all}, 0);
    }

  private:
    void count(std::span<const std::uint32_t> rows, std::vector<Derivatives>& histogram) const {
        histogram.assign(n_bins_, {});
        for (const std::uint32_t row : rows) {
            const std::uint8_t* codes = train_.codes.data() + row * n_columns_;
            for (std::size_t j = 0; j < n_columns_; ++j)
                histogram[starts_[j] + codes[j]] += derivatives_[row];
        }
    }

    double score(const Derivatives& sums) const {
        return sums.first * sums.first / (sums.second + options_.prior);
    }

    RatioSplit best_split(const std::vector<Derivatives>& histogram, const Derivatives& all) const {
        RatioSplit best;
        for (std::size_t j = 0; j < n_columns_; ++j) {
            Derivatives left;
            for (std::size_t b = 0; b < edges_[j].size(); ++b) {
                left += histogram[starts_[j] + b];
                const Derivatives right = all - left;
                if (left.second < options_.least_leaf) continue;
                if (right.second < options_.least_leaf) break;
                const double gain = score(left) + score(right) - score(all);
                if (gain > best.gain) best = {gain, j, b, left};
            }
        }
        return best;
    }

    void make_leaf(RatioNode& node, const Part& part) {
        const double value = options_.learning_rate * part.sums.first / (part.sums.second + options_.prior);
        node = {0.0, value, 0.0f, 0, -1};
        for (std::size_t i = part.begin; i < part.end; ++i) logits_[rows_[i]] += value;
    }

    // The histogram of the node's rows lies at its depth, unless it is too deep to be divided.
    void divide(RatioTrees& trees, std::size_t node, const Part& part, std::size_t depth) {
        RatioSplit split;
        if (depth < options_.max_depth) split = best_split(histograms_[depth], part.sums);
        if (split.gain <= 0.0) return make_leaf(trees.nodes[node], part);
        const auto left = static_cast<std::uint32_t>(trees.nodes.size());
        trees.nodes.resize(trees.nodes.size() + 2);
        trees.nodes[node] = {edges_[split.column][split.bin], 0.0,
                             static_cast<float>(split.left.second / part.sums.second), left,
                             static_cast<std::int32_t>(split.column)};
        const std::size_t middle = partition(part, split);
        const Part halves[2] = {{part.begin, middle, split.left}, {middle, part.end, part.sums - split.left}};
        // The smaller half is counted; what remains of the node's own histogram is the larger one's.
        const std::size_t small = halves[0].size() <= halves[1].size() ? 0 : 1;
        if (depth + 1 < options_.max_depth) {
            count(std::span(rows_).subspan(halves[small].begin, halves[small].size()),
                  histograms_[depth + 1]);
            for (std::size_t k = 0; k < n_bins_; ++k)
                histograms_[depth][k] = histograms_[depth][k] - histograms_[depth + 1][k];
        }
        divide(trees, left + small, halves[small], depth + 1);
        histograms_[depth + 1].swap(histograms_[depth]);
        divide(trees, left + 1 - small, halves[1 - small], depth + 1);
    }

    std::size_t partition(const Part& part, const RatioSplit& split) {
        const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(part.begin);
        const auto last = rows_.begin() + static_cast<std::ptrdiff_t>(part.end);
        const auto middle = std::stable_partition(first, last, [&](std::uint32_t row) {
            return train_.codes[row * n_columns_ + split.column] <= split.bin;
        });
        return static_cast<std::size_t>(middle - rows_.begin());
    }

    const std::vector<std::vector<double>>& edges_;
    const RatioRows& train_;
    const RatioOptions& options_;
    std::size_t n_columns_;
    std::size_t n_bins_ = 0;
    std::vector<std::size_t> starts_;  // of each column's bins
    std::vector<double> logits_;
    std::vector<Derivatives> derivatives_;
    std::vector<std::uint32_t> rows_;  // in the order of the tree's nodes
    std::vector<std::vector<Derivatives>> histograms_;
};

// Held-out rows on their way through the trees.
class HeldOutLoss {
  public:
    HeldOutLoss(const std::vector<std::vector<double>>& edges, const RatioRows& rows)
        : rows_(rows), points_(rows.size() * edges.size()), logits_(rows.size()) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            for (std::size_t j = 0; j < edges.size(); ++j) {
                const std::size_t code = rows.codes[row * edges.size() + j];
                points_[row * edges.size() + j] =
                    code == 0 ? -std::numeric_limits<double>::infinity() : edges[j][code - 1];
            }
        }
    }

    // The loss after the last tree.
    double after(const RatioTrees& trees) {
        double loss = 0.0;
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            logits_[row] += value_at(trees, trees.roots.back(), points_.data() + row * trees.n_columns);
            const double sign = rows_.is_real[row] ? 1.0 : -1.0;
            loss += rows_.weights[row] * std::log1p(std::exp(-sign * logits_[row]));
        }
        return loss;
    }

  private:
    const RatioRows& rows_;
    std::vector<double> points_;
    std::vector<double> logits_;
};

}  // namespace

void RatioTrees::finish() {
    std::vector<std::uint32_t> below(nodes.size(), 0);
    for (std::size_t i = nodes.size(); i-- > 0;) {
        RatioNode& node = nodes[i];
        if (node.is_leaf()) {
            node.cut = std::numeric_limits<double>::infinity();
            node.left = static_cast<std::uint32_t>(i);
        } else {
            below[i] = 1 + std::max(below[node.left], below[node.left + 1]);
        }
    }
    depths.clear();
    for (const std::uint32_t root : roots) depths.push_back(below[root]);
}

namespace {

constexpr std::size_t side_by_side = 8;

// The values of one tree at eight points whose coordinates are all known.
void add_values(const RatioTrees& trees, std::size_t tree, const double* points, double* sums) {
    std::uint32_t at[side_by_side];
    std::fill_n(at, side_by_side, trees.roots[tree]);
    for (std::uint32_t step = 0; step < trees.depths[tree]; ++step) {
        for (std::size_t r = 0; r < side_by_side; ++r) {
            const RatioNode& node = trees.nodes[at[r]];
            const auto column = static_cast<std::size_t>(std::max(node.column, 0));
            at[r] = node.left + (points[r * trees.n_columns + column] < node.cut ? 0u : 1u);
        }
    }
    for (std::size_t r = 0; r < side_by_side; ++r) sums[r] += trees.nodes[at[r]].value;
}

}  // namespace

// Tree by tree, since one stays in the nearest memory while all points go through it, and eight points side
// by side, since each waits for its next node.
void RatioTrees::add_to(const double* points, std::size_t n, double* sums) const {
    const auto is_nan = [](double u) { return std::isnan(u); };
    std::vector<std::size_t> blocks;
    for (std::size_t i = 0; i < n; i += side_by_side) {
        const std::size_t size = std::min(side_by_side, n - i);
        const double* block = points + i * n_columns;
        if (size == side_by_side && std::none_of(block, block + size * n_columns, is_nan)) {
            blocks.push_back(i);
            continue;
        }
        for (std::size_t r = 0; r < size; ++r)
            for (const std::uint32_t root : roots)
                sums[i + r] += value_at(*this, root, block + r * n_columns);
    }
    for (std::size_t t = 0; t < roots.size(); ++t)
        for (const std::size_t i : blocks) add_values(*this, t, points + i * n_columns, sums + i);
}

void check_ratio_trees(const RatioTrees& trees) {
    for (const std::uint32_t root : trees.roots)
        if (root >= trees.nodes.size()) throw std::invalid_argument("a tree has no nodes");
    for (std::size_t i = 0; i < trees.nodes.size(); ++i) {
        const RatioNode& node = trees.nodes[i];
        if (!std::isfinite(node.value) || (!node.is_leaf() && !std::isfinite(node.cut)))
            throw std::invalid_argument("a node has a number that is not finite");
        if (node.is_leaf()) continue;
        if (static_cast<std::size_t>(node.column) >= trees.n_columns)
            throw std::invalid_argument("a node cuts a column that is not there");
        if (node.left <= i || static_cast<std::size_t>(node.left) + 1 >= trees.nodes.size())
            throw std::invalid_argument("a node has children that are not there");
        if (!(node.left_fraction >= 0.0f && node.left_fraction <= 1.0f))
            throw std::invalid_argument("a fraction is outside of [0, 1]");
    }
}

RatioTrees grow_ratio_trees(const std::vector<std::vector<double>>& edges, const RatioRows& train,
                            const RatioRows& held_out, const RatioOptions& options,
                            const std::function<void()>& interrupt) {
    RatioTrees trees{edges.size(), {}, {}, {}};
    RatioGrower grower(edges, train, options);
    HeldOutLoss held(edges, held_out);
    double best = std::log(2.0) * std::accumulate(held_out.weights.begin(), held_out.weights.end(), 0.0);
    std::size_t n_best = 0, n_nodes = 0;
    for (std::size_t t = 0; t < options.n_trees && t < n_best + options.patience; ++t) {
        if (interrupt) interrupt();
        grower.grow(trees);
        const double loss = held.after(trees);
        if (loss >= best) continue;
        best = loss;
        n_best = t + 1;
        n_nodes = trees.nodes.size();
    }
    trees.roots.resize(n_best);
    trees.nodes.resize(n_nodes);
    trees.finish();
    return trees;
}

}  // namespace boxwood
