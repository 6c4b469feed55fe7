#include "boxwood/product_scanner.hpp"

#include <algorithm>
#include <cmath>

#include "boxwood/density_criteria.hpp"
#include "boxwood/fast_log.hpp"
#include "boxwood/log_gamma.hpp"
#include "boxwood/n_log_n.hpp"

namespace boxwood {

namespace {

constexpr double dirichlet_prior = 0.5;
constexpr std::size_t table_size = 4096;
constexpr int power_steps = 8;
// From so many rows a bin on it pays to count them first and to move whole bins.
constexpr std::size_t rows_a_bin = 12;

// Rows whose weights are small whole numbers can be moved one by one.
bool weights_are_small_counts(const GrowData& data) {
    if (data.weights == nullptr) return true;
    return std::all_of(data.weights, data.weights + data.n_rows,
                       [](double w) { return w <= 8.0 && w == std::floor(w); });
}

}  // namespace

LogRising::LogRising(double a) : a_(a), log_gamma_a_(log_gamma(a)), table_(table_size) {
    for (std::size_t n = 0; n < table_size; ++n) table_[n] = slow(static_cast<double>(n));
}

double LogRising::slow(double n) const { return log_gamma(n + a_) - log_gamma_a_; }

ProductScanner::ProductScanner(const GrowData& data, bool everywhere)
    : data_(data),
      everywhere_(everywhere),
      weighted_(!weights_are_small_counts(data)),
      n_columns_(data.n_columns()),
      stride_(n_columns_ * coarse_bins),
      log_bin_(dirichlet_prior),
      n_coarse_(n_columns_),
      node_evidence_(n_columns_) {
    for (std::size_t bins = 0; bins <= coarse_bins; ++bins) {
        log_total_.emplace_back(dirichlet_prior * static_cast<double>(std::max<std::size_t>(bins, 1)));
    }
    for (std::uint32_t n = 0; n < table_size; ++n) {
        log_counts_.push_back(slow_log_count(n));
    }
}

double ProductScanner::slow_log_count(std::uint32_t n) { return std::log(n + dirichlet_prior); }

// The coarse bin of every row of the node along every column: even parts of the box's cells or points.
void ProductScanner::find_coarse_bins(const GrowBox& box) {
    const std::size_t n = rows_.size();
    coarse_.resize(n * n_columns_);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        const ColumnRange& range = box.ranges[j];
        const std::uint16_t* cells = kept_->cells(begin_) + j;
        const std::size_t stride = kept_->stride();
        std::uint8_t* out = coarse_.data() + j;
        if ((*data_.columns)[j].categorical) {
            const std::size_t size = range.members.size();
            n_coarse_[j] = std::min(coarse_bins, size);
            std::vector<std::uint8_t> bin_of((*data_.columns)[j].n_cells(), 0);
            for (std::size_t k = 0; k < size; ++k) {
                bin_of[range.members[k]] = static_cast<std::uint8_t>(k * n_coarse_[j] / size);
            }
            for (std::size_t i = 0; i < n; ++i) out[i * n_columns_] = bin_of[cells[i * stride]];
        } else if (data_.exact(j)) {
            n_coarse_[j] = coarse_bins;
            const double factor = static_cast<double>(coarse_bins) / (range.high_point - range.low_point);
            for (std::size_t i = 0; i < n; ++i) {
                const double at = (data_.place(rows_[i], j) - range.low_point) * factor;
                out[i * n_columns_] = static_cast<std::uint8_t>(std::clamp(at, 0.0, coarse_bins - 1.0));
            }
        } else {
            const std::uint32_t width = range.high - range.low;
            n_coarse_[j] = std::min<std::size_t>(coarse_bins, width);
            // Rounded up, and so exact: rounded down, the edge between two parts went to the lower one.
            const std::uint64_t factor = ((std::uint64_t{n_coarse_[j]} << 32) + width - 1) / width;
            for (std::size_t i = 0; i < n; ++i) {
                const std::uint32_t at = cells[i * stride] - range.low;
                out[i * n_columns_] = static_cast<std::uint8_t>((at * factor) >> 32);
            }
        }
    }
}

void ProductScanner::begin_node(const KeptRows& kept, std::size_t begin, std::span<const std::uint32_t> rows,
                                const GrowBox& box) {
    kept_ = &kept;
    begin_ = begin;
    rows_ = rows;
    find_coarse_bins(box);
    node_counts_.assign(stride_, 0.0);
    node_weight_ = 0.0;
    const double* weights = kept.weights(begin);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double w = weights == nullptr ? 1.0 : weights[i];
        node_weight_ += w;
        const std::uint8_t* bins = coarse_.data() + i * n_columns_;
        for (std::size_t j = 0; j < n_columns_; ++j) node_counts_[j * coarse_bins + bins[j]] += w;
    }
    for (std::size_t j = 0; j < n_columns_; ++j) {
        double sum = -log_total_[n_coarse_[j]](node_weight_);
        for (std::size_t b = 0; b < coarse_bins; ++b) sum += log_bin_(node_counts_[j * coarse_bins + b]);
        node_evidence_[j] = sum;
    }
}

void ProductScanner::fill(const Cuts& cuts) {
    table_.assign(cuts.n_bins * stride_, 0.0);
    bin_weight_.assign(cuts.n_bins, 0.0);
    const double* weights = kept_->weights(begin_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const double w = weights == nullptr ? 1.0 : weights[i];
        bin_weight_[cuts.bin[i]] += w;
        double* counts = table_.data() + cuts.bin[i] * stride_;
        const std::uint8_t* bins = coarse_.data() + i * n_columns_;
        for (std::size_t j = 0; j < n_columns_; ++j) counts[j * coarse_bins + bins[j]] += w;
    }
}

void ProductScanner::sort_rows(const Cuts& cuts) {
    bin_begin_.assign(cuts.n_bins + 1, 0);
    for (std::size_t i = 0; i < rows_.size(); ++i) ++bin_begin_[cuts.bin[i] + 1];
    for (std::size_t c = 0; c < cuts.n_bins; ++c) bin_begin_[c + 1] += bin_begin_[c];
    sorted_.resize(rows_.size());
    next_.assign(bin_begin_.begin(), bin_begin_.end());
    for (std::uint32_t i = 0; i < rows_.size(); ++i) sorted_[next_[cuts.bin[i]]++] = i;
}

void ProductScanner::begin_scan(const Cuts& cuts) {
    by_bins_ = weighted_ || rows_.size() > rows_a_bin * cuts.n_bins;
    if (by_bins_) {
        fill(cuts);
        left_counts_.assign(stride_, 0.0);
    } else {
        sort_rows(cuts);
        halves_.resize(stride_);
        for (std::size_t o = 0; o < stride_; ++o)
            halves_[o] = static_cast<std::uint64_t>(node_counts_[o]) << 32;
    }
    feature_ = cuts.feature;
    left_weight_ = 0.0;
    evidence_ = other_evidence_ = 0.0;
    other_columns_.assign(coarse_bins + 1, 0.0);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        if (j == feature_) continue;
        other_evidence_ += node_evidence_[j];
        evidence_ += node_evidence_[j] + log_total_[n_coarse_[j]](node_weight_);
        other_columns_[n_coarse_[j]] += 1.0;
    }
}

// Moves the rows of a bin to the left half.
bool ProductScanner::move_bin(std::size_t bin) {
    if (bin_weight_[bin] == 0.0) return false;
    left_weight_ += bin_weight_[bin];
    const double* moved = table_.data() + bin * stride_;
    for (std::size_t j = 0; j < n_columns_; ++j) {
        if (j == feature_) continue;
        for (std::size_t o = j * coarse_bins; o < (j + 1) * coarse_bins; ++o) {
            if (moved[o] == 0.0) continue;
            const double left = left_counts_[o];
            const double right = node_counts_[o] - left;
            left_counts_[o] += moved[o];
            evidence_ +=
                log_bin_(left + moved[o]) - log_bin_(left) + log_bin_(right - moved[o]) - log_bin_(right);
        }
    }
    return true;
}

// The same, row by row: log Γ(n + 1 + a) − log Γ(n + a) = log(n + a). Two sums, since each addition waits for
// the one before.
bool ProductScanner::move_rows(std::size_t bin) {
    const std::uint32_t begin = bin_begin_[bin];
    const std::uint32_t end = bin_begin_[bin + 1];
    const double* weights = kept_->weights(begin_);
    constexpr std::uint64_t one_right = std::uint64_t{1} << 32;
    double even = 0.0;
    double odd = 0.0;
    const auto move = [&](const std::uint8_t* bins, std::size_t j, double& sum) {
        std::uint64_t& half = halves_[j * coarse_bins + bins[j]];
        const auto left = static_cast<std::uint32_t>(half);
        half += 1 - one_right;
        sum += log_count(left) - log_count(static_cast<std::uint32_t>(half >> 32));
    };
    const auto move_columns = [&](const std::uint8_t* bins, std::size_t j, std::size_t last) {
        for (; j + 2 <= last; j += 2) {
            move(bins, j, even);
            move(bins, j + 1, odd);
        }
        if (j < last) move(bins, j, even);
    };
    for (std::uint32_t k = begin; k < end; ++k) {
        const std::uint8_t* bins = coarse_.data() + sorted_[k] * n_columns_;
        const double weight = weights == nullptr ? 1.0 : weights[sorted_[k]];
        left_weight_ += weight;
        for (double copy = 0.0; copy < weight; copy += 1.0) {
            move_columns(bins, 0, feature_);
            move_columns(bins, feature_ + 1, n_columns_);
        }
    }
    evidence_ += even + odd;
    return begin < end;
}

double ProductScanner::product_gain() const {
    const double right_weight = node_weight_ - left_weight_;
    double product = evidence_ - other_evidence_;
    for (std::size_t k = 1; k <= coarse_bins; ++k) {
        if (other_columns_[k] == 0.0) continue;
        product -= other_columns_[k] * (log_total_[k](left_weight_) + log_total_[k](right_weight));
    }
    return product;
}

double ProductScanner::uniform_gain(double share) const {
    const double right_weight = node_weight_ - left_weight_;
    return n_log_n(left_weight_) + n_log_n(right_weight) - n_log_n(node_weight_) -
           left_weight_ * fast_log(share) - right_weight * fast_log(1.0 - share);
}

// Cells of a categorical column in the order of the first principal component of their profiles, the shares
// of their rows in the coarse bins of all other columns: neighbours in that order look alike elsewhere.
std::vector<double> ProductScanner::cell_keys(const Cuts& cells, std::span<const double> widths) {
    fill(cells);
    const std::size_t n = cells.n_bins;
    std::vector<double> profile(n * stride_, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
        if (bin_weight_[k] == 0.0) continue;
        for (std::size_t o = 0; o < stride_; ++o) {
            if (o / coarse_bins == cells.feature) continue;
            profile[k * stride_ + o] =
                table_[k * stride_ + o] / bin_weight_[k] - node_counts_[o] / node_weight_;
        }
    }
    std::vector<double> keys(n);
    for (std::size_t k = 0; k < n; ++k)
        keys[k] = bin_weight_[k] / widths[k];  // breaks ties of equal profiles
    std::vector<double> direction(stride_);
    for (int step = 0; step < power_steps; ++step) {
        std::fill(direction.begin(), direction.end(), 0.0);
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t o = 0; o < stride_; ++o) {
                direction[o] += bin_weight_[k] * keys[k] * profile[k * stride_ + o];
            }
        }
        double norm = 0.0;
        for (double d : direction) norm += d * d;
        if (norm < 1e-24) return keys;
        for (std::size_t k = 0; k < n; ++k) {
            keys[k] = 0.0;
            for (std::size_t o = 0; o < stride_; ++o) {
                keys[k] += profile[k * stride_ + o] * direction[o] / std::sqrt(norm);
            }
        }
    }
    return keys;
}

}  // namespace boxwood
