// One component of rules within one leaf, where columns are independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "mixture/ruled_mixture.hpp"
#include "tree/box.hpp"

namespace boxwood {

// Probabilities of the bins of the component's columns; the room is used again from leaf to leaf.
class RuledLeaf {
  public:
    RuledLeaf(const Mixture& mixture, const RuleComponent& component,
              const std::vector<std::vector<std::uint32_t>>& entries_of_bins);

    void enter(const Leaves& leaves, std::size_t leaf, const Box& box);

    // Calls visit(entry, its probability) for entries that the leaf knows, the rest of [0, 1] last.
    template <class Visit>
    void for_each_entry(Visit&& visit) const {
        double rest = 1.0;
        for (std::size_t k = 0; k < box_->n_bins(component_.root); ++k) {
            const std::uint32_t bin = box_->bin(component_.root, k);
            for (std::uint32_t e : entries_of_bins_[bin]) {
                const double mass = root_[bin] * component_.width[e] / width_of(bin);
                rest -= mass;
                visit(e, mass);
            }
        }
        if (rest > 1e-12) visit(static_cast<std::uint32_t>(component_.other()), rest);
    }

    // The probability of what is asked of a column, of a point that of its bin; and of all of them.
    double factor(std::size_t k, std::size_t entry) const;
    double product(std::size_t entry) const;

    // Σ over entries of their probability times product / agreement.
    double tilt(const std::vector<double>& log_all) const;

    // Draws an entry by its part of `tilt`, and the component's columns by the entry.
    void draw(const std::vector<double>& log_all, Draws& draws, double* point) const;

  private:
    double width_of(std::uint32_t bin) const {
        const std::vector<double>& u = mixture_.columns()[component_.root].u;
        return u[bin + 1] - u[bin];
    }
    double draw_other(std::size_t column, Draws& draws) const;
    double draw_between(std::size_t column, double low, double high, Draws& draws) const;

    const Mixture& mixture_;
    const RuleComponent& component_;
    const std::vector<std::vector<std::uint32_t>>& entries_of_bins_;
    std::vector<double> root_;
    std::vector<std::vector<double>> columns_;
    std::vector<std::vector<std::uint32_t>> bins_;  // of each column's points, by entry
    const Leaves* leaves_ = nullptr;
    std::size_t leaf_ = 0;
    const Box* box_ = nullptr;
};

}  // namespace boxwood
