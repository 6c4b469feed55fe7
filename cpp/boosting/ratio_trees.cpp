#include "boosting/ratio_trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "boosting/logistic_loss.hpp"
#include "boosting/packed_derivatives.hpp"

namespace boxwood {

namespace {

struct RatioSplit {
    double gain = 0.0;
    std::size_t column = 0;
    std::size_t bin = 0;  // the last one to the left
    PackedDerivatives left = 0;
};

// The rows of a node, by their places, and the sums of their derivatives.
struct Part {
    std::size_t begin;
    std::size_t end;
    PackedDerivatives sums;

    std::size_t size() const { return end - begin; }
};

// What the logit of each row should be: 1 of a table's rows, −1 of draws.
std::vector<double> signs_of(const RatioRows& rows) {
    std::vector<double> signs(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) signs[row] = rows.is_real[row] ? 1.0 : -1.0;
    return signs;
}

// The logit of each row: what trees say of it or, of pairs, of the difference; `sums` of single rows are
// these.
const double* logits_of(const RatioRows& rows, const std::vector<double>& sums, std::vector<double>& found) {
    if (rows.bases.empty()) return sums.data();
    std::copy_n(sums.begin(), rows.n_singles(), found.begin());
    std::size_t row = rows.n_singles();
    for (const double base : rows.bases) {
        found[row] = base + (sums[row] - sums[row + 1]);
        found[row + 1] = -found[row];
        row += 2;
    }
    return found.data();
}

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

// A leaf where points that have come to it stay.
RatioNode resting_leaf(double value, std::size_t node) {
    return {std::numeric_limits<double>::infinity(), value, 0.0f, static_cast<std::uint32_t>(node), -1};
}

constexpr std::size_t block_size = 8;

// Adds the values of one tree at eight points whose coordinates are all known; its leaves are at rest.
void add_values(const RatioTrees& trees, std::uint32_t root, std::size_t depth, const double* points,
                double* sums) {
    std::uint32_t at[block_size];
    std::fill_n(at, block_size, root);
    for (std::size_t step = 0; step < depth; ++step) {
        for (std::size_t r = 0; r < block_size; ++r) {
            const RatioNode& node = trees.nodes[at[r]];
            const auto column = static_cast<std::size_t>(std::max(node.column, 0));
            at[r] = node.left + (points[r * trees.n_columns + column] < node.cut ? 0u : 1u);
        }
    }
    for (std::size_t r = 0; r < block_size; ++r) sums[r] += trees.nodes[at[r]].value;
}

// One tree after another on the same rows.
class RatioGrower {
  public:
    RatioGrower(const std::vector<std::vector<double>>& edges, const RatioRows& train,
                const RatioOptions& options)
        : edges_(edges),
          train_(train),
          options_(options),
          n_columns_(edges.size()),
          signs_(signs_of(train)),
          sums_(train.size()),
          logits_(train.bases.empty() ? 0 : train.size()),
          rows_(train.size()),
          spare_(train.size()),
          by_column_(train.codes.size()),
          scale_(std::accumulate(train.weights.begin(), train.weights.end(), 0.0), train.size()),
          packed_(train.size()),
          bins_(edges.size()) {
        for (const std::vector<double>& of_column : edges) {
            starts_.push_back(n_bins_);
            n_bins_ += of_column.size() + 1;
        }
        histograms_.resize(options.max_depth + 2);
        for (std::size_t row = 0; row < train.size(); ++row)
            for (std::size_t j = 0; j < n_columns_; ++j)
                by_column_[j * train.size() + row] = train.codes[row * n_columns_ + j];
    }

    // Adds a tree, and what it says to the logits of the rows.
    void grow(RatioTrees& trees) {
        const double* logits = logits_of(train_, sums_, logits_);
        logistic_loss().derivatives({logits, signs_.data(), train_.weights.data(), train_.size()}, scale_,
                                    packed_.data());
        std::iota(rows_.begin(), rows_.end(), 0u);
        trees.roots.push_back(static_cast<std::uint32_t>(trees.nodes.size()));
        trees.nodes.push_back({});
        count(rows_, histograms_[0]);
        const PackedDerivatives all = std::accumulate(packed_.begin(), packed_.end(), PackedDerivatives{0});
        divide(trees, trees.nodes.size() - 1, {0, rows_.size(), all}, 0);
    }

  private:
    void count(std::span<const std::uint32_t> rows, std::vector<PackedDerivatives>& histogram) {
        histogram.assign(n_bins_, 0);
        const std::size_t n_columns = n_columns_;
        for (std::size_t j = 0; j < n_columns; ++j) bins_[j] = histogram.data() + starts_[j];
        PackedDerivatives* const* const bins = bins_.data();
        for (const std::uint32_t row : rows) {
            const std::uint8_t* codes = train_.codes.data() + row * n_columns;
            const PackedDerivatives of_row = packed_[row];
            for (std::size_t j = 0; j < n_columns; ++j) bins[j][codes[j]] += of_row;
        }
    }

    // Of first² / (second + prior) on both sides, brought to one denominator: only what is better than
    // before is divided.
    RatioSplit best_split(const std::vector<PackedDerivatives>& histogram, PackedDerivatives sums) const {
        RatioSplit best;
        const Derivatives all = scale_.unpack(sums);
        const double before = all.first * all.first / (all.second + options_.prior);
        double most = before;
        for (std::size_t j = 0; j < n_columns_; ++j) {
            PackedDerivatives below = 0;
            for (std::size_t b = 0; b < edges_[j].size(); ++b) {
                below += histogram[starts_[j] + b];
                const Derivatives left = scale_.unpack(below), right = all - left;
                if (left.second < options_.least_leaf) continue;
                if (right.second < options_.least_leaf) break;
                const double on_left = left.second + options_.prior;
                const double on_right = right.second + options_.prior;
                const double both = left.first * left.first * on_right + right.first * right.first * on_left;
                if (!(both > most * (on_left * on_right))) continue;  // nor what is not a number
                most = both / (on_left * on_right);
                best = {most - before, j, b, below};
            }
        }
        return best;
    }

    double value_of(PackedDerivatives packed) const {
        const Derivatives sums = scale_.unpack(packed);
        return options_.learning_rate * sums.first / (sums.second + options_.prior);
    }

    void make_leaf(RatioTrees& trees, std::size_t node, const Part& part) {
        const double value = value_of(part.sums);
        trees.nodes[node] = resting_leaf(value, node);
        for (std::size_t i = part.begin; i < part.end; ++i) sums_[rows_[i]] += value;
    }

    // Both children where these are leaves for sure: their rows need not be parted.
    void make_leaves(RatioTrees& trees, std::size_t left, const Part& part, const RatioSplit& split) {
        const double values[2] = {value_of(split.left), value_of(part.sums - split.left)};
        for (std::size_t k = 0; k < 2; ++k) trees.nodes[left + k] = resting_leaf(values[k], left + k);
        const std::uint8_t* codes = by_column_.data() + split.column * train_.size();
        for (std::size_t i = part.begin; i < part.end; ++i)
            sums_[rows_[i]] += values[codes[rows_[i]] > split.bin ? 1 : 0];
    }

    // The histogram of the node's rows lies at its depth.
    void divide(RatioTrees& trees, std::size_t node, const Part& part, std::size_t depth) {
        RatioSplit split;
        if (depth < options_.max_depth) split = best_split(histograms_[depth], part.sums);
        if (!(split.gain > 0.0)) return make_leaf(trees, node, part);
        const auto left = static_cast<std::uint32_t>(trees.nodes.size());
        trees.nodes.resize(trees.nodes.size() + 2);
        trees.nodes[node] = {edges_[split.column][split.bin], 0.0, left_fraction(split, part), left,
                             static_cast<std::int32_t>(split.column)};
        if (depth + 1 == options_.max_depth) return make_leaves(trees, left, part, split);
        const std::size_t middle = partition(part, split);
        const Part halves[2] = {{part.begin, middle, split.left}, {middle, part.end, part.sums - split.left}};
        // The smaller half is counted; what remains of the node's own histogram is the larger one's.
        const std::size_t small = halves[0].size() <= halves[1].size() ? 0 : 1;
        count(std::span(rows_).subspan(halves[small].begin, halves[small].size()), histograms_[depth + 1]);
        for (std::size_t k = 0; k < n_bins_; ++k) histograms_[depth][k] -= histograms_[depth + 1][k];
        divide(trees, left + small, halves[small], depth + 1);
        histograms_[depth + 1].swap(histograms_[depth]);
        divide(trees, left + 1 - small, halves[1 - small], depth + 1);
    }

    float left_fraction(const RatioSplit& split, const Part& part) const {
        return static_cast<float>(scale_.unpack(split.left).second / scale_.unpack(part.sums).second);
    }

    // Both sides keep their order: rows are written to both, and only one place moves on.
    std::size_t partition(const Part& part, const RatioSplit& split) {
        const std::uint8_t* codes = by_column_.data() + split.column * train_.size();
        std::uint32_t* left = rows_.data() + part.begin;
        std::uint32_t* right = spare_.data();
        for (std::size_t i = part.begin; i < part.end; ++i) {
            const std::uint32_t row = rows_[i];
            const bool is_right = codes[row] > split.bin;
            *left = *right = row;
            left += is_right ? 0 : 1;
            right += is_right ? 1 : 0;
        }
        std::copy(spare_.data(), right, left);
        return static_cast<std::size_t>(left - rows_.data());
    }

    const std::vector<std::vector<double>>& edges_;
    const RatioRows& train_;
    const RatioOptions& options_;
    std::size_t n_columns_;
    std::size_t n_bins_ = 0;
    std::vector<std::size_t> starts_;  // of each column's bins
    std::vector<double> signs_;
    std::vector<double> sums_;         // of the trees so far
    std::vector<double> logits_;       // where there are pairs
    std::vector<std::uint32_t> rows_;  // in the order of the tree's nodes
    std::vector<std::uint32_t> spare_;
    std::vector<std::uint8_t> by_column_;  // the codes, column by column
    PackedScale scale_;
    std::vector<PackedDerivatives> packed_;  // of the rows
    std::vector<PackedDerivatives*> bins_;   // of each column, while rows are counted
    std::vector<std::vector<PackedDerivatives>> histograms_;
};

// Held-out rows on their way through the trees.
class HeldOutLoss {
  public:
    HeldOutLoss(const std::vector<std::vector<double>>& edges, const RatioRows& rows)
        : rows_(rows),
          points_(rows.size() * edges.size()),
          signs_(signs_of(rows)),
          sums_(rows.size()),
          logits_(rows.bases.empty() ? 0 : rows.size()),
          losses_(rows.size()) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            for (std::size_t j = 0; j < edges.size(); ++j) {
                const std::size_t code = rows.codes[row * edges.size() + j];
                points_[row * edges.size() + j] =
                    code == 0 ? -std::numeric_limits<double>::infinity() : edges[j][code - 1];
            }
        }
    }

    // The loss after the last tree, which is no deeper than `max_depth`.
    double after(const RatioTrees& trees, std::size_t max_depth) {
        const std::uint32_t root = trees.roots.back();
        const std::size_t in_blocks = rows_.size() - rows_.size() % block_size;
        for (std::size_t row = 0; row < in_blocks; row += block_size)
            add_values(trees, root, max_depth, points_.data() + row * trees.n_columns, sums_.data() + row);
        for (std::size_t row = in_blocks; row < rows_.size(); ++row)
            sums_[row] += value_at(trees, root, points_.data() + row * trees.n_columns);
        return now();
    }

    // The loss of what trees have said so far.
    double now() {
        const double* logits = logits_of(rows_, sums_, logits_);
        logistic_loss().losses({logits, signs_.data(), rows_.weights.data(), rows_.size()}, losses_.data());
        return std::accumulate(losses_.begin(), losses_.end(), 0.0);
    }

  private:
    const RatioRows& rows_;
    std::vector<double> points_;
    std::vector<double> signs_;
    std::vector<double> sums_;
    std::vector<double> logits_;
    std::vector<double> losses_;
};

}  // namespace

void RatioTrees::finish() {
    std::vector<std::uint32_t> below(nodes.size(), 0);
    for (std::size_t i = nodes.size(); i-- > 0;) {
        RatioNode& node = nodes[i];
        if (node.is_leaf()) {
            node = resting_leaf(node.value, i);
        } else {
            below[i] = 1 + std::max(below[node.left], below[node.left + 1]);
        }
    }
    depths.clear();
    for (const std::uint32_t root : roots) depths.push_back(below[root]);
}

// Tree by tree, since one stays in the nearest memory while all points go through it, and eight points side
// by side, since each waits for its next node.
void RatioTrees::add_to(const double* points, std::size_t n, double* sums) const {
    const auto is_finite = [](double u) { return std::isfinite(u); };
    std::vector<std::size_t> blocks;
    for (std::size_t i = 0; i < n; i += block_size) {
        const std::size_t size = std::min(block_size, n - i);
        const double* block = points + i * n_columns;
        if (size == block_size && std::all_of(block, block + size * n_columns, is_finite)) {
            blocks.push_back(i);
            continue;
        }
        for (std::size_t r = 0; r < size; ++r)
            for (const std::uint32_t root : roots)
                sums[i + r] += value_at(*this, root, block + r * n_columns);
    }
    for (std::size_t t = 0; t < roots.size(); ++t)
        for (const std::size_t i : blocks)
            add_values(*this, roots[t], depths[t], points + i * n_columns, sums + i);
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
    double best = held.now();
    std::size_t n_best = 0, n_nodes = 0;
    for (std::size_t t = 0; t < options.n_trees && t < n_best + options.patience; ++t) {
        if (interrupt) interrupt();
        grower.grow(trees);
        const double loss = held.after(trees, options.max_depth);
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
