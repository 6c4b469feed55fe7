// Training of the network of one column: Adam with weight decay and restarts, the best pass by held-out rows
// kept.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "networks/network_shape.hpp"

namespace boxwood {

struct NetworkTraining {
    double rate = 0.006;
    std::size_t batch = 64;
    double decay = 0.0;         // of weights between layers, in a step: this times the rate
    double average = 0.995;     // parameters are means over steps, each of so much of the weight of the next
    std::size_t n_passes = 90;  // at most
    std::size_t n_cycles = 4;   // that these are divided into, each about twice as long as the one before
    double least_gain = 0.002;  // nats a held-out row that a network, and every further cycle, must gain
    double n_errors = 2.0;      // standard errors that a network's gain must be above chance
    double most_norm = 1.0;     // of a batch's gradient
    double low_frequency = 0.3, high_frequency = 1.0;  // of the first layer
    double input_power = 0.5;  // frequencies are divided by this power of the number of inputs
};

// Rows of a table as networks see them.
struct NetworkRows {
    std::size_t n_inputs = 0, n_targets = 0;
    std::span<const float> inputs;   // n × n_inputs
    std::span<const float> middles;  // n × n_targets: of the values, which are intervals of some width
    std::span<const float> widths;   // n × n_targets: 0 where a value is a point
    std::span<const float> weights;  // n

    std::size_t size() const { return weights.size(); }
};

// What a network is to learn: one of the targets from some of the inputs.
struct NetworkTask {
    std::vector<std::size_t> inputs;
    std::size_t target = 0;
    std::uint64_t seed = 0;
};

struct TrainedNetwork {
    std::vector<float> parameters;  // none where the standard normal distribution is as good
    double gain = 0.0;              // nats a held-out row over the standard normal distribution
    std::size_t n_passes = 0;
};

// `check` is called after every batch and may throw.
TrainedNetwork train_network(const NetworkRows& train, const NetworkRows& held, const NetworkTask& task,
                             const NetworkTraining& options, const std::function<void()>& check);

// The initial parameters of a network.
std::vector<float> initial_parameters(NetworkShape shape, const NetworkTraining& options, std::uint64_t seed);

}  // namespace boxwood
