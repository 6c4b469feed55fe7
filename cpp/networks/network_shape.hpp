// A sine network: where its parameters lie in one array.
#pragma once

#include <cstddef>

namespace boxwood {

constexpr std::size_t kHidden = 64;   // units of a hidden layer, of which there are three
constexpr std::size_t kNormals = 8;   // of the mixture that a network describes
constexpr std::size_t kOutputs = 32;  // means, logits and log-deviations of the normals, and padding
constexpr std::size_t kSkipped = 16;  // outputs with a linear part: means and logits
constexpr std::size_t kMeans = 0, kLogits = kNormals, kLogDeviations = 2 * kNormals;
constexpr float kLeastLogDeviation = -7.0f, kMostLogDeviation = 3.0f;

// Weights are matrices with a row an input; x the inputs, h the hidden layers:
//     h₁ = sin(x·W₁ + b₁),  h₂ = h₁ + sin(h₁·W₂ + b₂),  h₃ = h₂ + sin(h₂·W₃ + b₃),  o = h₃·W₄ + b₄ + x·S.
struct NetworkShape {
    std::size_t n_inputs = 0;

    std::size_t first() const { return 0; }
    std::size_t first_bias() const { return n_inputs * kHidden; }
    std::size_t second() const { return first_bias() + kHidden; }
    std::size_t second_bias() const { return second() + kHidden * kHidden; }
    std::size_t third() const { return second_bias() + kHidden; }
    std::size_t third_bias() const { return third() + kHidden * kHidden; }
    std::size_t last() const { return third_bias() + kHidden; }
    std::size_t last_bias() const { return last() + kHidden * kOutputs; }
    std::size_t skip() const { return last_bias() + kOutputs; }
    std::size_t size() const { return skip() + n_inputs * kSkipped; }
};

}  // namespace boxwood
