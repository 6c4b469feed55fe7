#include "margins/merge_pieces.hpp"

#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

namespace boxwood {

namespace {

// A doubly linked list of pieces and a heap of what each would lose, since the start, when it is merged with
// its right neighbour.
class Merger {
  public:
    Merger(const std::vector<double>& x, const std::vector<double>& mass)
        : lost_(mass.size(), 0.0),
          mass_(mass),
          width_(mass.size()),
          next_(mass.size()),
          previous_(mass.size()),
          version_(mass.size(), 0) {
        for (std::size_t i = 0; i < mass.size(); ++i) {
            width_[i] = x[i + 1] - x[i];
            next_[i] = i + 1;
            previous_[i] = i == 0 ? none : i - 1;
        }
        for (std::size_t i = 0; i + 1 < mass.size(); ++i) push(i);
    }

    // Merges the two neighbours of least loss unless it is above `limit`; false if nothing is merged.
    bool merge_one(double limit) {
        while (!heap_.empty()) {
            const auto [cost, i, seen] = heap_.top();
            if (version_[i] == seen && cost > limit) return false;
            heap_.pop();
            if (version_[i] != seen) continue;
            absorb_next(i, cost);
            return true;
        }
        return false;
    }

    void write(std::vector<double>& x, std::vector<double>& mass) const {
        std::vector<double> kept_x;
        std::vector<double> kept_mass;
        for (std::size_t i = 0; i < mass_.size(); i = next_[i]) {
            kept_x.push_back(x[i]);
            kept_mass.push_back(mass_[i]);
        }
        kept_x.push_back(x.back());
        x = std::move(kept_x);
        mass = std::move(kept_mass);
    }

  private:
    using Entry = std::tuple<double, std::size_t, std::size_t>;  // loss, left piece, its version
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    double loss(std::size_t i) const {
        const std::size_t j = next_[i];
        const double mass = mass_[i] + mass_[j];
        const double width = width_[i] + width_[j];
        // Shares, not densities: these overflow where a piece is a few denormals wide.
        return lost_[i] + lost_[j] + mass_[i] * std::log(mass_[i] / mass / (width_[i] / width)) +
               mass_[j] * std::log(mass_[j] / mass / (width_[j] / width));
    }

    void push(std::size_t i) { heap_.emplace(loss(i), i, version_[i]); }

    void absorb_next(std::size_t i, double cost) {
        const std::size_t j = next_[i];
        lost_[i] = cost;
        mass_[i] += mass_[j];
        width_[i] += width_[j];
        next_[i] = next_[j];
        ++version_[i];
        ++version_[j];
        if (next_[i] < mass_.size()) {
            previous_[next_[i]] = i;
            push(i);
        }
        if (previous_[i] != none) {
            ++version_[previous_[i]];
            push(previous_[i]);
        }
    }

    std::vector<double> lost_;
    std::vector<double> mass_;
    std::vector<double> width_;
    std::vector<std::size_t> next_;
    std::vector<std::size_t> previous_;
    std::vector<std::size_t> version_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
};

}  // namespace

void merge_pieces(std::vector<double>& x, std::vector<double>& mass, std::size_t max_pieces,
                  double small_loss) {
    Merger merger(x, mass);
    std::size_t left = mass.size();
    for (; left > max_pieces; --left) merger.merge_one(std::numeric_limits<double>::infinity());
    while (merger.merge_one(small_loss)) --left;
    if (left < mass.size()) merger.write(x, mass);
}

}  // namespace boxwood
