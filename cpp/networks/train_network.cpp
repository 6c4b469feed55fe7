#include "networks/train_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/normal_distribution.hpp"
#include "base/random.hpp"
#include "networks/network_kernels.hpp"

namespace boxwood {

namespace {

// The mean of parameters is over the latest tenth of the steps, until that are as many as it is to have.
constexpr double kPartOfSteps = 10.0;

// Uniform with mean 0 and the given deviation.
void fill(std::span<float> values, double deviation, Draws& draws) {
    const double half = std::numbers::sqrt3 * deviation;
    for (float& value : values) value = static_cast<float>((2.0 * draws.uniform() - 1.0) * half);
}

void gather(const NetworkRows& rows, const NetworkTask& task, std::span<const std::size_t> chosen,
            NetworkScratch& scratch, float* middles, float* widths, float* weights) {
    const std::size_t p = task.inputs.size();
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const float* row = rows.inputs.data() + chosen[i] * rows.n_inputs;
        for (std::size_t j = 0; j < p; ++j) scratch.inputs[i * p + j] = row[task.inputs[j]];
        middles[i] = rows.middles[chosen[i] * rows.n_targets + task.target];
        widths[i] = rows.widths[chosen[i] * rows.n_targets + task.target];
        weights[i] = rows.weights[chosen[i]];
    }
}

// The log-density of the standard normal distribution, its mean over an interval of some width.
double log_normal(double middle, double width) {
    if (width == 0.0) return -0.5 * middle * middle - 0.91893853320467274;
    return std::log(std::max(normal_mass(middle - 0.5 * width, middle + 0.5 * width), 1e-300) / width);
}

struct Part {
    std::size_t from, to;
    bool shrinks;
};

// What shrinks are weights between layers, and to the outputs. The first layer's are frequencies, and biases
// are phases.
std::array<Part, 7> parts_of(const NetworkShape& shape) {
    return {{{0, shape.second(), false},
             {shape.second(), shape.second_bias(), true},
             {shape.second_bias(), shape.third(), false},
             {shape.third(), shape.third_bias(), true},
             {shape.third_bias(), shape.last(), false},
             {shape.last(), shape.last_bias(), true},
             {shape.last_bias(), shape.size(), false}}};
}

// The passes of a cycle and of those before it: 1, 3, 7 … parts of all that are to be, rounded.
std::size_t end_of_cycle(std::size_t cycle, const NetworkTraining& options) {
    const std::size_t part = (std::size_t{2} << cycle) - 1, all = (std::size_t{1} << options.n_cycles) - 1;
    return (2 * options.n_passes * part + all) / (2 * all);
}

// The mean over held-out rows and its standard error.
struct HeldOutGain {
    double mean, error;
};

class Trainer {
  public:
    Trainer(const NetworkRows& train, const NetworkRows& held, const NetworkTask& task,
            const NetworkTraining& options)
        : train_(train),
          held_(held),
          task_(task),
          options_(options),
          shape_{task.inputs.size()},
          scratch_(task.inputs.size()),
          middles_(kBatch),
          widths_(kBatch),
          weights_(kBatch),
          parameters_(initial_parameters(shape_, options, task.seed)),
          average_(parameters_),
          gradient_(shape_.size()),
          first_(shape_.size()),
          second_(shape_.size()),
          order_(train.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        double total = 0.0;
        for (const float weight : train.weights) total += weight;
        per_weight_ = static_cast<double>(train.size()) / total;
    }

    // One pass over the rows in a new order; `done` of `n` passes of the cycle came before.
    void run_pass(std::size_t pass, std::size_t done, std::size_t n, const std::function<void()>& check) {
        Draws draws(combine_keys(task_.seed, 1 + pass));
        for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[draws.below(i)]);
        const std::size_t batch = std::min(options_.batch, kBatch);
        const std::size_t n_batches = std::max<std::size_t>(1, order_.size() / batch);
        for (std::size_t b = 0; b < n_batches; ++b) {
            const std::size_t begin = b * order_.size() / n_batches,
                              end = (b + 1) * order_.size() / n_batches;
            const double part = (static_cast<double>(done) + static_cast<double>(b) / n_batches) / n;
            const double rate = options_.rate * 0.5 * (1.0 + std::cos(std::numbers::pi * part));
            for (std::size_t from = begin; from < end; from += kBatch)
                step(std::span(order_).subspan(from, std::min(kBatch, end - from)), rate);
            check();
        }
    }

    // How far the log-density of held-out rows is above that of the standard normal distribution.
    HeldOutGain held_out_gain(const std::function<void()>& check) {
        double sum = 0.0, squares = 0.0, total = 0.0;
        std::vector<std::size_t> rows(kBatch);
        for (std::size_t begin = 0; begin < held_.size(); begin += kBatch) {
            const std::size_t n = std::min(kBatch, held_.size() - begin);
            std::iota(rows.begin(), rows.end(), begin);
            forward(held_, std::span(rows).first(n), average_, false);
            for (std::size_t i = 0; i < n; ++i) {
                const double weight = weights_[i];
                const double gain = -log_normal(middles_[i], widths_[i]) - scratch_.losses[i];
                sum += weight * gain;
                squares += weight * gain * gain;
                total += weight;
            }
            check();
        }
        const double mean = sum / total;
        const double variance = std::max(0.0, squares / total - mean * mean);
        return {mean, std::sqrt(variance / total)};  // weights are frequencies
    }

    // The mean of what the latest steps left.
    const std::vector<float>& parameters() const { return average_; }

  private:
    void forward(const NetworkRows& rows, std::span<const std::size_t> chosen,
                 const std::vector<float>& parameters, bool cosines) {
        gather(rows, task_, chosen, scratch_, middles_.data(), widths_.data(), weights_.data());
        const NetworkKernels& kernels = network_kernels();
        kernels.forward(shape_, parameters.data(), chosen.size(), cosines, scratch_);
        kernels.losses({middles_.data(), widths_.data(), weights_.data()}, chosen.size(), scratch_);
    }

    void step(std::span<const std::size_t> chosen, double rate) {
        forward(train_, chosen, parameters_, true);
        const NetworkKernels& kernels = network_kernels();
        kernels.backward(shape_, parameters_.data(), chosen.size(), scratch_, gradient_.data());
        // Rows of mean weight 1: what a step is worth does not hang on the weights' scale.
        const double mean = per_weight_ / static_cast<double>(chosen.size());
        const float squares =
            kernels.squared_norm(gradient_.data(), gradient_.size(), static_cast<float>(mean));
        if (!std::isfinite(squares)) return;
        const double norm = std::sqrt(static_cast<double>(squares));
        n_steps_ += 1.0;
        AdamStep adam{static_cast<float>(rate), static_cast<float>(1.0 / (1.0 - std::pow(0.9, n_steps_))),
                      static_cast<float>(1.0 / (1.0 - std::pow(0.999, n_steps_))),
                      static_cast<float>(mean * std::min(1.0, options_.most_norm / std::max(norm, 1e-30))),
                      static_cast<float>(
                          std::max(1.0 - options_.average, kPartOfSteps / (kPartOfSteps - 1.0 + n_steps_)))};
        for (const Part& part : parts_of(shape_)) {
            adam.shrinkage = part.shrinks ? static_cast<float>(1.0 - rate * options_.decay) : 1.0f;
            kernels.adam(adam, gradient_.data() + part.from, part.to - part.from, trained().from(part.from));
        }
    }

    TrainedParameters trained() {
        return {parameters_.data(), average_.data(), first_.data(), second_.data()};
    }

    const NetworkRows& train_;
    const NetworkRows& held_;
    const NetworkTask& task_;
    const NetworkTraining& options_;
    NetworkShape shape_;
    NetworkScratch scratch_;
    std::vector<float> middles_, widths_, weights_;
    std::vector<float> parameters_, average_, gradient_, first_, second_;
    std::vector<std::size_t> order_;
    double per_weight_ = 1.0;
    double n_steps_ = 0.0;
};

}  // namespace

std::vector<float> initial_parameters(NetworkShape shape, const NetworkTraining& options,
                                      std::uint64_t seed) {
    std::vector<float> parameters(shape.size());
    Draws draws(combine_keys(seed, 0));
    const std::span<float> all(parameters);
    const double low = std::log(options.low_frequency), high = std::log(options.high_frequency);
    const double many = std::pow(static_cast<double>(shape.n_inputs), options.input_power);
    for (std::size_t unit = 0; unit < kHidden; ++unit) {
        const double frequency = std::exp(low + (high - low) * draws.uniform()) / many;
        for (std::size_t j = 0; j < shape.n_inputs; ++j)
            fill(all.subspan(shape.first() + j * kHidden + unit, 1), frequency, draws);
    }
    fill(all.subspan(shape.first_bias(), kHidden), 1.8, draws);  // any phase
    fill(all.subspan(shape.second(), kHidden * kHidden), 0.125, draws);
    fill(all.subspan(shape.second_bias(), kHidden), 1.8, draws);
    fill(all.subspan(shape.third(), kHidden * kHidden), 0.125, draws);
    fill(all.subspan(shape.third_bias(), kHidden), 1.8, draws);
    for (std::size_t unit = 0; unit < kHidden; ++unit)
        fill(all.subspan(shape.last() + unit * kOutputs, 3 * kNormals), 0.02, draws);
    for (std::size_t k = 0; k < kNormals; ++k) {
        const double place = (static_cast<double>(k) + 0.5) / kNormals;  // means from −1.75 to 1.75
        parameters[shape.last_bias() + kMeans + k] = static_cast<float>(4.0 * place - 2.0);
        parameters[shape.last_bias() + kLogDeviations + k] = -0.5f;
    }
    return parameters;
}

TrainedNetwork train_network(const NetworkRows& train, const NetworkRows& held, const NetworkTask& task,
                             const NetworkTraining& options, const std::function<void()>& check) {
    TrainedNetwork best;
    if (task.inputs.empty() || train.size() == 0 || held.size() == 0) return best;
    Trainer trainer(train, held, task, options);
    double surely = 0.0;  // what the best pass gains, less what it may owe to chance
    for (std::size_t cycle = 0; cycle < options.n_cycles; ++cycle) {
        const double before = best.gain;
        const std::size_t n = end_of_cycle(cycle, options) - best.n_passes;
        for (std::size_t done = 0; done < n; ++done) {
            trainer.run_pass(best.n_passes++, done, n, check);
            const HeldOutGain gain = trainer.held_out_gain(check);
            if (gain.mean > best.gain) {
                best.gain = gain.mean;
                best.parameters = trainer.parameters();
                surely = gain.mean - options.n_errors * gain.error;
            }
        }
        if (best.gain < before + options.least_gain) break;
    }
    if (surely < options.least_gain) return {{}, 0.0, best.n_passes};
    return best;
}

}  // namespace boxwood
