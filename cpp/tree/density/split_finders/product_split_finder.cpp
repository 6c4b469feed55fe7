#include "tree/density/split_finders/product_split_finder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/fast_log.hpp"
#include "base/log_gamma.hpp"
#include "base/n_log_n.hpp"
#include "tree/density/split_finders/density_criteria.hpp"

namespace boxwood {

namespace {

constexpr double dirichlet_prior = 0.5;
constexpr std::size_t table_size = 4096;
constexpr int power_steps = 8;
// From so many rows a bin on it pays to count them first and to move whole bins.
constexpr std::size_t rows_a_group = 8;
// Steps of slots with so many rows are in a table for all nodes.
constexpr std::size_t few_steps = 64;

double log_count(const std::vector<double>& table, std::size_t n) {
    return n < table.size() ? table[n] : std::log(static_cast<double>(n) + dirichlet_prior);
}

// What moving one of n rows after another from right to left adds to the evidence of a bin:
// log Γ(l + 1 + a) − log Γ(l + a) = log(l + a), and the same backwards on the right.
void append_steps(const std::vector<double>& log_counts, std::size_t n, std::vector<double>& steps) {
    for (std::size_t left = 0; left < n; ++left)
        steps.push_back(log_count(log_counts, left) - log_count(log_counts, n - 1 - left));
}

// Four sums side by side, which vectors add: the columns' coarse bins come in fours.
double dot(const double* a, const double* b, std::size_t n) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (std::size_t o = 0; o < n; o += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += a[o + lane] * b[o + lane];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Where they begin, of n ≤ few_steps rows.
constexpr std::size_t begin_of_steps(std::size_t n) { return n * (n - 1) / 2; }

}  // namespace

double unit_of_counts(std::span<const double> weights) {
    double unit = 0.0;
    for (double w : weights) {
        if (w > 0.0 && (unit == 0.0 || w < unit)) unit = w;
    }
    const auto is_small_multiple = [&](double w) {
        const double times = w / unit;
        return times <= 8.0 && std::abs(times - std::rint(times)) <= 1e-4;
    };
    const bool countable = std::all_of(weights.begin(), weights.end(), is_small_multiple);
    return unit >= 0.9 && unit <= 1.1 && countable ? unit : 0.0;
}

LogRising::LogRising(double a) : a_(a), log_gamma_a_(log_gamma(a)), table_(table_size) {
    for (std::size_t n = 0; n < table_size; ++n) table_[n] = slow(static_cast<double>(n));
}

EvidenceTables::EvidenceTables() : group(dirichlet_prior) {
    for (std::size_t groups = 0; groups <= most_coarse_groups; ++groups) {
        total.emplace_back(dirichlet_prior * static_cast<double>(std::max<std::size_t>(groups, 1)));
    }
    for (std::size_t n = 0; n < table_size; ++n)
        log_counts.push_back(std::log(static_cast<double>(n) + dirichlet_prior));
    for (std::size_t n = 1; n <= few_steps; ++n) append_steps(log_counts, n, steps);
}

const EvidenceTables& EvidenceTables::shared() {
    static const EvidenceTables tables;
    return tables;
}

double LogRising::slow(double n) const { return log_gamma(n + a_) - log_gamma_a_; }

ProductSplitFinder::ProductSplitFinder(const BinnedRows& data, bool everywhere)
    : ProductSplitFinder(data, everywhere,
                         data.weights == nullptr ? 1.0 : unit_of_counts({data.weights, data.n_rows})) {}

ProductSplitFinder::ProductSplitFinder(const BinnedRows& data, bool everywhere, double unit)
    : data_(data),
      everywhere_(everywhere),
      unit_(unit),
      inverse_unit_(unit_ == 0.0 ? 0.0 : 1.0 / unit_),
      weighted_(unit_ == 0.0),
      n_columns_(data.n_columns()),
      stride_(n_columns_ * coarse_groups),
      n_coarse_(n_columns_),
      node_evidence_(n_columns_),
      other_columns_(coarse_groups + 1, 0.0) {}

// The coarse bin of every row of the node along every column: even parts of the box's bins or points.
void ProductSplitFinder::find_coarse_groups(const GrowBox& box) {
    const std::size_t n = n_rows_;
    slots_.resize(n * n_columns_);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        const ColumnRange& range = box.ranges[j];
        const std::uint16_t* bins = rows_partition_->bins(begin_) + j;
        const std::size_t stride = rows_partition_->stride() * step_;
        std::uint32_t* out = slots_.data() + j;
        const auto first = static_cast<std::uint32_t>(j * coarse_groups);
        if ((*data_.columns)[j].categorical) {
            const std::size_t size = range.members.size();
            n_coarse_[j] = std::min(coarse_groups, size);
            std::vector<std::uint32_t> slot_of((*data_.columns)[j].n_bins(), 0);
            for (std::size_t k = 0; k < size; ++k) {
                slot_of[range.members[k]] = first + static_cast<std::uint32_t>(k * n_coarse_[j] / size);
            }
            for (std::size_t i = 0; i < n; ++i) out[i * n_columns_] = slot_of[bins[i * stride]];
        } else if (data_.exact(j)) {
            n_coarse_[j] = coarse_groups;
            const double factor = static_cast<double>(coarse_groups) / (range.high_point - range.low_point);
            for (std::size_t i = 0; i < n; ++i) {
                const double at = (data_.place(rows_[i], j) - range.low_point) * factor;
                out[i * n_columns_] =
                    first + static_cast<std::uint32_t>(std::clamp(at, 0.0, coarse_groups - 1.0));
            }
        } else {
            const std::uint32_t width = range.high - range.low;
            n_coarse_[j] = std::min<std::size_t>(coarse_groups, width);
            // Rounded up, and so exact: rounded down, the edge between two parts went to the lower one.
            const std::uint64_t factor = ((std::uint64_t{n_coarse_[j]} << 32) + width - 1) / width;
            for (std::size_t i = 0; i < n; ++i) {
                const std::uint32_t at = bins[i * stride] - range.low;
                out[i * n_columns_] = first + static_cast<std::uint32_t>((at * factor) >> 32);
            }
        }
    }
}

void ProductSplitFinder::begin_node(const NodeContext& node) {
    rows_partition_ = &node.partition;
    begin_ = node.begin;
    rows_ = node.rows;
    step_ = node.step;
    n_rows_ = (rows_.size() + step_ - 1) / step_;
    weights_ = node.partition.weights(begin_);
    find_coarse_groups(node.box);
    node_counts_.assign(stride_, 0.0);
    node_weight_ = 0.0;
    for (std::size_t i = 0; i < n_rows_; ++i) {
        const double w = weight(i);
        node_weight_ += w;
        const std::uint32_t* slots = slots_.data() + i * n_columns_;
        for (std::size_t j = 0; j < n_columns_; ++j) node_counts_[slots[j]] += w;
    }
    if (sums_ != nullptr) {
        node_counts_.push_back(node_weight_);
        sums_->reads() ? sums_->read(node_counts_) : sums_->write(node_counts_);
        node_weight_ = node_counts_.back();
        node_counts_.pop_back();
    }
    for (std::size_t j = 0; j < n_columns_; ++j) {
        double sum = -log_total_[n_coarse_[j]](node_weight_);
        for (std::size_t b = 0; b < coarse_groups; ++b)
            sum += log_group_(node_counts_[j * coarse_groups + b]);
        node_evidence_[j] = sum;
    }
    steps_of_.clear();
}

// The rows of a slot are moved one by one, in whatever order: what each adds depends on how many moved before
// it, not on which.
void ProductSplitFinder::list_steps() {
    steps_.resize(begin_of_steps(few_steps + 1));
    steps_of_.resize(stride_);
    for (std::size_t o = 0; o < stride_; ++o) {
        const auto n = static_cast<std::size_t>(node_counts_[o]);
        const std::size_t begin = n <= few_steps ? begin_of_steps(n) : steps_.size();
        steps_of_[o] = static_cast<std::uint32_t>(begin);
        if (n > few_steps) append_steps(log_counts_, n, steps_);
    }
}

void ProductSplitFinder::fill(const CandidateSplits& candidates) {
    table_.assign(candidates.n_groups * stride_, 0.0);
    group_weight_.assign(candidates.n_groups, 0.0);
    for (std::size_t i = 0; i < n_rows_; ++i) {
        const double w = weight(i);
        group_weight_[candidates.group[i]] += w;
        double* counts = table_.data() + candidates.group[i] * stride_;
        const std::uint32_t* slots = slots_.data() + i * n_columns_;
        for (std::size_t j = 0; j < n_columns_; ++j) counts[slots[j]] += w;
    }
    if (sums_ != nullptr) exchange_sums();
}

void ProductSplitFinder::exchange_sums() {
    for (std::vector<double>* part : {&table_, &group_weight_})
        sums_->reads() ? sums_->read(*part) : sums_->write(*part);
}

// The bins of a categorical column are counted once, before their order is known.
void ProductSplitFinder::keep_bins(const CandidateSplits& bins) {
    fill(bins);
    kept_bins_ = bins.bin_order;
    kept_table_ = table_;
    kept_weight_ = group_weight_;
}

void ProductSplitFinder::order_kept_bins(const CandidateSplits& candidates) {
    table_.clear();
    group_weight_.clear();
    for (std::uint32_t bin : candidates.bin_order) {
        const auto at = std::lower_bound(kept_bins_.begin(), kept_bins_.end(), bin) - kept_bins_.begin();
        const auto first = kept_table_.begin() + at * static_cast<std::ptrdiff_t>(stride_);
        table_.insert(table_.end(), first, first + static_cast<std::ptrdiff_t>(stride_));
        group_weight_.push_back(kept_weight_[static_cast<std::size_t>(at)]);
    }
}

void ProductSplitFinder::chain_rows(const CandidateSplits& candidates) {
    first_row_.resize(candidates.n_groups);
    next_row_.resize(n_rows_);
    for (std::uint32_t i = 0; i < n_rows_; ++i) {
        const std::uint32_t group = candidates.group[i];
        std::uint64_t& word = occupied_[group / 64];
        const std::uint64_t bit = std::uint64_t{1} << (group % 64);
        next_row_[i] = (word & bit) != 0 ? first_row_[group] : i;
        first_row_[group] = i;
        word |= bit;
    }
}

void ProductSplitFinder::begin_scan(const CandidateSplits& candidates) {
    n_groups_ = candidates.n_groups;
    occupied_.assign((candidates.n_groups + 63) / 64, 0);
    by_rows_ = !weighted_ && n_rows_ <= rows_a_group * candidates.n_groups;
    feature_ = candidates.feature;
    left_weight_ = 0.0;
    evidence_ = other_evidence_ = 0.0;
    std::fill(other_columns_.begin(), other_columns_.end(), 0.0);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        if (j == feature_) continue;
        other_evidence_ += node_evidence_[j];
        evidence_ += node_evidence_[j] + log_total_[n_coarse_[j]](node_weight_);
        other_columns_[n_coarse_[j]] += 1.0;
    }
    if (by_rows_) {
        chain_rows(candidates);
        if (steps_of_.empty()) list_steps();
        next_step_ = steps_of_;
        return;
    }
    if (sums_ != nullptr && (*data_.columns)[feature_].categorical)
        order_kept_bins(candidates);
    else
        fill(candidates);
    for (std::size_t group = 0; group < n_groups_; ++group) {
        if (group_weight_[group] != 0.0) occupied_[group / 64] |= std::uint64_t{1} << (group % 64);
    }
    left_counts_.assign(stride_, 0.0);
}

std::size_t ProductSplitFinder::first_occupied(std::size_t group) const {
    std::size_t word = group / 64;
    if (word >= occupied_.size()) return n_groups_;
    std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << (group % 64));
    while (bits == 0) {
        if (++word == occupied_.size()) return n_groups_;
        bits = occupied_[word];
    }
    return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
}

// Moves the rows of a bin to the left half.
void ProductSplitFinder::move_group(std::size_t group) {
    left_weight_ += group_weight_[group];
    const double* moved = table_.data() + group * stride_;
    for (std::size_t o = 0; o < stride_; ++o) left_counts_[o] += moved[o];
    double left = 0.0;
    double right = 0.0;
    const auto add_columns = [&](std::size_t first, std::size_t last) {
        for (std::size_t o = first * coarse_groups; o < last * coarse_groups; ++o) {
            left += log_group_(left_counts_[o]);
            right += log_group_(node_counts_[o] - left_counts_[o]);
        }
    };
    add_columns(0, feature_);
    add_columns(feature_ + 1, n_columns_);
    evidence_ = left + right;
}

// The same, row by row. Two sums, since each addition waits for the one before.
void ProductSplitFinder::move_rows(std::size_t group) {
    double even = 0.0;
    double odd = 0.0;
    const auto move_columns = [&](const std::uint32_t* slots, std::size_t j, std::size_t last) {
        for (; j + 2 <= last; j += 2) {
            even += steps_[next_step_[slots[j]]++];
            odd += steps_[next_step_[slots[j + 1]]++];
        }
        if (j < last) even += steps_[next_step_[slots[j]]++];
    };
    for (std::uint32_t i = first_row_[group];; i = next_row_[i]) {
        const std::uint32_t* slots = slots_.data() + i * n_columns_;
        const double w = weight(i);
        left_weight_ += w;
        for (double copy = 0.0; copy < w; copy += 1.0) {
            move_columns(slots, 0, feature_);
            move_columns(slots, feature_ + 1, n_columns_);
        }
        if (next_row_[i] == i) break;
    }
    evidence_ += even + odd;
}

double ProductSplitFinder::product_gain() const {
    const double right_weight = node_weight_ - left_weight_;
    double product = evidence_ - other_evidence_;
    for (std::size_t k = 1; k <= coarse_groups; ++k) {
        if (other_columns_[k] == 0.0) continue;
        product -= other_columns_[k] * (log_total_[k](left_weight_) + log_total_[k](right_weight));
    }
    return product;
}

double ProductSplitFinder::uniform_gain(double fraction) const {
    const double right_weight = node_weight_ - left_weight_;
    return n_log_n(left_weight_) + n_log_n(right_weight) - n_log_n(node_weight_) -
           left_weight_ * fast_log(fraction) - right_weight * fast_log(1.0 - fraction);
}

// Deep in a tree most bins have no rows: these take no room and no time.
void ProductSplitFinder::take_profiles_of_rows(const CandidateSplits& bins) {
    constexpr std::uint32_t nowhere = ~std::uint32_t{0};
    profile_of_.assign(bins.n_groups, nowhere);
    for (std::size_t i = 0; i < n_rows_; ++i) {
        if (std::exchange(profile_of_[bins.group[i]], 0) == nowhere) profiled_.push_back(bins.group[i]);
    }
    // Not in the order of the rows: sums of floats would depend on it.
    std::sort(profiled_.begin(), profiled_.end());
    for (std::uint32_t k = 0; k < profiled_.size(); ++k) profile_of_[profiled_[k]] = k;
    profiles_.assign(profiled_.size() * stride_, 0.0);
    group_weight_.assign(profiled_.size(), 0.0);
    for (std::size_t i = 0; i < n_rows_; ++i) {
        const double w = weight(i);
        const std::size_t k = profile_of_[bins.group[i]];
        group_weight_[k] += w;
        double* counts = profiles_.data() + k * stride_;
        const std::uint32_t* slots = slots_.data() + i * n_columns_;
        for (std::size_t j = 0; j < n_columns_; ++j) counts[slots[j]] += w;
    }
}

void ProductSplitFinder::take_profiles_of_sums() {
    profiles_.clear();
    group_weight_.clear();
    for (std::uint32_t bin = 0; bin < kept_weight_.size(); ++bin) {
        if (kept_weight_[bin] == 0.0) continue;
        const auto first = kept_table_.begin() + static_cast<std::ptrdiff_t>(bin * stride_);
        profiles_.insert(profiles_.end(), first, first + static_cast<std::ptrdiff_t>(stride_));
        group_weight_.push_back(kept_weight_[bin]);
        profiled_.push_back(bin);
    }
}

void ProductSplitFinder::find_profiles(const CandidateSplits& bins) {
    profiled_.clear();
    if (sums_ != nullptr) {
        keep_bins(bins);
        take_profiles_of_sums();
    } else {
        take_profiles_of_rows(bins);
    }
    for (std::size_t k = 0; k < profiled_.size(); ++k) {
        const double inverse = 1.0 / group_weight_[k];
        double* profile = profiles_.data() + k * stride_;
        for (std::size_t o = 0; o < stride_; ++o)
            profile[o] = profile[o] * inverse - node_counts_[o] / node_weight_;
        std::fill_n(profile + bins.feature * coarse_groups, coarse_groups, 0.0);
    }
}

// Bins of a categorical column in the order of the first principal component of their profiles, the fractions
// of their rows in the coarse bins of all other columns, less those of the node: neighbours in that
// order look alike elsewhere.
std::vector<double> ProductSplitFinder::bin_keys(const CandidateSplits& bins,
                                                 std::span<const double> widths) {
    find_profiles(bins);
    const std::size_t n = profiled_.size();
    std::vector<double> of_profiles(n);
    for (std::size_t k = 0; k < n; ++k)
        of_profiles[k] = group_weight_[k] / widths[profiled_[k]];  // breaks ties of equal profiles
    std::vector<double> direction(stride_);
    for (int step = 0; step < power_steps; ++step) {
        std::fill(direction.begin(), direction.end(), 0.0);
        for (std::size_t k = 0; k < n; ++k) {
            const double factor = group_weight_[k] * of_profiles[k];
            const double* profile = profiles_.data() + k * stride_;
            for (std::size_t o = 0; o < stride_; ++o) direction[o] += factor * profile[o];
        }
        const double norm = dot(direction.data(), direction.data(), stride_);
        if (norm < 1e-24) break;
        const double inverse = 1.0 / std::sqrt(norm);
        for (std::size_t k = 0; k < n; ++k)
            of_profiles[k] = inverse * dot(profiles_.data() + k * stride_, direction.data(), stride_);
    }
    std::vector<double> keys(bins.n_groups, 0.0);
    for (std::size_t k = 0; k < n; ++k) keys[profiled_[k]] = of_profiles[k];
    return keys;
}

}  // namespace boxwood
