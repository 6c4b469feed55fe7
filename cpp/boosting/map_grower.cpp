#include "boosting/map_grower.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "base/n_log_n.hpp"
#include "base/random.hpp"

namespace boxwood {

double CubeRows::weight() const {
    if (weights.empty()) return static_cast<double>(size());
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

MapGrower::MapGrower(CubeRows& rows, const MapGrowOptions& options)
    : rows_(rows),
      options_(options),
      lower_(rows.n_columns),
      upper_(rows.n_columns),
      columns_(rows.n_columns),
      scale_(rows.n_columns),
      origin_(rows.n_columns),
      whole_counts_(2 * rows.n_columns * stride),
      counts_(2 * rows.n_columns * stride),
      sides_(rows.n_columns) {
    std::iota(columns_.begin(), columns_.end(), std::uint16_t{0});
    if (options_.max_features == 0 || options_.max_features > rows.n_columns)
        options_.max_features = static_cast<std::uint32_t>(rows.n_columns);
    for (std::size_t k = 1; k < n_parts; ++k)
        log_part_[k] = std::log(static_cast<double>(k) / static_cast<double>(n_parts));
}

std::vector<MapNode> MapGrower::grow(std::uint64_t round, double* importance) {
    nodes_.clear();
    gains_.clear();
    middles_.clear();
    std::fill(lower_.begin(), lower_.end(), 0.0);
    std::fill(upper_.begin(), upper_.end(), 1.0);
    grow_node({0, rows_.size(), rows_.weight()}, 0, 0.0, combine_keys(options_.seed, round));
    move_rows(nodes_.empty() ? no_node : 0, 0, rows_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) importance[nodes_[i].column] += gains_[i];
    return nodes_;
}

// Grows the subtree of a node and gives what it is worth: the log-likelihood that its cuts gain, less their
// penalties. A cut that gains nothing by itself may be worth it for those below; a subtree that is worth
// nothing is taken back, so that the node becomes a leaf.
double MapGrower::grow_node(const Rows& rows, std::uint32_t depth, double log2_volume, std::uint64_t key) {
    if (depth >= options_.max_depth || rows.weight < options_.min_samples_split) return 0.0;
    choose_columns(key);
    const double counted = count_rows(rows);
    Cut best = best_cut(counted);
    if (best.part == 0) return 0.0;
    const std::uint16_t j = best.column;
    const double lower = lower_[j];
    const double upper = upper_[j];
    const auto cut = static_cast<float>(lower + (upper - lower) * best.part / static_cast<double>(n_parts));
    if (!(cut > lower && cut < upper)) return 0.0;  // the box is too narrow for single precision
    const double part = (cut - lower) / (upper - lower);
    const Rows left = part_rows(rows, j, cut);
    const Rows right{left.end, rows.end, rows.weight - left.weight};
    if (counted != rows.weight) best.gain = gain_of(left.weight, right.weight, part);
    const float mass = mass_of(left.weight / rows.weight, part, log2_volume);
    if (!(mass > 0.0f && mass < 1.0f)) return 0.0;

    const std::size_t at = nodes_.size();
    nodes_.push_back({cut, mass, 0, j, 0});
    gains_.push_back(best.gain);
    middles_.push_back(left.end);
    double worth = best.gain - options_.split_penalty;
    upper_[j] = cut;
    worth += grow_node(left, depth + 1, log2_volume + std::log2(part), combine_keys(key, 1));
    upper_[j] = upper;
    nodes_[at].left_is_node = nodes_.size() > at + 1 ? 1 : 0;
    const std::size_t right_at = nodes_.size();
    lower_[j] = cut;
    worth += grow_node(right, depth + 1, log2_volume + std::log2(1.0 - part), combine_keys(key, 2));
    lower_[j] = lower;
    nodes_[at].right = nodes_.size() > right_at ? static_cast<std::uint32_t>(right_at) : 0;
    if (worth > 0.0) return worth;
    nodes_.resize(at);
    gains_.resize(at);
    middles_.resize(at);
    return 0.0;
}

// The first `max_features` of a shuffle.
void MapGrower::choose_columns(std::uint64_t key) {
    if (options_.max_features == columns_.size()) return;
    std::iota(columns_.begin(), columns_.end(), std::uint16_t{0});
    Draws draws(key);
    for (std::size_t i = 0; i < options_.max_features; ++i)
        std::swap(columns_[i], columns_[i + draws.below(columns_.size() - i)]);
}

// Gives the weight that was counted: of all rows, of large nodes that of a part of them.
double MapGrower::count_rows(const Rows& rows) {
    for (std::size_t m = 0; m < options_.max_features; ++m) {
        const std::size_t j = columns_[m];
        origin_[m] = lower_[j];
        scale_[m] = static_cast<double>(n_parts) / (upper_[j] - lower_[j]);
    }
    const std::size_t step = std::max<std::size_t>(1, (rows.end - rows.begin) / enough_rows);
    if (rows_.weights.empty()) {
        count_rows(rows, step, whole_counts_);
        std::copy_n(whole_counts_.begin(), options_.max_features * stride, counts_.begin());
    } else {
        count_rows(rows, step, counts_);
    }
    return step == 1 ? rows.weight : std::accumulate(counts_.begin(), counts_.begin() + stride, 0.0);
}

// What a cut gains in log-likelihood.
double MapGrower::gain_of(double left, double right, double part) {
    return std::max(0.0, n_log_n(left) + n_log_n(right) - n_log_n(left + right) - left * std::log(part) -
                             right * std::log1p(-part));
}

// One pass over the rows: the weight in each of 32 equal parts of the box, for each column that is tried.
// Rows take turns at two sets of counts: neighbours often fall into the same part, and adding to a number
// that has just been written waits for it (measured: half of the pass).
template <class Count>
void MapGrower::count_rows(const Rows& rows, std::size_t step, std::vector<Count>& counts) {
    const std::size_t n_tried = options_.max_features;
    const std::size_t n_counts = n_tried * stride;
    const std::size_t d = rows_.n_columns;
    std::fill_n(counts.begin(), 2 * n_counts, Count{0});
    const double* points = rows_.points.data();
    const std::uint16_t* columns = columns_.data();
    const double* origin = origin_.data();
    const double* scale = scale_.data();
    const auto count = [&](std::size_t i, Count* part) {
        Count one{1};
        if constexpr (std::is_same_v<Count, double>) one = rows_.weights[i];
        const double* point = points + i * d;
        for (std::size_t m = 0; m < n_tried; ++m, part += stride)
            part[static_cast<std::int32_t>((point[columns[m]] - origin[m]) * scale[m])] += one;
    };
    std::size_t i = rows.begin;
    for (; i + step < rows.end; i += 2 * step) {
        count(i, counts.data());
        count(i + step, counts.data() + n_counts);
    }
    if (i < rows.end) count(i, counts.data());
    for (std::size_t k = 0; k < n_counts; ++k) counts[k] += counts[n_counts + k];
}

MapGrower::Cut MapGrower::best_cut(double weight) const {
    Cut best;
    double best_gain = -1.0;
    for (std::size_t m = 0; m < options_.max_features; ++m) {
        const double* counts = counts_.data() + m * stride;
        double left = 0.0;
        for (std::uint32_t k = 1; k < n_parts; ++k) {
            left += counts[k - 1];
            const double right = weight - left;
            const double gain =
                n_log_n(left) + n_log_n(right) - left * log_part_[k] - right * log_part_[n_parts - k];
            if (gain > best_gain || best.part == 0) {
                best_gain = gain;
                best = {0.0, columns_[m], k};
            }
        }
    }
    best.gain = std::max(0.0, best_gain - n_log_n(weight));
    return best;
}

// Brings the rows to the left of a cut to the front and gives them.
MapGrower::Rows MapGrower::part_rows(const Rows& rows, std::uint16_t column, double cut) {
    const std::size_t d = rows_.n_columns;
    const double* values = rows_.points.data() + column;
    std::size_t front = rows.begin;
    std::size_t back = rows.end;
    part_blocks(front, back, column, cut);
    while (true) {
        while (front < back && values[front * d] < cut) ++front;
        while (front < back && !(values[(back - 1) * d] < cut)) --back;
        if (front == back) break;
        swap_rows(front, back - 1);
    }
    double weight = static_cast<double>(front - rows.begin);
    if (!rows_.weights.empty()) {
        const double* weights = rows_.weights.data();
        weight = std::accumulate(weights + rows.begin, weights + front, 0.0);
    }
    return {rows.begin, front, weight};
}

// Moves both ends inwards by whole blocks: first which rows of a block stand on the wrong side, without a
// branch (half of which would be guessed wrong), then the exchange.
void MapGrower::part_blocks(std::size_t& front, std::size_t& back, std::uint16_t column, double cut) {
    constexpr std::size_t block = 128;
    const std::size_t d = rows_.n_columns;
    const double* values = rows_.points.data() + column;
    std::array<std::uint8_t, block> wrong_front, wrong_back;
    std::size_t n_front = 0, n_back = 0, at_front = 0, at_back = 0;
    while (back - front >= 2 * block) {
        if (n_front == 0) {
            at_front = 0;
            for (std::size_t i = 0; i < block; ++i) {
                wrong_front[n_front] = static_cast<std::uint8_t>(i);
                n_front += values[(front + i) * d] < cut ? 0 : 1;
            }
        }
        if (n_back == 0) {
            at_back = 0;
            for (std::size_t i = 0; i < block; ++i) {
                wrong_back[n_back] = static_cast<std::uint8_t>(i);
                n_back += values[(back - 1 - i) * d] < cut ? 1 : 0;
            }
        }
        const std::size_t n = std::min(n_front, n_back);
        for (std::size_t k = 0; k < n; ++k)
            swap_rows(front + wrong_front[at_front + k], back - 1 - wrong_back[at_back + k]);
        n_front -= n;
        n_back -= n;
        at_front += n;
        at_back += n;
        if (n_front == 0) front += block;
        if (n_back == 0) back -= block;
    }
}

void MapGrower::swap_rows(std::size_t one, std::size_t other) {
    const std::size_t d = rows_.n_columns;
    double* points = rows_.points.data();
    std::swap_ranges(points + one * d, points + (one + 1) * d, points + other * d);
    if (!rows_.weights.empty()) std::swap(rows_.weights[one], rows_.weights[other]);
}

// θ: the part's own fraction of the volume, moved towards that of the rows by a step that is the smaller the
// smaller the box.
float MapGrower::mass_of(double fraction, double part, double log2_volume) const {
    const double step = options_.learning_rate * std::pow(1.0 - log2_volume, -options_.depth_decay);
    return static_cast<float>(part + step * (fraction - part));
}

// The rows of a leaf lie side by side: what the nodes above it do to them is made out once, and no row looks
// for its leaf. Measured on a million rows: half of the time of moving each row down the tree.
void MapGrower::move_rows(std::uint32_t number, std::size_t begin, std::size_t end) {
    if (number == no_node) return move_leaf(begin, end);
    const MapNode& node = nodes_[number];
    const MapSide side = sides_[node.column];
    for (const bool right : {false, true}) {
        path_.push_back({node.column, step_of(node, side, right)});
        sides_[node.column] = part_of(node, side, right);
        if (right)
            move_rows(node.right != 0 ? node.right : no_node, middles_[number], end);
        else
            move_rows(node.left_is_node != 0 ? number + 1 : no_node, begin, middles_[number]);
        path_.pop_back();
    }
    sides_[node.column] = side;
}

// The same steps in the same order as `Mover::move`, so that a chain that is loaded moves rows to the same
// bit.
void MapGrower::move_leaf(std::size_t begin, std::size_t end) {
    constexpr std::size_t abreast = 8;  // rows whose steps do not wait for each other
    const std::size_t d = rows_.n_columns;
    const auto move = [&](double* points, std::size_t n) {
        for (const Step& step : path_) {
            for (double* value = points + step.column; value < points + n * d; value += d)
                *value = step.move.shift + step.move.stretch * *value;
        }
        for (std::size_t i = 0; i < n * d; ++i) points[i] = std::min(std::max(points[i], 0.0), 1.0);
    };
    for (; begin + abreast <= end; begin += abreast) move(rows_.points.data() + begin * d, abreast);
    if (begin < end) move(rows_.points.data() + begin * d, end - begin);
}

}  // namespace boxwood
