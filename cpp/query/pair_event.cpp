#include "query/pair_event.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "query/leaf_event.hpp"

namespace boxwood {

void find_stretches(const ColumnLeaves& column, std::size_t leaf, std::vector<Stretch>& found) {
    found.clear();
    const double scale = column.scale[leaf];
    if (!column.gaussian()) {
        column.for_each_stretch(leaf, [&](std::uint32_t first, std::uint32_t end, double weight) {
            if (weight > 0.0) found.push_back({first, end, weight * scale});
        });
        return;
    }
    const std::vector<double>& u = column.bin_edges->u;
    for (std::uint32_t bin = column.low[leaf]; bin < column.high[leaf]; ++bin) {
        const double mass = gaussian_integral(column, leaf, u[bin], u[bin + 1]);
        if (mass > 0.0) found.push_back({bin, bin + 1, scale * mass / (u[bin + 1] - u[bin])});
    }
}

PairEvent::PairEvent(const LeafTable& leaves, std::size_t a, std::size_t b, const double* areas,
                     std::shared_ptr<const CubeEvent> event_a, std::shared_ptr<const CubeEvent> event_b)
    : a_(a), b_(b), event_a_(std::move(event_a)), event_b_(std::move(event_b)) {
    if (a >= leaves.n_columns() || b >= leaves.n_columns() || a == b)
        throw std::invalid_argument("a pair has two columns");
    const std::size_t n_a = leaves.column(a).n_bins();
    const std::size_t n_b = leaves.column(b).n_bins();
    if (leaves.column(a).categorical() || leaves.column(b).categorical())
        throw std::invalid_argument("a pair has ordered columns");
    if (event_a_->cover().size() != n_a || event_b_->cover().size() != n_b || event_a_->is_point() ||
        event_b_->is_point())
        throw std::invalid_argument("an event is about another column's bins");
    stride_ = n_b + 1;
    below_.assign((n_a + 1) * stride_, 0.0);
    for (std::size_t i = 0; i < n_a; ++i) {
        double row = 0.0;
        for (std::size_t j = 0; j < n_b; ++j) {
            const double part = areas[i * n_b + j];
            if (!(part >= 0.0 && part <= 1.0)) throw std::invalid_argument("an area lies in [0, 1]");
            row += part;
            below_[(i + 1) * stride_ + j + 1] = below_[i * stride_ + j + 1] + row;
        }
    }
}

double PairEvent::probability(const LeafTable& leaves, std::size_t leaf) const {
    const ColumnLeaves& a = leaves.column(a_);
    const ColumnLeaves& b = leaves.column(b_);
    const double whole = area(a.low[leaf], a.high[leaf], b.low[leaf], b.high[leaf]);
    // Differences of sums of up to 1: what is smaller is rounding.
    constexpr double rounding = 1e-15;
    if (whole <= rounding) return 0.0;
    const double of_a = event_a_->below()[a.high[leaf]] - event_a_->below()[a.low[leaf]];
    const double of_b = event_b_->below()[b.high[leaf]] - event_b_->below()[b.low[leaf]];
    if (whole >= of_a * of_b - rounding)
        return probability_of(a, leaf, *event_a_) * probability_of(b, leaf, *event_b_);
    thread_local std::vector<Stretch> along_a;
    thread_local std::vector<Stretch> along_b;
    find_stretches(a, leaf, along_a);
    find_stretches(b, leaf, along_b);
    double sum = 0.0;
    for (const Stretch& s : along_a) {
        double of_row = 0.0;
        for (const Stretch& t : along_b)
            of_row += t.density * std::max(0.0, area(s.first, s.end, t.first, t.end));
        sum += s.density * of_row;
    }
    return std::min(sum, 1.0);
}

namespace {

// The first bin of [first, end) at whose end a sum that never falls exceeds `left`.
template <class Below>
std::uint32_t find_bin(std::uint32_t first, std::uint32_t end, double left, const Below& below) {
    std::uint32_t low = first;
    std::uint32_t high = end - 1;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (below(middle + 1) > left) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

double draw_in_bin(const CubeEvent& event, const BinEdges& edges, std::uint32_t bin, double fraction) {
    const double from = edges.u[bin], to = edges.u[bin + 1];
    return event.point_between(from, to, fraction * event.length_between(from, to));
}

}  // namespace

void PairEvent::draw(const LeafTable& leaves, std::size_t leaf, Draws& draws, double* point) const {
    const ColumnLeaves& a = leaves.column(a_);
    const ColumnLeaves& b = leaves.column(b_);
    std::vector<Stretch> along_a;
    std::vector<Stretch> along_b;
    find_stretches(a, leaf, along_a);
    find_stretches(b, leaf, along_b);
    std::vector<double> upper;
    double sum = 0.0;
    for (const Stretch& s : along_a) {
        for (const Stretch& t : along_b)
            upper.push_back(sum +=
                            s.density * t.density * std::max(0.0, area(s.first, s.end, t.first, t.end)));
    }
    if (!(sum > 0.0)) return;
    const auto at = static_cast<std::size_t>(
        std::upper_bound(upper.begin(), upper.end() - 1, draws.uniform() * sum) - upper.begin());
    const Stretch& s = along_a[at / along_b.size()];
    const Stretch& t = along_b[at % along_b.size()];
    const double in_rows = draws.uniform() * area(s.first, s.end, t.first, t.end);
    const std::uint32_t i = find_bin(s.first, s.end, in_rows,
                                     [&](std::uint32_t end) { return area(s.first, end, t.first, t.end); });
    const double in_row = draws.uniform() * area(i, i + 1, t.first, t.end);
    const std::uint32_t j =
        find_bin(t.first, t.end, in_row, [&](std::uint32_t end) { return area(i, i + 1, t.first, end); });
    point[a_] = draw_in_bin(*event_a_, *a.bin_edges, i, draws.uniform());
    point[b_] = draw_in_bin(*event_b_, *b.bin_edges, j, draws.uniform());
}

void add_pair_density(const ColumnLeaves& a, const ColumnLeaves& b, std::size_t leaf, double mass,
                      double* differences) {
    thread_local std::vector<Stretch> along_a;
    thread_local std::vector<Stretch> along_b;
    find_stretches(a, leaf, along_a);
    find_stretches(b, leaf, along_b);
    const std::size_t stride = b.n_bins() + 1;
    for (const Stretch& s : along_a) {
        double* const first = differences + s.first * stride;
        double* const end = differences + s.end * stride;
        for (const Stretch& t : along_b) {
            const double density = mass * s.density * t.density;
            first[t.first] += density;
            first[t.end] -= density;
            end[t.first] -= density;
            end[t.end] += density;
        }
    }
}

}  // namespace boxwood
