#include "mixture/fitting/leaf_fitter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/log_product.hpp"
#include "mixture/gaussian/full_gaussian.hpp"
#include "mixture/leaf_density.hpp"

namespace boxwood {

namespace {

// A Gaussian of this deviation is constant on [0, 1] up to one part in 10⁹.
constexpr float constant_deviation = 1e4f;

bool is_in(const std::vector<std::size_t>& columns, std::size_t j) {
    return std::find(columns.begin(), columns.end(), j) != columns.end();
}

}  // namespace

LeafFitter::LeafFitter(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
                       const LeafOrigin* origin)
    : grown_(grown),
      data_(data),
      options_(options),
      n_columns_(data.n_columns()),
      origin_(origin),
      n_leaf_bins_(options.kind == LeafKind::histogram ? options.n_leaf_bins : 1),
      has_histograms_(options.kind == LeafKind::histogram),
      has_moments_(options.kind == LeafKind::gaussian || options.kind == LeafKind::gaussian_full),
      leaf_bins_(n_columns_) {
    for (std::vector<double>* part : {&gets_, &gives_, &smooth_, &flow_})
        part->assign(n_columns_ * n_leaf_bins_ + 1, 0.0);
    const auto is_one = [&](std::uint32_t row) { return data.weight(row) == 1.0; };
    if (!std::all_of(grown.rows.begin(), grown.rows.end(), is_one)) {
        for (std::uint32_t row : grown.rows) weights_.push_back(data.weights[row]);
    }
    // The density of an atom is that of its whole interval, but a Gaussian is evaluated at its middle.
    for (std::size_t j = 0; j < n_columns_; ++j)
        is_gaussian_.push_back(!grown.columns[j].categorical && !is_in(options.constant_columns, j) ? 1 : 0);
    if (has_histograms_ && !options.unseen_bins.empty()) find_unseen();
}

// Bins of a histogram that hold nothing else; those of categories do not depend on the box.
void LeafFitter::find_unseen() {
    for (std::size_t j = 0; j < n_columns_; ++j) {
        if (!grown_.columns[j].categorical) continue;
        const auto n_bins = static_cast<std::uint32_t>(grown_.columns[j].n_bins());
        const LeafBinRange range = leaf_bins_between(0, n_bins, n_leaf_bins_);
        std::vector<std::uint32_t> n_seen(range.n_leaf_bins, 0);
        for (std::uint32_t bin = 0; bin < n_bins; ++bin) ++n_seen[range.leaf_bin_of(bin)];
        for (const auto& [column, bin] : options_.unseen_bins)
            if (column == j && bin < n_bins) --n_seen[range.leaf_bin_of(bin)];
        UnseenBins found{j, {}};
        for (std::size_t b = 0; b < n_seen.size(); ++b)
            if (n_seen[b] == 0) found.places.push_back(j * n_leaf_bins_ + b);
        if (!found.places.empty()) unseen_.push_back(std::move(found));
    }
}

Leaves LeafFitter::empty_leaves(std::size_t n_leaves) const {
    Leaves leaves;
    leaves.kind = options_.kind;
    leaves.log_scale.assign(n_leaves, 0.0);
    if (has_histograms_) {
        leaves.n_leaf_bins = options_.n_leaf_bins;
        leaves.quantised.assign(n_leaves * n_columns_ * n_leaf_bins_, 0);
    } else if (options_.kind == LeafKind::gaussian) {
        leaves.mean.assign(n_leaves * n_columns_, 0.0f);
        leaves.deviation.assign(n_leaves * n_columns_, 0.0f);
    } else if (options_.kind == LeafKind::gaussian_full) {
        leaves.mean.assign(n_leaves * n_columns_, 0.0f);
        leaves.deviation.assign(n_leaves * row_of_triangle(n_columns_), 0.0f);
    }
    return leaves;
}

void LeafFitter::walk() {
    start();
    while (true) {
        Step& step = way_[depth_];
        const TreeNode& node = grown_.tree.nodes[step.node];
        if (!node.is_leaf() && step.n_visited < 2) {
            if (step.n_visited == 0) divide(step, node);
            go_down(step, node, step.n_visited++ == 0);
            continue;
        }
        if (depth_ == 0) return;
        go_up();
    }
}

void LeafFitter::start() {
    way_.emplace_back();
    Step& root = way_[0];
    root.box.emplace(first_box());
    grown_.tree.nodes[0].mass = origin_ == nullptr ? 1.0 : origin_->mass;
    if (origin_ != nullptr) root.parent_count = origin_->parent_count;
    // The root's histograms are uniform: the margins are exactly that.
    root.fractions.assign(n_columns_ * n_leaf_bins_, 0.0);
    root.counts.assign(n_columns_ * n_leaf_bins_, 0.0);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        leaf_bins_[j].set(*root.box, j, n_leaf_bins_);
        put_flows(j);
        std::copy(leaf_bins_[j].width.begin(), leaf_bins_[j].width.end(), root.fractions.begin() + at(j));
    }
    if (has_histograms_ && origin_ != nullptr) root.fractions = origin_->fractions;
    if (has_histograms_) count_columns(0, 0, n_columns_, root.counts.data());
    if (has_moments_) {
        sums_ = sums_of_nodes(grown_, data_, weights_);
        update_moments(nullptr, root);
    }
    arrive(root, grown_.tree.nodes[0]);
}

Box LeafFitter::first_box() const {
    Box box(grown_.columns);
    for (std::size_t j = 0; origin_ != nullptr && j < n_columns_; ++j) box.set_part(j, origin_->box[j]);
    return box;
}

void LeafFitter::put_flows(std::size_t j) {
    std::copy(leaf_bins_[j].gets.begin(), leaf_bins_[j].gets.end(), gets_.begin() + at(j));
    std::copy(leaf_bins_[j].gives.begin(), leaf_bins_[j].gives.end(), gives_.begin() + at(j));
}

// What both halves of a node need.
void LeafFitter::divide(Step& step, const TreeNode& node) {
    const auto j = static_cast<std::size_t>(node.feature);
    double fraction = grown_.left_fraction[step.node];
    for (std::size_t side : {0u, 1u}) {
        if (!step.halves[side]) step.halves[side] = step.box;
        step.halves[side]->take_child(*step.box, grown_.tree, node, side == 0);
    }
    if (has_histograms_) {
        double mass[2];
        for (std::size_t side : {0u, 1u})
            mass[side] = restrict_column(step, j, *step.halves[side], step.restricted[side]);
        fraction = std::clamp(mass[0] / (mass[0] + mass[1]), 1e-9, 1.0 - 1e-9);
        step.small_counts.assign(n_columns_ * n_leaf_bins_, 0.0);
        const std::size_t small = node.left + (left_is_smaller(node) ? 0 : 1);
        count_columns(small, 0, j, step.small_counts.data());
        count_columns(small, j + 1, n_columns_, step.small_counts.data());
    }
    const double c = options_.mass_prior;
    const double left_count = grown_.tree.nodes[node.left].count;
    const double left_fraction =
        node.count + c > 0.0 ? (left_count + c * fraction) / (node.count + c) : fraction;
    grown_.tree.nodes[node.left].mass = node.mass * left_fraction;
    grown_.tree.nodes[node.left + 1].mass = node.mass * (1.0 - left_fraction);
    divided(step, node);
}

bool LeafFitter::left_is_smaller(const TreeNode& node) const {
    const auto size = [&](std::size_t i) { return grown_.end[i] - grown_.begin[i]; };
    return size(node.left) <= size(node.left + 1);
}

void LeafFitter::go_down(Step& parent, const TreeNode& node, bool left) {
    if (way_.size() == depth_ + 1) way_.emplace_back();  // a deque: steps stay where they are
    Step& step = way_[++depth_];
    const auto j = static_cast<std::size_t>(node.feature);
    step.node = node.left + (left ? 0 : 1);
    std::swap(step.box, parent.halves[left ? 0 : 1]);
    step.parent_count = node.count;
    step.n_visited = 0;
    if (has_histograms_) {
        std::swap(step.parent_leaf_bins, leaf_bins_[j]);
        leaf_bins_[j].set(*step.box, j, n_leaf_bins_);
        put_flows(j);
        take_counts(parent, step, j, left == left_is_smaller(node));
        update_histograms(parent, step, j, left ? 0 : 1);
    }
    if (has_moments_) update_moments(&parent, step);
    arrive(step, grown_.tree.nodes[step.node]);
}

void LeafFitter::go_up() {
    Step& step = way_[depth_--];
    if (!has_histograms_) return;
    const auto j = static_cast<std::size_t>(grown_.tree.nodes[way_[depth_].node].feature);
    std::swap(step.parent_leaf_bins, leaf_bins_[j]);
    put_flows(j);
}

// The smaller half was counted; the larger one has the rest.
void LeafFitter::take_counts(const Step& parent, Step& step, std::size_t j, bool is_smaller) {
    step.counts = parent.small_counts;
    if (!is_smaller) {
        for (std::size_t k = 0; k < step.counts.size(); ++k)
            step.counts[k] = parent.counts[k] - parent.small_counts[k];
    }
    std::fill_n(step.counts.begin() + at(j), n_leaf_bins_, 0.0);
    count_columns(step.node, j, j + 1, step.counts.data());
}

// Row by row: a large node's rows are read once, not once a column.
void LeafFitter::count_columns(std::size_t node, std::size_t first, std::size_t last, double* counts) const {
    if (!given_counts_.empty()) {
        const double* own = given_counts_.data() + node * n_columns_ * n_leaf_bins_;
        for (std::size_t k = first * n_leaf_bins_; k < last * n_leaf_bins_; ++k) counts[k] += own[k];
        return;
    }
    for (std::size_t i = grown_.begin[node]; i < grown_.end[node]; ++i) {
        const double weight = weights_.empty() ? 1.0 : weights_[i];
        for (std::size_t j = first; j < last; ++j)
            counts[j * n_leaf_bins_ + leaf_bins_[j].fast.leaf_bin_of(bin_at(i, j))] += weight;
    }
}

// Posterior masses of the node's bins: its counts, smoothed over neighbouring bins, and the parent's as
// prior.
void LeafFitter::update_histograms(const Step& parent, Step& step, std::size_t split_column,
                                   std::size_t side) {
    const double prior = options_.histogram_prior;
    step.fractions = parent.fractions;
    std::copy(parent.restricted[side].begin(), parent.restricted[side].end(),
              step.fractions.begin() + at(split_column));
    note_unseen(step);
    shrink_({step.counts.data(), gets_.data(), gives_.data(), step.counts.size(), prior,
             1.0 / (grown_.tree.nodes[step.node].count + prior), smooth_.data(), flow_.data(),
             step.fractions.data()});
    keep_unseen(step);
}

void LeafFitter::note_unseen(const Step& step) {
    noted_unseen_.clear();
    for (const UnseenBins& of : unseen_)
        for (std::size_t place : of.places) noted_unseen_.push_back(step.fractions[place]);
}

// What was noted stays with the bins of unseen categories; the others of their column have the rest.
void LeafFitter::keep_unseen(Step& step) const {
    std::size_t next = 0;
    for (const UnseenBins& of : unseen_) {
        const double* noted = noted_unseen_.data() + next;
        next += of.places.size();
        double kept = 0.0, shrunk = 0.0;
        for (std::size_t i = 0; i < of.places.size(); ++i) {
            kept += noted[i];
            shrunk += step.fractions[of.places[i]];
        }
        if (!(kept > 0.0 && kept < 1.0 && shrunk < 1.0)) continue;  // none in the box, or nothing else
        const double scale = (1.0 - kept) / (1.0 - shrunk);
        double* fractions = step.fractions.data() + at(of.column);
        for (std::size_t b = 0; b < n_leaf_bins_; ++b) fractions[b] *= scale;
        for (std::size_t i = 0; i < of.places.size(); ++i) step.fractions[of.places[i]] = noted[i];
    }
}

std::uint32_t LeafFitter::bin_of(std::size_t row, std::size_t j) const {
    return data_.exact(j) ? grown_.columns[j].bin_of(data_.place(row, j)) : data_.bin(row, j);
}

// Of the row at a place of the tree's order.
std::uint32_t LeafFitter::bin_at(std::size_t i, std::size_t j) const {
    if (grown_.bins.empty() || data_.exact(j)) return bin_of(grown_.rows[i], j);
    return grown_.bins[i * grown_.bin_stride + j];
}

// The node's histogram of one column inside the box of a half, normalised; returns its mass there.
double LeafFitter::restrict_column(const Step& step, std::size_t j, const Box& half,
                                   std::vector<double>& out) {
    const LeafBinRange& from = leaf_bins_[j].range;
    const std::vector<double>& inverse = leaf_bins_[j].inverse;
    const LeafBinRange to = leaf_bins_of_column(half, j, n_leaf_bins_);
    const double* fractions = step.fractions.data() + at(j);
    out.assign(n_leaf_bins_, 0.0);
    const std::vector<double>& u = half.bin_edges(j).u;
    if (half.categorical(j)) {  // bins do not depend on the box
        for (std::uint32_t bin : half.members(j)) {
            const std::uint32_t b = from.leaf_bin_of(bin);
            out[b] += fractions[b] * (u[bin + 1] - u[bin]) * inverse[b];
        }
    } else {
        const std::vector<std::uint32_t>& begin = leaf_bins_[j].begin;
        std::uint32_t i = from.leaf_bin_of(to.first_bin);
        std::uint32_t low = to.first_bin;
        to.for_each_begin([&](std::uint32_t b, std::uint32_t high) {
            // Bins of the node that overlap the half's bin b − 1, from `low` to `high`.
            while (low < high) {
                const std::uint32_t end = std::min(high, begin[i + 1]);
                out[b - 1] += fractions[i] * (u[end] - u[low]) * inverse[i];
                low = end;
                if (end == begin[i + 1]) ++i;
            }
        });
    }
    double mass = 0.0;
    for (double part : out) mass += part;
    const double scale = mass > 0.0 ? 1.0 / mass : 0.0;
    for (double& part : out) part *= scale;
    return mass;
}

double LeafFitter::box_density_at(const Step& step, std::size_t row) const {
    double product = 1.0;
    for (std::size_t j = 0; j < n_columns_; ++j) {
        if (has_histograms_) {
            const std::uint32_t b = leaf_bins_[j].fast.leaf_bin_of(bin_of(row, j));
            product *= step.fractions[j * n_leaf_bins_ + b] * leaf_bins_[j].inverse[b];
        } else {
            product /= step.box->width(j);
        }
    }
    return product;
}

void LeafFitter::write_leaf(const Step& step, const TreeNode& node, Leaves& leaves, std::size_t leaf) {
    if (has_histograms_) write_quantised(step, leaves, leaf);
    if (options_.kind == LeafKind::gaussian) write_gaussians(step, leaves, leaf);
    if (options_.kind == LeafKind::gaussian_full) write_full_gaussian(step, leaves, leaf);
    // Nothing else than `log_scale_of` computes, to the bit; of histograms the widths are known here.
    leaves.log_scale[leaf] = has_histograms_ ? log_scale_of_histograms(node, leaves, leaf)
                                             : log_scale_of(leaves, leaf, node.mass, *step.box);
}

double LeafFitter::log_scale_of_histograms(const TreeNode& node, const Leaves& leaves,
                                           std::size_t leaf) const {
    LogProduct product(node.mass);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        const std::uint8_t* quantised = leaves.quantised_of(leaf, j, n_columns_);
        product.divide_by(
            histogram_integral(quantised, leaf_bins_[j].width.data(), leaf_bins_[j].range.n_leaf_bins));
    }
    return product.log();
}

void LeafFitter::write_quantised(const Step& step, Leaves& leaves, std::size_t leaf) {
    density_.resize(n_leaf_bins_);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        const ColumnLeafBins& leaf_bins = leaf_bins_[j];
        const double* fractions = step.fractions.data() + at(j);
        double largest = 0.0;
        for (std::size_t b = 0; b < leaf_bins.range.n_leaf_bins; ++b) {
            density_[b] = fractions[b] * leaf_bins.inverse[b];
            largest = std::max(largest, density_[b]);
        }
        const double scale = 1.0 / largest;
        std::uint8_t* quantised = leaves.quantised.data() + (leaf * n_columns_ + j) * n_leaf_bins_;
        for (std::size_t b = 0; b < leaf_bins.range.n_leaf_bins; ++b)
            quantised[b] = quantise(density_[b] * scale);
    }
}

void LeafFitter::write_gaussians(const Step& step, Leaves& leaves, std::size_t leaf) const {
    const double floor = options_.deviation_floor / std::sqrt(12.0);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        const bool gaussian = is_gaussian_[j] != 0;
        const double deviation = std::max(std::sqrt(step.moments[j].variance), floor);
        leaves.mean[leaf * n_columns_ + j] = gaussian ? static_cast<float>(step.moments[j].mean) : 0.5f;
        leaves.deviation[leaf * n_columns_ + j] =
            gaussian ? static_cast<float>(deviation) : constant_deviation;
    }
}

void LeafFitter::write_full_gaussian(const Step& step, Leaves& leaves, std::size_t leaf) const {
    const double floor = options_.deviation_floor / std::sqrt(12.0);
    std::vector<double> deviation(n_columns_, 0.0);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        leaves.mean[leaf * n_columns_ + j] =
            is_gaussian_[j] ? static_cast<float>(step.moments[j].mean) : 0.5f;
        if (is_gaussian_[j]) deviation[j] = std::max(std::sqrt(step.moments[j].variance), floor);
    }
    const std::vector<double> factor =
        shrunk_factor(deviation, correlations_of_rows(step.node), grown_.tree.nodes[step.node].count,
                      options_.histogram_prior);
    std::transform(factor.begin(), factor.end(),
                   leaves.deviation.begin() + static_cast<std::ptrdiff_t>(leaf * factor.size()),
                   [](double entry) { return static_cast<float>(entry); });
}

std::vector<double> LeafFitter::correlations_of_rows(std::size_t node) const {
    const std::size_t d = n_columns_;
    std::vector<double> products(d * d, 0.0);
    std::vector<double> sums(d, 0.0);
    std::vector<double> x(d, 0.0);
    double n = 0.0;
    for (std::size_t i = grown_.begin[node]; i < grown_.end[node]; ++i) {
        const double w = weights_.empty() ? 1.0 : weights_[i];
        n += w;
        for (std::size_t j = 0; j < d; ++j) {
            x[j] = is_gaussian_[j] ? data_.place(grown_.rows[i], j) - 0.5 : 0.0;
            sums[j] += w * x[j];
            for (std::size_t k = 0; k <= j; ++k) products[j * d + k] += w * x[j] * x[k];
        }
    }
    if (!(n > 0.0)) return products;
    const auto covariance = [&](std::size_t j, std::size_t k) {
        return products[j * d + k] / n - sums[j] / n * (sums[k] / n);
    };
    std::vector<double> variance(d);
    for (std::size_t j = 0; j < d; ++j) variance[j] = covariance(j, j);
    std::vector<double> correlation(d * d, 0.0);
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t k = 0; k < j; ++k) {
            // Of rows that coincide along a column, rounding alone is left.
            if (!(variance[j] > 1e-14 && variance[k] > 1e-14)) continue;
            correlation[j * d + k] =
                std::clamp(covariance(j, k) / std::sqrt(variance[j] * variance[k]), -1.0, 1.0);
        }
    }
    return correlation;
}

GaussianMoments LeafFitter::moments_of_rows(std::size_t node, std::size_t j) const {
    const double n = grown_.tree.nodes[node].count;
    if (!(n > 0.0)) return {0.5, 0.0};
    const PlaceSums& sums = sums_[node * n_columns_ + j];
    const double mean = sums.places / n;
    return {mean, std::max(sums.squares / n - mean * mean, 0.0)};
}

// Moments of the node's rows, and as prior those of the parent's Gaussian in the node's box; the root has
// none.
void LeafFitter::update_moments(const Step* parent, Step& step) const {
    step.moments.resize(n_columns_);
    const double n = grown_.tree.nodes[step.node].count;
    for (std::size_t j = 0; j < n_columns_; ++j) {
        if (!is_gaussian_[j]) continue;
        const GaussianMoments rows = moments_of_rows(step.node, j);
        const std::vector<double>& u = step.box->bin_edges(j).u;
        const double low = u[step.box->low(j)];
        const double high = u[step.box->high(j)];
        const GaussianMoments uniform{0.5 * (low + high), (high - low) * (high - low) / 12.0};
        const GaussianMoments expected =
            parent == nullptr ? uniform : moments_inside(parent->moments[j], low, high);
        step.moments[j] =
            pooled_moments(rows, n, expected, parent == nullptr && n > 0.0 ? 0.0 : options_.histogram_prior);
    }
}

}  // namespace boxwood
