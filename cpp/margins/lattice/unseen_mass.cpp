#include "margins/lattice/unseen_mass.hpp"

namespace boxwood {

namespace {

constexpr double one_observation = 1.5;

}  // namespace

bool is_once(double weight) { return weight < one_observation; }

double unseen_mass(const std::vector<double>& weights) {
    double total = 0.0;
    double once = 0.0;
    for (double weight : weights) {
        total += weight;
        if (is_once(weight)) once += weight;
    }
    return (once + 1.0) / (total + 2.0);
}

}  // namespace boxwood
