#include "margins/place_atoms.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace boxwood {

namespace {

// Between adjacent doubles a piece has next to no mass, but never none.
constexpr double least_mass = 1e-300;

// Cuts pieces so that every atom lies between knots, then lets the atoms in.
class AtomPlacer {
  public:
    AtomPlacer(SmoothCdf cdf, const std::vector<Atom>& atoms) : cdf_(std::move(cdf)) {
        if (!atoms.empty()) {
            reach_left(atoms.front().low);
            reach_right(atoms.back().high);
        }
        x_.push_back(cdf_.x.front());
        auto atom = atoms.begin();
        for (std::size_t i = 0; i < cdf_.mass.size(); ++i) {
            from_ = std::max(0.0, position(i, x_.back()));
            while (atom != atoms.end() && atom->low < cdf_.x[i + 1]) add_within(i, *atom++);
            if (x_.back() < cdf_.x[i + 1]) add_part(i, 1.0, cdf_.x[i + 1]);
        }
        for (; atom != atoms.end(); ++atom) add_atom(*atom);
    }

    // Scales the smooth pieces, and the atoms where nothing is left of these.
    PiecewiseCdf finish(double continuous_mass) && {
        double smooth = cdf_.left_mass + cdf_.right_mass;
        double atoms = 0.0;
        for (std::size_t i = 0; i < mass_.size(); ++i) (is_smooth_[i] ? smooth : atoms) += mass_[i];
        const double scale = smooth > 0.0 ? continuous_mass / smooth : 0.0;
        const double atom_scale = smooth > 0.0 ? 1.0 : (continuous_mass + atoms) / atoms;
        for (std::size_t i = 0; i < mass_.size(); ++i)
            mass_[i] = std::max(mass_[i] * (is_smooth_[i] ? scale : atom_scale), least_mass);
        const auto tail = [&](double mass) { return mass == 0.0 ? 0.0 : std::max(mass * scale, least_mass); };
        return PiecewiseCdf(std::move(x_), std::move(mass_), std::move(shape_), tail(cdf_.left_mass),
                            cdf_.left_rate, tail(cdf_.right_mass), cdf_.right_rate);
    }

  private:
    // An atom beyond the knots: the part of the tail up to it becomes one even piece. At least a quarter of
    // the tail's mass stays in each part, so that far atoms leave no tail without mass.
    void reach_left(double value) {
        const double first = cdf_.x.front();
        if (value >= first) return;
        const double kept = kept_beyond(cdf_.left_rate * (value - first)) * cdf_.left_mass;
        cdf_.x.insert(cdf_.x.begin(), value);
        cdf_.mass.insert(cdf_.mass.begin(), cdf_.left_mass - kept);
        cdf_.shape.insert(cdf_.shape.begin(), EndShape{});
        cdf_.left_mass = kept;
    }

    void reach_right(double value) {
        const double last = cdf_.x.back();
        if (value <= last) return;
        const double kept = kept_beyond(cdf_.right_rate * (last - value)) * cdf_.right_mass;
        cdf_.x.push_back(value);
        cdf_.mass.push_back(cdf_.right_mass - kept);
        cdf_.shape.push_back(EndShape{});
        cdf_.right_mass = kept;
    }

    static double kept_beyond(double exponent) { return std::clamp(std::exp(exponent), 0.25, 0.75); }

    double position(std::size_t i, double value) const {
        return (value - cdf_.x[i]) / (cdf_.x[i + 1] - cdf_.x[i]);
    }

    void add_within(std::size_t i, const Atom& atom) {
        if (atom.low > x_.back()) add_part(i, position(i, atom.low), atom.low);
        add_atom(atom);
        from_ = std::max(from_, std::min(position(i, atom.high), 1.0));
    }

    void add_atom(const Atom& atom) {
        x_.push_back(atom.high);
        mass_.push_back(atom.mass);
        shape_.push_back({});
        is_smooth_.push_back(false);
    }

    // The part of piece i from `from_` up to t. One too thin to have a shape is even.
    void add_part(std::size_t i, double t, double upper) {
        const EndShape whole = cdf_.shape[i];
        const double mean = mean_density(from_, t, whole);
        const EndShape part{relative_density(from_, whole) / mean, relative_density(t, whole) / mean};
        const bool is_cut = from_ > 0.0 || t < 1.0;
        x_.push_back(upper);
        mass_.push_back(cdf_.mass[i] * (is_cut ? (t - from_) * mean : 1.0));
        shape_.push_back(!is_cut ? whole : (is_positive(part) ? part : EndShape{}));
        is_smooth_.push_back(true);
        from_ = t;
    }

    SmoothCdf cdf_;
    std::vector<double> x_;
    std::vector<double> mass_;
    std::vector<EndShape> shape_;
    std::vector<bool> is_smooth_;
    double from_ = 0.0;  // how much of the current piece was added already
};

}  // namespace

PiecewiseCdf place_atoms(const SmoothCdf& cdf, double continuous_mass, const std::vector<Atom>& atoms) {
    bool good = continuous_mass > 0.0;
    for (const Atom& atom : atoms)
        good = good && atom.mass > 0.0 && std::isfinite(atom.low) && std::isfinite(atom.high);
    if (!good) throw std::invalid_argument("atoms must be finite, and every mass positive");
    return AtomPlacer(cdf, atoms).finish(continuous_mass);
}

PiecewiseCdf atoms_alone(const std::vector<Atom>& atoms) {
    std::vector<double> x;
    std::vector<double> mass;
    for (const Atom& atom : atoms) {
        if (!x.empty()) mass.push_back(0.0);
        x.push_back(atom.low);
        x.push_back(atom.high);
        mass.push_back(atom.mass);
    }
    std::vector<EndShape> shape(mass.size());
    return PiecewiseCdf(std::move(x), std::move(mass), std::move(shape), 0.0, 0.0, 0.0, 0.0);
}

}  // namespace boxwood
