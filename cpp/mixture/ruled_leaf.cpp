#include "mixture/ruled_leaf.hpp"

#include <algorithm>
#include <cmath>

#include "mixture/leaf_density.hpp"

namespace boxwood {

namespace {

// An interval of a leaf's piece is hit by drawing again; of one that is never hit its middle is taken.
constexpr int most_draws = 10'000;

// The piece's probability of each bin: 0 outside the box.
void find_masses(const LeafColumn& piece, std::vector<double>& out) {
    std::fill(out.begin(), out.end(), 0.0);
    add_bin_masses(piece, 1.0, out.data());
}

// Probability of an interval; within a bin the density is constant.
double mass_between(const std::vector<double>& u, const std::vector<double>& mass, double low, double high) {
    double sum = 0.0;
    const auto first = std::upper_bound(u.begin(), u.end() - 1, low) - u.begin();
    for (auto bin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first - 1, 0)); bin < mass.size();
         ++bin) {
        if (u[bin] >= high) break;
        const double part = std::max(0.0, std::min(u[bin + 1], high) - std::max(u[bin], low));
        sum += mass[bin] * (part / (u[bin + 1] - u[bin]));
    }
    return std::min(sum, 1.0);
}

}  // namespace

RuledLeaf::RuledLeaf(const Mixture& mixture, const RuleComponent& component,
                     const std::vector<std::vector<std::uint32_t>>& entries_of_bins)
    : mixture_(mixture),
      component_(component),
      entries_of_bins_(entries_of_bins),
      root_(mixture.columns()[component.root].n_bins()) {
    for (const RuledColumn& ruled : component.columns) {
        const BinEdges& bin_edges = mixture.columns()[ruled.column];
        columns_.emplace_back(bin_edges.n_bins());
        std::vector<std::uint32_t>& bins = bins_.emplace_back(ruled.low.size(), 0);
        for (std::size_t e = 0; e < bins.size(); ++e) {
            if (ruled.low[e] == ruled.high[e]) bins[e] = bin_edges.bin_of(ruled.low[e]);
        }
    }
}

void RuledLeaf::enter(const Leaves& leaves, std::size_t leaf, const Box& box) {
    leaves_ = &leaves;
    leaf_ = leaf;
    box_ = &box;
    find_masses({leaves_, leaf_, box_, component_.root}, root_);
    for (std::size_t k = 0; k < columns_.size(); ++k)
        find_masses({leaves_, leaf_, box_, component_.columns[k].column}, columns_[k]);
}

double RuledLeaf::factor(std::size_t k, std::size_t entry) const {
    const RuledColumn& ruled = component_.columns[k];
    const double low = ruled.low[entry];
    const double high = ruled.high[entry];
    if (std::isnan(low)) return 1.0;
    if (low == high) return columns_[k][bins_[k][entry]];
    return mass_between(mixture_.columns()[ruled.column].u, columns_[k], low, high);
}

double RuledLeaf::product(std::size_t entry) const {
    double product = 1.0;
    for (std::size_t k = 0; k < columns_.size() && product > 0.0; ++k) product *= factor(k, entry);
    return product;
}

double RuledLeaf::tilt(const std::vector<double>& log_all) const {
    double sum = 0.0;
    for_each_entry([&](std::uint32_t e, double mass) { sum += mass * product(e) * std::exp(-log_all[e]); });
    return sum;
}

double RuledLeaf::draw_other(std::size_t column, Draws& draws) const {
    const BinEdges& bin_edges = mixture_.columns()[column];
    double point = 0.0;
    for (int i = 0; i < most_draws; ++i) {
        point = draw_from({leaves_, leaf_, box_, column}, draws);
        const std::vector<std::uint32_t>& entries = entries_of_bins_[bin_edges.bin_of(point)];
        const bool known = std::any_of(entries.begin(), entries.end(), [&](std::uint32_t e) {
            return std::abs(point - component_.point[e]) <= 0.5 * component_.width[e];
        });
        if (!known) break;
    }
    return point;
}

double RuledLeaf::draw_between(std::size_t column, double low, double high, Draws& draws) const {
    for (int i = 0; i < most_draws; ++i) {
        const double point = draw_from({leaves_, leaf_, box_, column}, draws);
        if (point >= low && point < high) return point;
    }
    return 0.5 * (low + high);
}

void RuledLeaf::draw(const std::vector<double>& log_all, Draws& draws, double* point) const {
    double left = draws.uniform() * tilt(log_all);
    std::size_t entry = component_.other();
    bool found = false;
    for_each_entry([&](std::uint32_t e, double mass) {
        const double part = mass * product(e) * std::exp(-log_all[e]);
        if (found || part <= 0.0) return;
        entry = e;  // where rounding leaves a rest, the last entry that has a part
        found = left < part;
        left -= part;
    });
    point[component_.root] =
        entry == component_.other() ? draw_other(component_.root, draws) : component_.point[entry];
    for (const RuledColumn& ruled : component_.columns) {
        const double low = ruled.low[entry];
        const double high = ruled.high[entry];
        if (std::isnan(low)) continue;
        point[ruled.column] = low == high ? low : draw_between(ruled.column, low, high, draws);
    }
}

}  // namespace boxwood
