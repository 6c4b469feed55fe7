#include "tree/row_sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/sample_counts.hpp"

namespace boxwood {

namespace {

// Draws the rows of one tree.
class Sampler {
  public:
    Sampler(const SampleOptions& options, std::size_t tree)
        // The key differs from those of the tree's nodes.
        : options_(options), key_(~tree_key(options, tree)), none_of_one_(std::exp(-options.max_samples)) {}

    double n_drawn(std::uint64_t key, double observations) const {
        if (!options_.bootstrap && options_.max_samples >= 1.0) return observations;
        Draws draws(combine_keys(key_, key));
        if (!options_.bootstrap) return binomial_count(observations, options_.max_samples, draws);
        const double mean = options_.max_samples * observations;
        return poisson_count(mean, observations == 1.0 ? none_of_one_ : std::exp(-mean), draws);
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
    const SampleOptions& options_;
    std::uint64_t key_;
    double none_of_one_;
};

}  // namespace

std::uint64_t tree_key(const SampleOptions& options, std::size_t tree) {
    return combine_keys(mix_bits(options.seed), tree);
}

double RowsToSample::n_observations(std::size_t row) const {
    return observations != nullptr ? observations[row] : std::max(1.0, std::floor(weight(row)));
}

double RowsToSample::weight_of(std::size_t row, double drawn) const {
    const double all = n_observations(row);
    if (drawn == all) return weight(row);
    const double part = drawn * (weight(row) / all);
    return observations != nullptr ? std::rint(part * 0x1p20) * 0x1p-20 : part;
}

double n_drawn(const SampleOptions& options, std::size_t tree, std::uint64_t key, double observations) {
    return Sampler(options, tree).n_drawn(key, observations);
}

std::vector<double> draw_sample(const SampleOptions& options, std::size_t tree, const RowsToSample& rows) {
    const Sampler sampler(options, tree);
    std::vector<double> sample(rows.n_rows);
    bool empty = true;
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        sample[i] = rows.weight_of(i, sampler.n_drawn(rows.keys[i], rows.n_observations(i)));
        empty = empty && !(sample[i] > 0.0);
    }
    if (!empty || rows.n_rows == 0 || options.part_of_table) return sample;
    const std::size_t row = sampler.draw_one(rows);
    sample[row] = rows.weight_of(row, 1.0);
    return sample;
}

namespace {

// What some rows weigh in a tree's sample. Where there are fewer of them than rows, only theirs is drawn.
std::vector<double> draw_some(const SampleOptions& options, std::size_t tree, const RowsToSample& rows,
                              std::span<const std::uint32_t> some) {
    std::vector<double> weights(some.size());
    if (some.size() < rows.n_rows) {
        const Sampler sampler(options, tree);
        bool empty = true;
        for (std::size_t i = 0; i < some.size(); ++i) {
            const std::uint32_t row = some[i];
            weights[i] = rows.weight_of(row, sampler.n_drawn(rows.keys[row], rows.n_observations(row)));
            empty = empty && !(weights[i] > 0.0);
        }
        if (!empty) return weights;
    }
    const std::vector<double> sample = draw_sample(options, tree, rows);
    for (std::size_t i = 0; i < some.size(); ++i) weights[i] = sample[some[i]];
    return weights;
}

}  // namespace

InBag::InBag(const SampleOptions& options, std::size_t first_tree, std::size_t n_trees,
             const RowsToSample& rows, std::span<const std::uint32_t> distinct, std::size_t n_threads)
    : options_(options),
      first_tree_(first_tree),
      keys_(rows.keys, rows.keys + rows.n_rows),
      number_(distinct.begin(), distinct.end()),
      seen_(n_trees, std::vector<bool>(distinct.size())) {
    for (std::size_t row = 0; row < rows.n_rows; ++row) observations_.push_back(rows.n_observations(row));
    const auto draw = [&](std::size_t tree) {
        const std::vector<double> drawn = draw_some(options, first_tree + tree, rows, distinct);
        for (std::size_t i = 0; i < distinct.size(); ++i)
            seen_[tree][i] = options.bootstrap ? drawn[i] > 0.0 : drawn[i] >= rows.weight(distinct[i]);
    };
    run_tasks(n_trees, n_threads, draw, {});
}

double InBag::left_out(std::size_t tree, std::size_t row) const {
    const std::uint32_t sampled = number_[row];
    const double observations = observations_[sampled];
    if (observations == 1.0) return seen_[tree][row] ? 0.0 : 1.0;
    const double drawn = n_drawn(options_, first_tree_ + tree, keys_[sampled], observations);
    return options_.bootstrap ? std::pow(1.0 - 1.0 / observations, drawn) : 1.0 - drawn / observations;
}

}  // namespace boxwood
