#include "mixture/leaf_density.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/normal_distribution.hpp"
#include "mixture/gaussian/full_gaussian.hpp"

namespace boxwood {

namespace {

// The inverse of the normal distribution function by bisection: simulation alone needs it.
double gaussian_quantile(double low, double high, double fraction) {
    const double total = normal_mass(low, high);
    const double start = low;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (normal_mass(start, middle) < fraction * total ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

struct GaussianPiece {
    double mean;
    double deviation;

    explicit GaussianPiece(const LeafColumn& p)
        : mean(p.leaves->mean[p.leaf * p.box->n_columns() + p.column]),
          deviation(p.leaves->deviation[p.leaf * p.box->n_columns() + p.column]) {}

    // ∫ exp(−½z²) over an interval.
    double integral(double low, double high) const {
        return deviation * std::sqrt(2.0 * std::numbers::pi) *
               normal_mass((low - mean) / deviation, (high - mean) / deviation);
    }
};

// A Gaussian runs along ordered columns only; a categorical column of a Gaussian leaf is uniform on its set.
bool is_gaussian(const LeafColumn& p) {
    return p.leaves->kind == LeafKind::gaussian && !p.box->categorical(p.column);
}

// Calls visit(low, high, weight, bin) for stretches of constant weight inside the box, in order.
template <class Visit>
void for_each_stretch(const LeafColumn& p, Visit&& visit) {
    const std::vector<double>& u = p.box->bin_edges(p.column).u;
    const bool flat = p.leaves->kind != LeafKind::histogram;
    const LeafBinRange leaf_bins = leaf_bins_of_column(*p.box, p.column, flat ? 1 : p.leaves->n_leaf_bins);
    const std::uint8_t* quantised =
        flat ? nullptr : p.leaves->quantised_of(p.leaf, p.column, p.box->n_columns());
    const auto weight_of = [&](std::size_t leaf_bin) {
        return flat ? 1.0 : quantised_weights()[quantised[leaf_bin]];
    };
    if (p.box->categorical(p.column)) {
        for (std::uint32_t bin : p.box->members(p.column)) {
            visit(u[bin], u[bin + 1], weight_of(flat ? 0 : leaf_bins.leaf_bin_of(bin)));
        }
        return;
    }
    for (std::uint32_t b = 0; b < leaf_bins.n_leaf_bins; ++b)
        visit(u[leaf_bins.begin(b)], u[leaf_bins.begin(b + 1)], weight_of(b));
}

double integral_between(const LeafColumn& p, double low, double high) {
    if (is_gaussian(p)) {
        const std::vector<double>& u = p.box->bin_edges(p.column).u;
        const double from = std::max(low, u[p.box->low(p.column)]);
        const double to = std::min(high, u[p.box->high(p.column)]);
        return from < to ? GaussianPiece(p).integral(from, to) : 0.0;
    }
    double sum = 0.0;
    for_each_stretch(p, [&](double a, double b, double weight) {
        sum += weight * std::max(0.0, std::min(b, high) - std::max(a, low));
    });
    return sum;
}

// What the squares of the piece's weights integrate to over the box.
double squared_integral(const LeafColumn& p) {
    if (is_gaussian(p)) {
        const std::vector<double>& u = p.box->bin_edges(p.column).u;
        GaussianPiece narrower(p);
        narrower.deviation /= std::numbers::sqrt2;
        return narrower.integral(u[p.box->low(p.column)], u[p.box->high(p.column)]);
    }
    double sum = 0.0;
    for_each_stretch(p, [&](double a, double b, double weight) { sum += weight * weight * (b - a); });
    return sum;
}

}  // namespace

double gaussian_log_weight(double point, double mean, double deviation) {
    const double z = (point - mean) / deviation;
    return -0.5 * z * z;
}

double normalizer(const LeafColumn& piece) {
    if (piece.leaves->kind != LeafKind::histogram) return integral_between(piece, 0.0, 1.0);
    const LeafBinRange leaf_bins = leaf_bins_of_column(*piece.box, piece.column, piece.leaves->n_leaf_bins);
    std::array<double, 1024> widths;  // a histogram has no more bins
    leaf_bin_widths(*piece.box, piece.column, leaf_bins, widths.data());
    const std::uint8_t* quantised =
        piece.leaves->quantised_of(piece.leaf, piece.column, piece.box->n_columns());
    return histogram_integral(quantised, widths.data(), leaf_bins.n_leaf_bins);
}

double log_scale_of(const Leaves& leaves, std::size_t leaf, double mass, const Box& box) {
    return log_scale_of(leaves, leaf, mass, box,
                        [&](std::size_t j) { return normalizer({&leaves, leaf, &box, j}); });
}

double full_log_scale(const Leaves& leaves, std::size_t leaf, double mass, const Box& box) {
    return std::log(mass) - FullGaussian(leaves, leaf, box).log_integral();
}

double log_weight_at(const Leaves& leaves, std::size_t leaf, const Box& box, const double* point) {
    const std::size_t d = box.n_columns();
    if (leaves.kind == LeafKind::gaussian_full) {
        std::vector<double> z(d);
        return full_gaussian_log_weight(leaves, leaf, {point, d}, z);
    }
    double sum = 0.0;
    for (std::size_t j = 0; j < d; ++j) {
        if (leaves.kind == LeafKind::histogram) {
            const std::uint32_t bin = box.bin_edges(j).bin_of(point[j]);
            const std::uint32_t b = leaf_bins_of_column(box, j, leaves.n_leaf_bins).leaf_bin_of(bin);
            sum += quantised_log_weight(leaves.quantised_of(leaf, j, d)[b]);
        } else if (leaves.kind == LeafKind::gaussian && !box.categorical(j)) {
            sum += gaussian_log_weight(point[j], leaves.mean[leaf * d + j], leaves.deviation[leaf * d + j]);
        }
    }
    return sum;
}

double log_squared_integral(const Leaves& leaves, std::size_t leaf, double mass, const Box& box) {
    double sum = 2.0 * std::log(mass);
    if (leaves.kind == LeafKind::gaussian_full) {
        const FullGaussian gaussian(leaves, leaf, box);
        return sum + gaussian.log_squared_integral() - 2.0 * gaussian.log_integral();
    }
    for (std::size_t j = 0; j < box.n_columns(); ++j) {
        const LeafColumn piece{&leaves, leaf, &box, j};
        sum += std::log(squared_integral(piece)) - 2.0 * std::log(normalizer(piece));
    }
    return sum;
}

double probability_of(const LeafColumn& piece, const ColumnEvent& event) {
    if (event.kind == ColumnEvent::Kind::anything) return 1.0;
    if (event.kind == ColumnEvent::Kind::interval) {
        return integral_between(piece, event.low, event.high) / normalizer(piece);
    }
    const std::vector<double>& u = piece.box->bin_edges(piece.column).u;
    std::vector<double> mass(u.size() - 1, 0.0);
    add_bin_masses(piece, 1.0, mass.data());
    double sum = 0.0;
    for (std::size_t bin = 0; bin < mass.size(); ++bin) sum += event.bins[bin] ? mass[bin] : 0.0;
    return sum;
}

void add_bin_masses(const LeafColumn& piece, double mass, double* bins) {
    const std::vector<double>& u = piece.box->bin_edges(piece.column).u;
    const double scale = mass / normalizer(piece);
    if (is_gaussian(piece)) {
        const GaussianPiece gaussian(piece);
        for (std::uint32_t bin = piece.box->low(piece.column); bin < piece.box->high(piece.column); ++bin) {
            bins[bin] += scale * gaussian.integral(u[bin], u[bin + 1]);
        }
        return;
    }
    const bool flat = piece.leaves->kind != LeafKind::histogram;
    const LeafBinRange leaf_bins =
        leaf_bins_of_column(*piece.box, piece.column, flat ? 1 : piece.leaves->n_leaf_bins);
    const std::uint8_t* quantised =
        flat ? nullptr : piece.leaves->quantised_of(piece.leaf, piece.column, piece.box->n_columns());
    for (std::size_t k = 0; k < piece.box->n_bins(piece.column); ++k) {
        const std::uint32_t bin = piece.box->bin(piece.column, k);
        const double weight = flat ? 1.0 : quantised_weights()[quantised[leaf_bins.leaf_bin_of(bin)]];
        bins[bin] += scale * weight * (u[bin + 1] - u[bin]);
    }
}

void draw_point(const Leaves& leaves, std::size_t leaf, const Box& box, Draws& draws, double* point) {
    for (std::size_t j = 0; j < box.n_columns(); ++j) point[j] = draw_from({&leaves, leaf, &box, j}, draws);
    // Of full covariance that were the level columns.
    if (leaves.kind == LeafKind::gaussian_full) FullGaussian(leaves, leaf, box).draw(draws, point);
}

double draw_from(const LeafColumn& piece, Draws& draws) {
    const double target = draws.uniform();
    if (is_gaussian(piece)) {
        const std::vector<double>& u = piece.box->bin_edges(piece.column).u;
        const GaussianPiece g(piece);
        const double low = u[piece.box->low(piece.column)];
        const double high = u[piece.box->high(piece.column)];
        const double z =
            gaussian_quantile((low - g.mean) / g.deviation, (high - g.mean) / g.deviation, target);
        return std::clamp(g.mean + g.deviation * z, low, std::nextafter(high, low));
    }
    double left = target * normalizer(piece);
    double point = 0.0;
    bool found = false;
    for_each_stretch(piece, [&](double a, double b, double weight) {
        if (found) return;
        const double mass = weight * (b - a);
        const double last = std::nextafter(b, a);  // the end itself belongs to the next stretch
        point = left < mass ? std::min(a + left / weight, last) : last;
        found = left < mass;
        left -= mass;
    });
    return point;
}

}  // namespace boxwood
