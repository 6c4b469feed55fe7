#include "tree/supervised/conditional_entropy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace boxwood {

namespace {

// Gauss–Legendre nodes and weights of eight points, positive half.
constexpr std::array<double, 4> node = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                                        0.96028985649753623};
constexpr std::array<double, 4> weight = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                          0.10122853629037626};
constexpr int reach = 9;  // deviations: beyond, a normal has less than 1e-18 of its mass

double density(std::span<const ClassGaussian> classes, double x) {
    double sum = 0.0;
    for (const ClassGaussian& c : classes) {
        const double z = (x - c.mean) / c.deviation;
        sum += c.fraction / c.deviation * std::exp(-0.5 * z * z);
    }
    return sum / std::sqrt(2.0 * std::numbers::pi);
}

// Every class brings steps of its own deviation, so that narrow ones inside wide ones are not stepped over.
std::vector<double> steps_of(std::span<const ClassGaussian> classes) {
    std::vector<double> steps;
    for (const ClassGaussian& c : classes) {
        for (int k = -reach; k <= reach; ++k) steps.push_back(c.mean + k * c.deviation);
    }
    std::sort(steps.begin(), steps.end());
    return steps;
}

}  // namespace

double gaussian_conditional_entropy(std::span<const ClassGaussian> given) {
    std::vector<ClassGaussian> classes;
    std::copy_if(given.begin(), given.end(), std::back_inserter(classes),
                 [](const ClassGaussian& c) { return c.fraction > 0.0; });
    if (classes.size() < 2) return 0.0;
    double entropy = 0.5 * std::log2(2.0 * std::numbers::pi) + 0.5 / std::numbers::ln2;
    double most = 0.0;
    for (const ClassGaussian& c : classes) {
        entropy += c.fraction * std::log2(c.deviation / c.fraction);
        most -= c.fraction * std::log2(c.fraction);
    }
    const std::vector<double> steps = steps_of(classes);
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        const double half = 0.5 * (steps[k + 1] - steps[k]);
        const double middle = steps[k] + half;
        for (std::size_t i = 0; half > 0.0 && i < node.size(); ++i) {
            for (double x : {middle - half * node[i], middle + half * node[i]}) {
                const double p = density(classes, x);
                if (p > 0.0) entropy += half * weight[i] * p * std::log2(p);
            }
        }
    }
    return std::clamp(entropy, 0.0, most);  // rounding apart it lies there
}

}  // namespace boxwood
