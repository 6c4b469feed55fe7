#include "margins/place_atoms.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace boxwood {

namespace {

// Between adjacent doubles a piece has next to no mass, but never none.
constexpr double least_mass = 1e-300;

// Cuts pieces so that every atom lies at a knot, then lets the atoms in.
class AtomPlacer {
  public:
    AtomPlacer(SmoothCdf cdf, double fraction, const std::vector<Atom>& atoms)
        : cdf_(std::move(cdf)), fraction_(fraction) {
        if (!atoms.empty()) {
            reach_left(atoms.front().value);
            reach_right(atoms.back().value);
        }
        x_.push_back(cdf_.x.front());
        auto atom = atoms.begin();
        for (std::size_t i = 0; i < cdf_.mass.size(); ++i) {
            from_ = 0.0;
            while (atom != atoms.end() && atom->value < cdf_.x[i + 1]) add_within(i, *atom++);
            add_part(i, 1.0, cdf_.x[i + 1]);
        }
        for (; atom != atoms.end(); ++atom) add_piece(atom->value, atom->mass, {});
    }

    PiecewiseCdf finish() && {
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

    double tail(double mass) const { return mass == 0.0 ? 0.0 : std::max(mass * fraction_, least_mass); }

    void add_within(std::size_t i, const Atom& atom) {
        if (atom.value > x_.back()) {
            const double t = (atom.value - cdf_.x[i]) / (cdf_.x[i + 1] - cdf_.x[i]);
            add_part(i, t, atom.value);
        }
        add_piece(atom.value, atom.mass, {});
    }

    // The part of piece i from `from_` up to t. One too thin to have a shape is even.
    void add_part(std::size_t i, double t, double upper) {
        const EndShape integer = cdf_.shape[i];
        const double mean = mean_density(from_, t, integer);
        const EndShape part{relative_density(from_, integer) / mean, relative_density(t, integer) / mean};
        const bool is_cut = from_ > 0.0 || t < 1.0;
        add_piece(upper, fraction_ * cdf_.mass[i] * (is_cut ? (t - from_) * mean : 1.0),
                  !is_cut ? integer : (is_positive(part) ? part : EndShape{}));
        from_ = t;
    }

    void add_piece(double upper, double mass, EndShape shape) {
        x_.push_back(upper);
        mass_.push_back(std::max(mass, least_mass));
        shape_.push_back(shape);
    }

    SmoothCdf cdf_;
    double fraction_;
    std::vector<double> x_;
    std::vector<double> mass_;
    std::vector<EndShape> shape_;
    double from_ = 0.0;  // how much of the current piece was added already
};

}  // namespace

PiecewiseCdf place_atoms(const SmoothCdf& cdf, double continuous_mass, const std::vector<Atom>& atoms) {
    bool good = continuous_mass > 0.0;
    for (const Atom& atom : atoms) good = good && atom.mass > 0.0 && std::isfinite(atom.value);
    if (!good) throw std::invalid_argument("atoms must be finite, and every mass positive");
    return AtomPlacer(cdf, continuous_mass, atoms).finish();
}

}  // namespace boxwood
