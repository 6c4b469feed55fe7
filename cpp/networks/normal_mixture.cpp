#include "networks/normal_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/normal_distribution.hpp"

namespace boxwood {

namespace {

constexpr double log_root_2pi = 0.91893853320467274178;
constexpr double furthest = 38.0;  // deviations: no mass that a double could hold lies beyond
constexpr double negligible = 40.0;
constexpr int most_steps = 200;
constexpr double closest = 1e-15;
constexpr double logistic_deviation = 0.58;  // of a logistic distribution that is nearly normal

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

// The quantile of the normal into whose share of the masses, in the order of the means, the level falls: with
// sharp normals far apart it is nearly the mixture's, where steps from the mean have to find the right one.
double NormalMixture::first_guess(double below) const {
    std::array<std::size_t, kNormals> order;
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return means_[a] < means_[b]; });
    std::size_t i = 0;
    double before = 0.0;
    while (i + 1 < kNormals && before + weights_[order[i]] < below) before += weights_[order[i++]];
    const std::size_t k = order[i];
    const double level = std::clamp((below - before) / weights_[k], 1e-3, 1.0 - 1e-3);
    return means_[k] + deviations_[k] * logistic_deviation * std::log(level / (1.0 - level));
}

double NormalMixture::quantile(double below, double above) const {
    const double tail = normal_quantile_between(-furthest, furthest, std::min(below, above));
    const double deviate = below < above ? tail : -tail;
    // Below the least of the normals' own quantiles none of them has more than its part of the mass.
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t k = 0; k < kNormals; ++k) {
        const double own = means_[k] + deviate * deviations_[k], rounding = 1e-9 * deviations_[k];
        low = std::min(low, own - rounding);
        high = std::max(high, own + rounding);
    }
    double z = std::clamp(first_guess(below), low, high);
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
