#include "margins/number_margin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "margins/lattice/integer_intervals.hpp"
#include "margins/lattice/unseen_mass.hpp"
#include "margins/place_atoms.hpp"
#include "margins/smooth_cdf.hpp"

namespace boxwood {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Knots of a column, of which every atom takes two; with the one below missing values 1,024.
constexpr std::size_t most_knots = 1023;
// With fewer rows beside the atoms, the shape between atoms is taken from all rows.
constexpr double fewest_continuous = 5.0;
// Reserved for values that are no atom, so that none has density zero, and for values where all are missing.
constexpr double virtual_rows = 0.5;

struct Interval {
    double low;
    double high;
};

// The bounding box of a column, widened by half a mean gap on either side. Of integers: from the edge of the
// first to that of the last, so that all are equally likely. Never narrower than a finite `span`.
Interval linear_box(const WeightedCells& cells, bool integer, Bounds span) {
    const double low = std::isfinite(span.low) ? std::min(cells.low.front(), span.low) : cells.low.front();
    const double high = std::isfinite(span.high) ? std::max(cells.high.back(), span.high) : cells.high.back();
    // One value tells no scale.
    const double half = low == high ? 0.5 * std::max(std::abs(low), 1.0) : 0.0;
    if (integer) {
        const double last = std::floor(high + half);
        const double after = std::max(last + 1.0, std::nextafter(last, infinity));
        return {integer_edge(std::floor(low - half)), integer_edge(after)};
    }
    if (low == high) return {low - half, high + half};
    const double gap = (high - low) / std::max(cells.total() - 1.0, 1.0);
    return {std::min(low - 0.5 * gap, std::nextafter(low, -infinity)),
            std::max(high + 0.5 * gap, std::nextafter(high, infinity))};
}

WeightedCells without(const WeightedCells& cells, const std::vector<char>& left_out) {
    WeightedCells kept;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        if (left_out[k]) continue;
        kept.low.push_back(cells.low[k]);
        kept.high.push_back(cells.high[k]);
        kept.count.push_back(cells.count[k]);
    }
    return kept;
}

// What is kept for values that are no atom: half a row, or on a lattice whose every seen point is an atom the
// Good–Turing mass of those that were not seen.
double reserved_rows(const WeightedCells& cells, const std::vector<char>& is_atom, bool counted) {
    const auto n_atoms = std::count(is_atom.begin(), is_atom.end(), 1);
    if (n_atoms == 0) return 0.0;
    if (!counted || n_atoms < static_cast<std::ptrdiff_t>(cells.size())) return virtual_rows;
    const double unseen = unseen_mass(cells.count);
    return unseen / (1.0 - unseen) * cells.total();
}

// What each value of a support counts that no row has: together the Good–Turing mass, at most half a row
// each.
double rows_of_unseen(const WeightedCells& cells, std::size_t n_values) {
    if (cells.size() == 0) return virtual_rows / static_cast<double>(n_values);
    const double unseen = unseen_mass(cells.count);
    const double all = unseen / (1.0 - unseen) * cells.total();
    const auto n_unseen = static_cast<double>(n_values) - static_cast<double>(cells.size());
    return std::min(virtual_rows, all / std::max(n_unseen, 1.0));
}

// The CDF of the values that are there, whose probability is `present`.
PiecewiseCdf fit_cdf(const WeightedCells& cells, const std::vector<char>& is_atom, double present,
                     MarginKind kind, bool counted, Bounds bounds, Bounds span, bool closed) {
    const bool any_atom = std::find(is_atom.begin(), is_atom.end(), 1) != is_atom.end();
    const WeightedCells others = any_atom ? without(cells, is_atom) : cells;
    const double reserved = closed && !counted ? 0.0 : reserved_rows(cells, is_atom, counted);
    const double rows = cells.total() + reserved;  // may be denormal: divided by, never inverted
    const double mass = present * ((others.total() + reserved) / rows);
    std::vector<Atom> atoms;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        if (!is_atom[k]) continue;
        const double at = cells.low[k];
        const double fraction = present * (cells.count[k] / rows);
        atoms.push_back(counted ? Atom{integer_edge(at), upper_edge(at), fraction} : atom_at(at, fraction));
    }
    if (closed && !counted) return atoms_alone(atoms);
    if (kind == MarginKind::linear) {
        const Interval box = linear_box(cells, counted, span);
        return place_atoms(cut_cdf(uniform_cdf(box.low, box.high), bounds), mass, atoms);
    }
    const bool enough = others.total() >= fewest_continuous || !any_atom;
    WeightedCells shape = enough ? others : cells;
    // Values that were never seen are like the rare ones: each that was seen counts once.
    if (counted && !enough) shape.count.assign(shape.size(), 1.0);
    const std::size_t room = most_knots - 2 * atoms.size();
    SmoothCdf smooth = fit_smooth_cdf(shape.low, shape.high, shape.count, room);
    return place_atoms(cut_cdf(std::move(smooth), bounds), mass, atoms);
}

// Whether the points that were seen tell more than the smooth CDF between them, as postcodes do, which come
// again though they are rare: by the likelihood of each row under the points without it.
bool points_come_again(const WeightedCells& cells, const PiecewiseCdf& smooth) {
    const double rows = cells.total();
    const double unseen = unseen_mass(cells.count);
    double once = 0.0;
    double between = 1.0;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        between -= std::exp(log_mass_of_integer(smooth, cells.low[k]));
        if (is_once(cells.count[k])) once += cells.count[k];
    }
    if (once >= 0.5 * rows) return false;
    double gain = 0.0;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const double log_smooth = log_mass_of_integer(smooth, cells.low[k]);
        const double count = cells.count[k];
        const double left_out = is_once(count) ? std::log(unseen / std::max(between, unseen)) + log_smooth
                                               : std::log((1.0 - unseen) * ((count - 1.0) / (rows - 1.0)));
        gain += count * (left_out - log_smooth);
    }
    return gain > 0.0;
}

bool all_ties(const WeightedCells& cells) {
    for (std::size_t k = 0; k < cells.size(); ++k) {
        if (!cells.is_tie(k)) return false;
    }
    return true;
}

// Atoms of a column on a lattice, among the numbers of its points.
std::vector<char> find_points(const WeightedCells& cells, MarginKind kind, Bounds bounds) {
    std::vector<char> is_atom = find_atoms(cells);
    const bool few = cells.size() > 1 && cells.size() <= most_atoms && all_ties(cells);
    if (!few || kind == MarginKind::linear || std::find(is_atom.begin(), is_atom.end(), 0) == is_atom.end())
        return is_atom;
    const PiecewiseCdf smooth = fit_cdf(cells, is_atom, 1.0, kind, true, bounds, {}, false);
    if (points_come_again(cells, smooth)) is_atom.assign(cells.size(), 1);
    return is_atom;
}

// Bounds in numbers of lattice points, from edge to edge of their intervals.
Bounds on_lattice(Bounds bounds, const Lattice& lattice) {
    Bounds found;
    if (std::isfinite(bounds.low)) {
        const double place = lattice.place(bounds.low);
        found.low = lattice.point(place) < bounds.low && !lattice.holds(bounds.low, place)
                        ? upper_edge(place)
                        : integer_edge(place);
    }
    if (std::isfinite(bounds.high)) {
        const double place = lattice.place(bounds.high);
        found.high = lattice.point(place) > bounds.high && !lattice.holds(bounds.high, place)
                         ? integer_edge(place)
                         : upper_edge(place);
    }
    return found;
}

// Sorted cells in numbers of lattice points; those that fall on the same point are joined.
WeightedCells on_lattice(const WeightedCells& cells, const Lattice& lattice) {
    WeightedCells found;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const double low = lattice.place(cells.low[k]);
        const double high = lattice.place(cells.high[k]);
        if (found.size() > 0 && low <= found.high.back()) {
            found.high.back() = high;
            found.count.back() += cells.count[k];
            continue;
        }
        found.low.push_back(low);
        found.high.push_back(high);
        found.count.push_back(cells.count[k]);
    }
    return found;
}

OffLattice off_lattice_of(const std::optional<Lattice>& lattice, bool whole, double rows) {
    const double size = !lattice ? 0.0 : (whole ? lattice->step() - 1.0 : lattice->step());
    return size > 0.0 ? OffLattice{1.0 / (rows + 2.0), size} : OffLattice{};
}

}  // namespace

bool NumberMargin::is_continuous() const { return !lattice && missing_mass == 0.0 && !cdf.has_atoms(); }

double NumberMargin::log_mass_on_lattice(double value) const {
    const double place = lattice->place(value);
    const double log_mass = log_mass_of_integer(cdf, place);
    if (lattice->holds(value, place)) return log_mass + std::log1p(-off_lattice.mass);
    return off_lattice.mass == 0.0 ? -infinity
                                   : log_mass + std::log(off_lattice.mass) - std::log(off_lattice.size);
}

void NumberMargin::encode(Strided values, double* out, std::ptrdiff_t out_stride) const {
    const double middle = missing_mass == 0.0 ? nan : 0.5 * cdf.total() + 0.5;
    for (std::size_t i = 0; i < values.size; ++i) {
        const double value = values[i];
        double& u = out[static_cast<std::ptrdiff_t>(i) * out_stride];
        if (std::isnan(value)) {
            u = middle;
        } else {
            u = lattice ? encode_integer(cdf, lattice->place(value)) : cdf.encode(value);
        }
    }
}

void NumberMargin::add_log_derivative(Strided values, double log_missing, double* sum) const {
    for (std::size_t i = 0; i < values.size; ++i) {
        const double value = values[i];
        if (std::isnan(value)) {
            sum[i] += log_missing;
        } else {
            sum[i] += lattice ? log_mass_on_lattice(value) : cdf.log_density(value);
        }
    }
}

void NumberMargin::score(Strided values, double* points, std::ptrdiff_t stride, double* sum) const {
    for (std::size_t i = 0; i < values.size; ++i) {
        const double value = values[i];
        double* const point = points + static_cast<std::ptrdiff_t>(i) * stride;
        if (std::isnan(value)) {
            *point = value;
            continue;
        }
        if (lattice) {
            *point = encode_integer(cdf, lattice->place(value));
            sum[i] += log_mass_on_lattice(value);
            continue;
        }
        const auto [u, log_density] = cdf.encode_with_log_density(value);
        *point = u;
        sum[i] += log_density;
    }
}

std::size_t NumberMargin::decode(Strided u, double* out) const {
    std::size_t n_missing = 0;
    for (std::size_t i = 0; i < u.size; ++i) {
        if (std::isnan(u[i]) || (missing_mass > 0.0 && u[i] >= cdf.total())) {
            out[i] = nan;
            ++n_missing;
        } else {
            out[i] = lattice ? lattice->point(decode_integer(cdf, u[i])) : cdf.decode(u[i]);
        }
    }
    return n_missing;
}

NumberMargin fit_number_margin(WeightedCells cells, double missing, MarginKind kind,
                               const NumberMeasure& measure, bool whole) {
    const bool counted = measure.lattice.has_value();
    const Bounds bounds = counted ? on_lattice(measure.bounds, *measure.lattice) : measure.bounds;
    Bounds span = measure.span;
    std::vector<char> is_atom;
    if (counted) {
        if (std::isfinite(span.low)) span.low = measure.lattice->place(span.low);
        if (std::isfinite(span.high)) span.high = measure.lattice->place(span.high);
        cells = on_lattice(cells, *measure.lattice);
        is_atom = find_points(cells, kind, bounds);
    } else if (!measure.atoms) {
        is_atom = find_atoms(cells);
    } else {
        const double each = measure.is_closed ? rows_of_unseen(cells, measure.atoms->size()) : virtual_rows;
        CellsWithAtoms joined = with_atoms(cells, *measure.atoms, each);
        cells = std::move(joined.cells);
        is_atom = std::move(joined.is_atom);
    }
    const double rows = cells.total();
    const double total = rows + missing;
    const OffLattice off = measure.is_closed ? OffLattice{} : off_lattice_of(measure.lattice, whole, rows);
    if (cells.size() == 0) {
        // Nothing is known of the values: they keep a mass of half a row.
        const double within = std::clamp(0.0, bounds.low, bounds.high);
        const WeightedCells nothing{{within}, {within}, {1.0}};
        const double all = total + virtual_rows;
        PiecewiseCdf cdf =
            fit_cdf(nothing, {0}, virtual_rows / all, kind, counted, bounds, span, measure.is_closed);
        return {std::move(cdf), total / all, measure.lattice, off};
    }
    return {fit_cdf(cells, is_atom, rows / total, kind, counted, bounds, span, measure.is_closed),
            missing / total, measure.lattice, off};
}

}  // namespace boxwood
