// A mixture of normal distributions in one dimension.
#pragma once

#include <array>

#include "networks/network_shape.hpp"

namespace boxwood {

class NormalMixture {
  public:
    // From the outputs of a network: means, logits and log-deviations.
    explicit NormalMixture(const float* outputs);

    struct Value {
        double below, above;  // masses on either side: the smaller one is exact
        double log_density;
    };
    Value at(double z) const;
    // Between two of them.
    double mass(double low, double high) const;
    // Where a mass of `below` lies to the left, `above` = 1 − below to the right.
    double quantile(double below, double above) const;

  private:
    double first_guess(double below) const;

    std::array<double, kNormals> weights_, means_, deviations_, log_factors_;
};

}  // namespace boxwood
