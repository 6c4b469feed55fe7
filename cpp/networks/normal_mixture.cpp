#include "networks/normal_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/normal_distribution.hpp"

namespace boxwood {

namespace {

constexpr double log_root_2pi = 0.91893853320467274178;
constexpr double furthest = 38.0;  // deviations: no mass that a double could hold lies beyond
constexpr double negligible = 40.0;
constexpr int most_steps = 200;
constexpr double closest = 1e-15;
constexpr double widest = 40.0;  // deviations from all means: there is no mass beyond

}  // namespace

NormalMixture::NormalMixture(const float* outputs) {
    const float* logits = outputs + kLogits;
    const double most = *std::max_element(logits, logits + kNormals);
    double sum = 0.0;
    for (std::size_t k = 0; k < kNormals; ++k) {
        weights_[k] = std::exp(logits[k] - most);
        sum += weights_[k];
    }
    for (std::size_t k = 0; k < kNormals; ++k) {
        const double log_deviation =
            std::clamp(outputs[kLogDeviations + k], kLeastLogDeviation, kMostLogDeviation);
        log_factors_[k] = logits[k] - most - std::log(sum) - log_deviation - log_root_2pi;
        weights_[k] /= sum;
        means_[k] = outputs[kMeans + k];
        deviations_[k] = std::exp(log_deviation);
    }
}

NormalMixture::Value NormalMixture::at(double z) const {
    Value value{0.0, 0.0, 0.0};
    std::array<double, kNormals> logs;
    for (std::size_t k = 0; k < kNormals; ++k) {
        const double away = (z - means_[k]) / deviations_[k];
        logs[k] = log_factors_[k] - 0.5 * away * away;
        // Error functions are most of the work, and most normals of a sharp mixture are far away.
        const double tail = std::abs(away) > furthest ? 0.0 : weights_[k] * normal_cdf(-std::abs(away));
        value.below += away < 0.0 ? tail : weights_[k] - tail;
        value.above += away < 0.0 ? weights_[k] - tail : tail;
    }
    const double most = *std::max_element(logs.begin(), logs.end());
    double sum = 0.0;
    for (const double log : logs)
        if (log > most - negligible) sum += std::exp(log - most);
    value.log_density = most + std::log(sum);
    return value;
}

double NormalMixture::mass(double low, double high) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < kNormals; ++k)
        sum += weights_[k] *
               normal_mass((low - means_[k]) / deviations_[k], (high - means_[k]) / deviations_[k]);
    return sum;
}

double NormalMixture::quantile(double below, double above) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    double z = 0.0;
    for (std::size_t k = 0; k < kNormals; ++k) {
        low = std::min(low, means_[k] - widest * deviations_[k]);
        high = std::max(high, means_[k] + widest * deviations_[k]);
        z += weights_[k] * means_[k];
    }
    for (int n_steps = 0; n_steps < most_steps && high - low > closest * (1.0 + std::abs(z)); ++n_steps) {
        const Value here = at(z);
        // By the smaller mass, which does not cancel.
        const double excess = below < above ? here.below - below : above - here.above;
        (excess > 0.0 ? high : low) = z;
        const double step = excess * std::exp(-here.log_density);
        if (excess == 0.0 || std::abs(step) <= closest * (1.0 + std::abs(z))) return z;
        const double next = z - step;
        z = next > low && next < high ? next : 0.5 * (low + high);
    }
    return z;
}

}  // namespace boxwood
