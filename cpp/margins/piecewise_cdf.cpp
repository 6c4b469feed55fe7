#include "margins/piecewise_cdf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace boxwood {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

// Logarithm of how far a tail has fallen at a (negative) distance. Every finite value has a positive density,
// even 1e300 for a column of denormals, whose logarithm would overflow.
double tail_exponent(double rate, double distance) { return std::max(rate * distance, -1e300); }

// Index of the last entry that is at most `value`, −1 where there is none. Without branches on the
// comparison: measured 3 times as fast as std::upper_bound on random values, whose branches nothing predicts.
std::ptrdiff_t last_at_most(const std::vector<double>& sorted, double value) {
    const double* base = sorted.data();
    std::size_t length = sorted.size();
    while (length > 1) {
        const std::size_t half = length / 2;
        base += base[half - 1] <= value ? half : 0;
        length -= half;
    }
    return (base - sorted.data()) - (*base <= value ? 0 : 1);
}

}  // namespace

PiecewiseCdf::PiecewiseCdf(std::vector<double> x, std::vector<double> mass, std::vector<EndShape> shape,
                           double left_mass, double left_rate, double right_mass, double right_rate)
    : x_(std::move(x)),
      mass_(std::move(mass)),
      shape_(std::move(shape)),
      left_mass_(left_mass),
      left_rate_(left_rate),
      right_mass_(right_mass),
      right_rate_(right_rate) {
    require(!mass_.empty() && x_.size() == mass_.size() + 1 && shape_.size() == mass_.size(),
            "a CDF of n pieces has n + 1 knots, n masses and n shapes");
    for (double knot : x_) require(std::isfinite(knot), "knots must be finite");
    for (std::size_t i = 0; i < mass_.size(); ++i) {
        require(x_[i] <= x_[i + 1], "knots must ascend");
        require(std::isfinite(x_[i + 1] - x_[i]), "pieces must have a finite width");
        require(i == 0 || x_[i - 1] < x_[i + 1], "a value can be an atom only once");
        require(mass_[i] >= 0.0 && mass_[i] <= 1.0, "masses of pieces must lie in [0, 1]");
        require(is_positive(shape_[i]), "the density of a piece must be positive");
    }
    for (double tail : {left_mass_, right_mass_})
        require(tail >= 0.0 && tail < 1.0, "tail masses lie in [0, 1)");
    require(left_mass_ == 0.0 || (left_rate_ > 0.0 && std::isfinite(left_rate_)),
            "tail rates must be positive");
    require(right_mass_ == 0.0 || (right_rate_ > 0.0 && std::isfinite(right_rate_)),
            "tail rates must be positive");
    u_.push_back(left_mass_);
    for (std::size_t i = 0; i < mass_.size(); ++i) {
        u_.push_back(u_.back() + mass_[i]);
        // Two logarithms: the quotient would overflow where a piece is a few denormals wide.
        log_mean_density_.push_back(std::log(mass_[i]) - (is_atom(i) ? 0.0 : std::log(x_[i + 1] - x_[i])));
    }
    total_ = u_.back() + right_mass_;
    require(total_ > 0.0, "some mass must be there");
    require(total_ <= 1.0 + 1e-9, "masses must not sum to more than 1");
    total_ = std::min(total_, 1.0);
}

std::ptrdiff_t PiecewiseCdf::find_piece(double value) const {
    const std::ptrdiff_t found = last_at_most(x_, value);
    if (found < 0) return left_tail;
    const auto i = static_cast<std::size_t>(found);
    if (i > 0 && value == x_[i] && is_atom(i - 1)) return found - 1;
    const bool is_closed_end = i == mass_.size() && value == x_[i] && right_mass_ == 0.0;
    return is_closed_end ? found - 1 : found;
}

double PiecewiseCdf::position(std::size_t piece, double value) const {
    return (value - x_[piece]) / (x_[piece + 1] - x_[piece]);
}

bool PiecewiseCdf::has_atoms() const {
    for (std::size_t i = 0; i < mass_.size(); ++i) {
        if (is_atom(i)) return true;
    }
    return false;
}

// P(X < value) for a value of a piece, plus `atom_fraction` of the mass of an atom at the value.
double PiecewiseCdf::mass_left_of(std::ptrdiff_t found, double value, double atom_fraction) const {
    if (found == left_tail) return left_mass_ * std::exp(left_rate_ * (value - x_.front()));
    const auto i = static_cast<std::size_t>(found);
    if (i == mass_.size()) return u_[i] - right_mass_ * std::expm1(-right_rate_ * (value - x_.back()));
    if (is_atom(i)) return u_[i] + atom_fraction * mass_[i];
    return u_[i] + mass_[i] * fraction_left_of(position(i, value), shape_[i]);
}

// The largest u stays below `total`, where the interval of missing values begins.
double PiecewiseCdf::encode_in(std::ptrdiff_t found, double value) const {
    return std::min(mass_left_of(found, value, 0.5), std::nextafter(total_, 0.0));
}

double PiecewiseCdf::encode(double value) const { return encode_in(find_piece(value), value); }

double PiecewiseCdf::below(double value) const {
    return std::min(mass_left_of(find_piece(value), value, 0.0), total_);
}

double PiecewiseCdf::log_density(double value) const { return log_density_in(find_piece(value), value); }

std::pair<double, double> PiecewiseCdf::encode_with_log_density(double value) const {
    const std::ptrdiff_t found = find_piece(value);
    return {encode_in(found, value), log_density_in(found, value)};
}

double PiecewiseCdf::log_density_in(std::ptrdiff_t found, double value) const {
    if (found == left_tail) {
        if (left_mass_ == 0.0) return -infinity;
        return std::log(left_mass_) + std::log(left_rate_) + tail_exponent(left_rate_, value - x_.front());
    }
    const auto i = static_cast<std::size_t>(found);
    if (i == mass_.size()) {
        if (right_mass_ == 0.0) return -infinity;
        return std::log(right_mass_) + std::log(right_rate_) + tail_exponent(right_rate_, x_.back() - value);
    }
    if (is_atom(i) || shape_[i].is_flat()) return log_mean_density_[i];
    return log_mean_density_[i] + std::log(relative_density(position(i, value), shape_[i]));
}

double PiecewiseCdf::decode(double u) const {
    u = std::clamp(u, 0.0, total_);
    if (u < u_.front()) return x_.front() + std::log(std::max(u / left_mass_, 1e-300)) / left_rate_;
    const auto i = static_cast<std::size_t>(last_at_most(u_, u));
    if (i >= mass_.size()) {
        if (right_mass_ == 0.0) return x_.back();
        const double rest = 1.0 - (u - u_.back()) / right_mass_;
        return x_.back() - std::log(std::clamp(rest, 1e-300, 1.0)) / right_rate_;
    }
    if (is_atom(i)) return x_[i];
    const double t = inverse_fraction((u - u_[i]) / mass_[i], shape_[i]);
    return std::clamp(x_[i] + t * (x_[i + 1] - x_[i]), x_[i], x_[i + 1]);
}

// Mass of one piece between two bounds. Both in a tail: a difference of exponentials that does not cancel.
double PiecewiseCdf::mass_of_part(double low, double high, std::ptrdiff_t piece) const {
    if (piece == left_tail) {
        const double top = std::min(high, x_.front());
        if (low >= top || left_mass_ == 0.0) return 0.0;
        return left_mass_ * std::exp(left_rate_ * (top - x_.front())) * -std::expm1(left_rate_ * (low - top));
    }
    const auto i = static_cast<std::size_t>(piece);
    if (i == mass_.size()) {
        const double bottom = std::max(low, x_.back());
        if (bottom >= high || right_mass_ == 0.0) return 0.0;
        return right_mass_ * std::exp(-right_rate_ * (bottom - x_.back())) *
               -std::expm1(-right_rate_ * (high - bottom));
    }
    if (is_atom(i)) return low <= x_[i] && x_[i] < high ? mass_[i] : 0.0;
    const double from = std::max(low, x_[i]);
    const double to = std::min(high, x_[i + 1]);
    if (from >= to) return 0.0;
    const double width = (to - from) / (x_[i + 1] - x_[i]);
    return mass_[i] * width * mean_density(position(i, from), position(i, to), shape_[i]);
}

double PiecewiseCdf::log_mass_between(double low, double high) const {
    if (!(low < high)) return -infinity;
    std::ptrdiff_t first = last_at_most(x_, low);
    if (first > 0 && is_atom(static_cast<std::size_t>(first) - 1)) --first;  // an atom at `low` belongs to it
    const auto n = static_cast<std::ptrdiff_t>(mass_.size());
    // Far out in a tail even the mass underflows; its logarithm does not.
    if (first == left_tail && high <= x_.front() && left_mass_ > 0.0) {
        return std::log(left_mass_) + tail_exponent(left_rate_, high - x_.front()) +
               std::log(-std::expm1(left_rate_ * (low - high)));
    }
    if (first == n && right_mass_ > 0.0) {
        return std::log(right_mass_) + tail_exponent(right_rate_, x_.back() - low) +
               std::log(-std::expm1(-right_rate_ * (high - low)));
    }
    double mass = 0.0;
    for (std::ptrdiff_t i = first; i <= n; ++i) {
        if (i > left_tail && x_[static_cast<std::size_t>(i)] >= high) break;
        mass += mass_of_part(low, high, i);
    }
    return std::log(mass);
}

void encode_values(const PiecewiseCdf& cdf, Strided values, double* out, std::ptrdiff_t out_stride) {
    for (std::size_t i = 0; i < values.size; ++i) {
        const double value = values[i];
        out[static_cast<std::ptrdiff_t>(i) * out_stride] = std::isnan(value) ? value : cdf.encode(value);
    }
}

void log_density_of_values(const PiecewiseCdf& cdf, Strided values, double* out) {
    for (std::size_t i = 0; i < values.size; ++i) {
        out[i] = std::isnan(values[i]) ? values[i] : cdf.log_density(values[i]);
    }
}

void decode_values(const PiecewiseCdf& cdf, Strided u, double* out) {
    for (std::size_t i = 0; i < u.size; ++i) out[i] = std::isnan(u[i]) ? u[i] : cdf.decode(u[i]);
}

}  // namespace boxwood
