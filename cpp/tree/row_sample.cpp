#include "tree/row_sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/sample_counts.hpp"

namespace boxwood {

namespace {

// How often a row of an importance weight is there.
double n_copies(double weight) { return std::max(1.0, std::floor(weight)); }

// Draws the rows of one tree.
class Sampler {
  public:
    Sampler(const SampleOptions& options, std::size_t tree)
        // The key differs from those of the tree's nodes.
        : options_(options), key_(~tree_key(options, tree)), none_of_one_(std::exp(-options.max_samples)) {}

    double weight(std::uint64_t key, double weight) const {
        if (!options_.bootstrap && options_.max_samples >= 1.0) return weight;
        Draws draws(combine_keys(key_, key));
        return options_.bootstrap ? with_replacement(weight, draws) : without_replacement(weight, draws);
    }

    // The row of least arrival time in a race at the rate of its weight: each wins in proportion to it.
    std::size_t draw_one(const RowsToSample& rows) const {
        std::size_t first = 0;
        double earliest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < rows.n_rows; ++i) {
            const double uniform = Draws(combine_keys(key_, rows.keys[i]), 1).uniform();
            const double time = -std::log1p(-uniform) / rows.weight(i);
            if (time < earliest) {
                earliest = time;
                first = i;
            }
        }
        return first;
    }

  private:
    double with_replacement(double weight, Draws& draws) const {
        const bool frequency = options_.weights == WeightKind::frequency;
        const double copies = frequency ? weight : n_copies(weight);
        const double mean = options_.max_samples * copies;
        const double count = poisson_count(mean, copies == 1.0 ? none_of_one_ : std::exp(-mean), draws);
        return frequency ? count : count * (weight / copies);
    }

    double without_replacement(double weight, Draws& draws) const {
        const double integer = std::floor(weight);
        const double rest = weight - integer;
        const double count = binomial_count(integer, options_.max_samples, draws);
        return rest > 0.0 && draws.uniform() < options_.max_samples ? count + rest : count;
    }

    const SampleOptions& options_;
    std::uint64_t key_;
    double none_of_one_;
};

}  // namespace

std::uint64_t tree_key(const SampleOptions& options, std::size_t tree) {
    return combine_keys(mix_bits(options.seed), tree);
}

double weight_in_sample(const SampleOptions& options, std::size_t tree, std::uint64_t key, double weight) {
    return Sampler(options, tree).weight(key, weight);
}

std::vector<double> draw_sample(const SampleOptions& options, std::size_t tree, const RowsToSample& rows) {
    const Sampler sampler(options, tree);
    std::vector<double> sample(rows.n_rows);
    bool empty = true;
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        sample[i] = sampler.weight(rows.keys[i], rows.weight(i));
        empty = empty && !(sample[i] > 0.0);
    }
    if (!empty || rows.n_rows == 0) return sample;
    if (options.weights == WeightKind::frequency) {
        for (std::size_t i = 0; i < rows.n_rows; ++i) sample[i] = rows.weight(i);
    } else {
        const std::size_t row = sampler.draw_one(rows);
        sample[row] = rows.weight(row) / n_copies(rows.weight(row));
    }
    return sample;
}

bool is_out_of_bag(const SampleOptions& options, double in_sample, double weight) {
    return options.bootstrap ? in_sample == 0.0 : in_sample < weight;
}

InBag::InBag(const SampleOptions& options, std::size_t first_tree, std::size_t n_trees,
             const RowsToSample& rows, std::span<const std::uint32_t> distinct, std::size_t n_threads)
    : seen_(n_trees, std::vector<bool>(distinct.size())) {
    const auto draw = [&](std::size_t tree) {
        const std::vector<double> sample = draw_sample(options, first_tree + tree, rows);
        for (std::size_t i = 0; i < distinct.size(); ++i) {
            const std::uint32_t row = distinct[i];
            seen_[tree][i] = !is_out_of_bag(options, sample[row], rows.weight(row));
        }
    };
    run_tasks(n_trees, n_threads, draw, {});
}

}  // namespace boxwood
