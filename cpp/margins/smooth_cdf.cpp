#include "margins/smooth_cdf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "margins/merge_pieces.hpp"
#include "margins/subdivide.hpp"

namespace boxwood {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Six starts of about c·N^⅓ bins of equal mass are refined and averaged. Their edges differ, so no edge shows
// in the average. At 1,000 rows three starts are 0.004 nats per column better than one, and six 0.001 better
// than three.
constexpr std::array<double, 6> start_factors = {0.8, 0.66, 0.54, 0.44, 0.365, 0.3};

// A piece is merged with its neighbour as long as this costs the training rows few nats, because such small
// differences only follow the gaps between single rows. If the distribution is smooth, the cubic is right in
// 58 to 62% of the halvings, and a piece may lose up to one nat. If the distribution is a comb, as in columns
// of jittered whole numbers, the cubic is right in 30 to 50%, and nothing is merged.
constexpr double most_lost = 1.0;
constexpr double comb = 0.5;
constexpr double smooth = 0.6;

// Beyond each end lies a mass of 1/(N + 1): two pieces that grow by 2.5 and hold ¾ of what is left each, then
// an exponential. The unit is the distance over which the outermost rows thin out.
constexpr int tail_pieces = 2;
constexpr double tail_step = 0.7;
constexpr double tail_growth = 2.5;
constexpr double tail_rest = 0.25;
constexpr double tail_rows = 6.0;

// Past some 10^12 rows more of them change nothing; larger weights are scaled down to that, since differences
// of log-gammas of huge counts hold rounding errors only, and overflow in the end.
constexpr int most_rows_exponent = 40;
constexpr double most_start_bins = 16384.0;
// A tail is never steeper: its rate must stay finite.
constexpr double steepest = 1e300;

struct End {
    double edge;    // where the data end, half a gap beyond the outermost row
    double excess;  // unit of the tail
};

End find_end(const CellView& cells, bool left) {
    const std::size_t n = cells.size();
    const double rows = std::min(tail_rows, std::max(1.0, std::floor(cells.total() / 3.0)));
    const double rank = left ? rows : cells.total() - 1.0 - rows;
    const auto above = std::upper_bound(cells.below.begin(), cells.below.end(), rank);
    const auto inner = static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - cells.below.begin() - 1, 0));
    const double centre = cells.centre[std::min(inner, n - 1)];
    if (left) {
        const double gap = cells.centre[1] - cells.low[0];
        const double excess = std::max(centre - cells.low[0], gap);
        const double edge = cells.low[0] - 0.5 * std::min(gap, excess / rows);
        return {std::min(edge, std::nextafter(cells.low[0], -infinity)), excess};
    }
    const double gap = cells.high[n - 1] - cells.centre[n - 2];
    const double excess = std::max(cells.high[n - 1] - centre, gap);
    const double edge = cells.high[n - 1] + 0.5 * std::min(gap, excess / rows);
    return {std::max(edge, std::nextafter(cells.high[n - 1], infinity)), excess};
}

Partition equal_mass_start(const CellView& cells, std::size_t n_bins, End left, End right, double mass) {
    Partition start;
    start.x.push_back(left.edge);
    start.first_cell.push_back(0);
    for (std::size_t i = 1; i < n_bins; ++i) {
        const double rank = cells.total() * static_cast<double>(i) / static_cast<double>(n_bins);
        const auto found = std::lower_bound(cells.below.begin(), cells.below.end(), rank);
        auto cell = static_cast<std::size_t>(found - cells.below.begin());
        if (cell > 0 && rank - cells.below[cell - 1] < cells.below[cell] - rank) --cell;
        if (cell <= start.first_cell.back() || cell >= cells.size()) continue;
        start.first_cell.push_back(cell);
        start.x.push_back(middle(cells.high[cell - 1], cells.low[cell]));
    }
    start.first_cell.push_back(cells.size());
    start.x.push_back(right.edge);
    for (std::size_t b = 0; b + 1 < start.x.size(); ++b) {
        const double count = cells.below[start.first_cell[b + 1]] - cells.below[start.first_cell[b]];
        start.mass.push_back(count / cells.total() * mass);
    }
    return start;
}

std::vector<double> union_of_knots(const std::vector<Partition>& fits) {
    std::vector<double> x;
    for (const Partition& fit : fits) x.insert(x.end(), fit.x.begin(), fit.x.end());
    std::sort(x.begin(), x.end());
    x.erase(std::unique(x.begin(), x.end()), x.end());
    std::vector<double> kept = {x.front()};
    for (std::size_t i = 1; i + 1 < x.size(); ++i) {
        const bool is_near_duplicate = x[i] - x[i - 1] <= 1e-9 * (x[i + 1] - x[i]);
        if (!is_near_duplicate) kept.push_back(x[i]);
    }
    kept.push_back(x.back());
    return kept;
}

// Adds the masses that one fit gives to the intervals between knots.
void add_masses(const Partition& fit, const std::vector<double>& x, std::vector<double>& mass) {
    const std::vector<EndShape> shapes = end_shapes(fit.x, fit.mass);
    const auto left_of = [&](std::size_t piece, double at) {
        const double t = (at - fit.x[piece]) / (fit.x[piece + 1] - fit.x[piece]);
        return fit.mass[piece] * fraction_left_of(std::clamp(t, 0.0, 1.0), shapes[piece]);
    };
    std::size_t piece = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        while (piece + 1 < fit.mass.size() && fit.x[piece + 1] <= x[i]) ++piece;
        double sum = -left_of(piece, x[i]);
        std::size_t last = piece;
        for (; last + 1 < fit.mass.size() && fit.x[last + 1] < x[i + 1]; ++last) sum += fit.mass[last];
        mass[i] += sum + left_of(last, x[i + 1]);
    }
}

Partition average(const std::vector<Partition>& fits, double total_mass) {
    if (fits.size() == 1) return fits.front();
    Partition mean;
    mean.x = union_of_knots(fits);
    mean.mass.assign(mean.x.size() - 1, 0.0);
    for (const Partition& fit : fits) add_masses(fit, mean.x, mean.mass);
    double sum = 0.0;
    for (double& m : mean.mass) sum += m = std::max(m, 1e-300);
    for (double& m : mean.mass) m *= total_mass / sum;
    return mean;
}

// How many nats of all rows a piece may lose when it is merged with others.
double nats_to_lose(const std::vector<Partition>& fits) {
    double n_splits = 0.0;
    double n_cubic = 0.0;
    for (const Partition& fit : fits) {
        n_splits += fit.n_splits;
        n_cubic += fit.n_cubic;
    }
    if (n_splits == 0.0) return 0.0;
    const double smoothness = std::clamp((n_cubic / n_splits - comb) / (smooth - comb), 0.0, 1.0);
    return most_lost * smoothness * smoothness;
}

// Appends the pieces and the exponential beyond one end; x and mass grow at their back.
void append_tail(std::vector<double>& x, std::vector<double>& mass, double excess, double outward) {
    const double n_sided = outward > 0.0 ? infinity : -infinity;
    double step = tail_step;
    double rest = mass.back();  // the caller put the tail's mass there
    mass.pop_back();
    for (int i = 0; i < tail_pieces; ++i) {
        const double next = x.back() + outward * step * excess;
        const double ulp = std::nextafter(x.back(), n_sided);
        x.push_back(outward > 0.0 ? std::max(next, ulp) : std::min(next, ulp));
        mass.push_back(rest * (1.0 - tail_rest));
        rest *= tail_rest;
        step *= tail_growth;
    }
}

void add_tails(SmoothCdf& cdf, double excess_left, double excess_right, double tail_mass) {
    cdf.mass.push_back(tail_mass);
    append_tail(cdf.x, cdf.mass, excess_right, 1.0);
    std::reverse(cdf.x.begin(), cdf.x.end());
    std::reverse(cdf.mass.begin(), cdf.mass.end());
    cdf.mass.push_back(tail_mass);
    append_tail(cdf.x, cdf.mass, excess_left, -1.0);
    std::reverse(cdf.x.begin(), cdf.x.end());
    std::reverse(cdf.mass.begin(), cdf.mass.end());

    cdf.shape = end_shapes(cdf.x, cdf.mass);
    const double rest = tail_mass * std::pow(tail_rest, tail_pieces);
    const double step = tail_step * std::pow(tail_growth, tail_pieces);
    const std::size_t last = cdf.mass.size() - 1;
    // The width over which the outermost piece holds as much as the tail beyond it.
    const double first_width = rest / cdf.mass[0] * (cdf.x[1] - cdf.x[0]);
    const double last_width = rest / cdf.mass[last] * (cdf.x[last + 1] - cdf.x[last]);
    const double left_scale = std::max(step * excess_left, 0.5 * first_width);
    const double right_scale = std::max(step * excess_right, 0.5 * last_width);
    cdf.left_mass = cdf.right_mass = rest;
    cdf.left_rate = std::min(1.0 / left_scale, steepest);
    cdf.right_rate = std::min(1.0 / right_scale, steepest);
    cdf.shape[0].left = std::clamp(first_width / left_scale, 0.5, 2.0);
    cdf.shape[last].right = std::clamp(last_width / right_scale, 0.5, 2.0);
}

// One distinct value tells no scale; half its size (or of 1) is as good as any.
SmoothCdf around_one_value(double value) {
    const double half = 0.5 * std::max(std::abs(value), 1.0);
    SmoothCdf cdf;
    cdf.x = {value - half, value + half};
    cdf.mass = {0.5};
    cdf.shape = {EndShape{}};
    cdf.left_mass = cdf.right_mass = 0.25;
    cdf.left_rate = cdf.right_rate = 0.5 / half;
    return cdf;
}

// How many powers of two the counts are scaled down by.
int count_exponent(const std::vector<double>& count) {
    double total = 0.0;
    for (double c : count) total += c;
    if (!std::isfinite(total)) throw std::invalid_argument("the counts of a smooth CDF must add up");
    return std::max(0, std::ilogb(std::max(total, 1.0)) - most_rows_exponent);
}

CellView view_cells(const std::vector<double>& low, const std::vector<double>& high,
                    const std::vector<double>& count) {
    const int thinning = count_exponent(count);
    CellView view;
    view.below.push_back(0.0);
    for (std::size_t i = 0; i < low.size(); ++i) {
        view.low.push_back(low[i]);
        view.high.push_back(high[i]);
        view.below.push_back(view.below.back() + std::ldexp(count[i], -thinning));
    }
    if (view.size() == 1) {  // one cell of several values: half its rows at either end
        const double half = 0.5 * view.below.back();
        view.low = {view.low[0], view.high[0]};
        view.high = view.low;
        view.below = {0.0, half, 2.0 * half};
    }
    for (std::size_t i = 0; i < view.size(); ++i)
        view.centre.push_back(view.low[i] + 0.5 * (view.high[i] - view.low[i]));
    return view;
}

void check_cells(const std::vector<double>& low, const std::vector<double>& high,
                 const std::vector<double>& count) {
    const bool alike = low.size() == high.size() && low.size() == count.size();
    bool good = alike && !low.empty();
    for (std::size_t i = 0; good && i < low.size(); ++i) {
        good = std::isfinite(low[i]) && std::isfinite(high[i]) && low[i] <= high[i] && count[i] > 0.0 &&
               (i == 0 || high[i - 1] < low[i]);
    }
    if (!good) throw std::invalid_argument("a smooth CDF needs ascending cells with positive counts");
}

}  // namespace

SmoothCdf fit_smooth_cdf(const std::vector<double>& low, const std::vector<double>& high,
                         const std::vector<double>& count, std::size_t max_bin_edges) {
    check_cells(low, high, count);
    if (max_bin_edges < 8) throw std::invalid_argument("a smooth CDF needs room for at least 8 knots");
    if (low.front() == high.back()) return around_one_value(low.front());
    const CellView cells = view_cells(low, high, count);
    const End left = find_end(cells, true);
    const End right = find_end(cells, false);
    const double tail_mass = std::min(0.25, 1.0 / (cells.total() + 1.0));  // weights may sum to less than 1
    const double inner_mass = 1.0 - 2.0 * tail_mass;

    std::vector<Partition> fits;
    std::size_t previous_bins = 0;
    for (double factor : start_factors) {
        const double wanted = std::round(factor * std::cbrt(cells.total()));
        const auto n_bins = static_cast<std::size_t>(std::clamp(wanted, 1.0, most_start_bins));
        if (n_bins == previous_bins) continue;
        previous_bins = n_bins;
        fits.push_back(subdivide(cells, equal_mass_start(cells, n_bins, left, right, inner_mass)));
    }
    Partition mean = average(fits, inner_mass);
    const double lost = nats_to_lose(fits) / std::max(cells.total(), 1.0);
    merge_pieces(mean.x, mean.mass, max_bin_edges - 1 - std::size_t{2} * tail_pieces, lost);
    SmoothCdf cdf;
    cdf.x = std::move(mean.x);
    cdf.mass = std::move(mean.mass);
    add_tails(cdf, left.excess, right.excess, tail_mass);
    return cdf;
}

SmoothCdf uniform_cdf(double low, double high) {
    if (!(low < high)) throw std::invalid_argument("a uniform CDF needs an interval");
    SmoothCdf cdf;
    cdf.x = {low, high};
    cdf.mass = {1.0};
    cdf.shape = {EndShape{}};
    return cdf;
}

}  // namespace boxwood
