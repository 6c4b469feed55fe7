// The inner loops of sine networks, in one version for every instruction set; the best one is chosen at load.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "networks/network_shape.hpp"

namespace boxwood {

constexpr std::size_t kBatch = 256;  // rows at once, at most

// What a batch leaves behind on its way through a network.
struct NetworkScratch {
    std::vector<float> inputs;                 // kBatch × n_inputs
    std::vector<float> hidden[3], cosines[3];  // kBatch × kHidden
    std::vector<float> outputs;                // kBatch × kOutputs
    std::vector<float> output_gradient;        // of the same
    std::vector<float> hidden_gradient, other_gradient, transposed;
    std::vector<float> losses;  // kBatch

    explicit NetworkScratch(std::size_t n_inputs);
};

// Values to explain: intervals of some width, 0 where they are points.
struct NetworkTargets {
    const float* middles;
    const float* widths;
    const float* weights;
};

// Whole registers of the widest kind, as all the parts of a network are.
struct TrainedParameters {
    float* values;
    float* means;  // over the latest steps
    float* first;  // moments of gradients
    float* second;

    TrainedParameters from(std::size_t i) const { return {values + i, means + i, first + i, second + i}; }
};

struct AdamStep {
    float rate, first_correction, second_correction;
    float scale;             // of the gradient, whose norm is clipped
    float newest;            // weight of the new values in their means
    float shrinkage = 1.0f;  // of the new values
};

// All give the same bytes on every machine.
struct NetworkKernels {
    // Fills `outputs` from the n inputs of the scratch; `cosines`, which gradients need, where asked.
    void (*forward)(NetworkShape shape, const float* parameters, std::size_t n, bool cosines,
                    NetworkScratch& scratch);
    // From outputs to the negative log-density of each target, the mean over an interval where it is one;
    // weights times its gradient by the outputs.
    void (*losses)(const NetworkTargets& targets, std::size_t n, NetworkScratch& scratch);
    // From gradients by the outputs to those by the parameters.
    void (*backward)(NetworkShape shape, const float* parameters, std::size_t n, NetworkScratch& scratch,
                     float* gradient);
    // The sum of (scale·values)²; n is a multiple of 16.
    float (*squared_norm)(const float* values, std::size_t n, float scale);
    // Moves n parameters, a multiple of 16.
    void (*adam)(const AdamStep& step, const float* gradient, std::size_t n, TrainedParameters parameters);
    // From the outputs of n rows to the mass below `low` of each, and the log-density there or, where `high`
    // is above it, the logarithm of the mass between them.
    void (*locate)(const float* outputs, std::size_t n, const double* low, const double* high, double* below,
                   double* logs);
    // From the outputs of n rows to the scores at which their distribution functions take these levels.
    // Tested down to 1e-30; callers stay 1e-15 away from 0 and 1.
    void (*quantiles)(const float* outputs, std::size_t n, const double* levels, double* scores);
    const char* name;
};

// The kernels for this machine.
const NetworkKernels& network_kernels();

// All that this machine can run, the most portable first: for tests.
std::vector<const NetworkKernels*> all_network_kernels();

}  // namespace boxwood
