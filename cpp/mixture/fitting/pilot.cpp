#include "mixture/fitting/pilot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "mixture/fitting/sampled_tree.hpp"

namespace boxwood {

namespace {

constexpr std::size_t pilot_trees = 16;
// The first of these are grown down to the smallest candidate; the others only so many candidates deeper than
// what the first choose, as most of the time goes into nodes of a few rows. More trees favour deeper ones,
// but not by more: see the benchmark of forests.
constexpr std::size_t first_pilot_trees = 4;
constexpr std::size_t steps_deeper = 2;
constexpr double most_held_out = 4000.0;  // about so many observations choose min_samples_split, at the most
// The smallest candidate within this of the best is taken: deep trees gain from averaging, and there are but
// 16 here.
constexpr double pilot_tolerance = 0.02;

std::size_t smallest_good_candidate(const std::vector<double>& scores) {
    const double best = *std::max_element(scores.begin(), scores.end());
    std::size_t l = 0;
    while (scores[l] < best - pilot_tolerance) ++l;
    return l;
}

}  // namespace

double n_observations(const BinnedRows& data) {
    const RowsToSample all = rows_to_sample(data);
    double n = 0.0;
    for (std::size_t row = 0; row < data.n_rows; ++row) n += all.n_observations(row);
    return n;
}

// Those that a tree's own sample happens to leave out would be scored by few trees each, and few trees favour
// shallow ones: so some observations are held out of all.
Pilot::Pilot(const BinnedRows& data, const DensityForestOptions& options)
    : Pilot(data, options, n_observations(data)) {}

Pilot::Pilot(const BinnedRows& data, const DensityForestOptions& options, double n)
    : data_(data), options_(options) {
    const RowsToSample all = rows_to_sample(data);
    SampleOptions draws;
    draws.max_samples = std::min(std::clamp(50.0 / n, 0.1, 0.25), most_held_out / n);
    draws.seed = ~options.seed;  // other draws than those of the trees
    for (std::size_t row = 0; row < data.n_rows; ++row) {
        const double own = all.n_observations(row);
        const double out = n_drawn(draws, 0, data.keys[row], own);
        const double weight = all.weight_of(row, out);
        weights_.push_back(data.weight(row) - weight);
        observations_.push_back(std::max(1.0, own - out));
        if (!(weight > 0.0)) continue;
        rows_.push_back(static_cast<std::uint32_t>(row));
        held_.push_back(weight);
    }
}

std::size_t Pilot::n_trees() const { return std::min(pilot_trees, options_.n_trees); }

std::size_t Pilot::n_first() const { return std::min(first_pilot_trees, n_trees()); }

std::size_t Pilot::n_candidates_of(std::size_t n_densities) const {
    const std::size_t n = rows_.empty() ? options_.candidates.size() : n_densities / rows_.size();
    if (n > options_.candidates.size() || n * rows_.size() != n_densities)
        throw std::invalid_argument("these are no densities of the pilot's held-out rows");
    return n;
}

BinnedRows Pilot::left() const {
    BinnedRows part = data_;
    part.weights = weights_.data();
    part.observations = observations_.data();
    return part;
}

std::vector<HeldOut> Pilot::grow(std::size_t begin, std::size_t end, std::size_t candidate,
                                 const Watch& watch) const {
    std::vector<HeldOut> held(end - begin);
    const BinnedRows left_rows = left();
    const auto first = options_.candidates.begin() + static_cast<std::ptrdiff_t>(candidate);
    const Watch no_tree_done = watch ? Watch([&](std::size_t) { watch(0); }) : Watch{};
    const auto grow_one = [&](std::size_t k, const std::function<void()>& interrupt) {
        SampledTree task(left_rows, options_, options_.first_tree + begin + k, interrupt);
        task.watch(rows_);
        held[k].rows = rows_;
        held[k].candidates.assign(first, options_.candidates.end());
        GrownDensityTree grown = task.grow(*first);
        task.score(grown, held[k]);
    };
    run_trees(end - begin, options_.n_threads, no_tree_done, grow_one);
    return held;
}

std::vector<double> Pilot::score(std::span<const HeldOut> held) const {
    const std::size_t n_candidates = options_.candidates.size();
    std::vector<double> scores(n_candidates, -std::numeric_limits<double>::infinity());
    const std::size_t n = rows_.size();
    std::size_t fewest = n_candidates;
    for (const HeldOut& part : held) fewest = std::min(fewest, part.candidates.size());
    for (std::size_t l = n_candidates - fewest; l < n_candidates; ++l) {
        double total = 0.0;
        double weight = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0.0;
            for (const HeldOut& part : held) {
                const std::size_t skipped = n_candidates - part.candidates.size();
                sum += part.density[(l - skipped) * n + i];
            }
            total += held_[i] * std::log(std::max(sum / static_cast<double>(held.size()), 1e-300));
            weight += held_[i];
        }
        scores[l] = weight > 0.0 ? total / weight : 0.0;
    }
    return scores;
}

std::size_t Pilot::candidate_of_others(const std::vector<double>& scores) const {
    const std::size_t good = smallest_good_candidate(scores);
    return good - std::min(good, steps_deeper);
}

double Pilot::chosen(const std::vector<double>& scores) const {
    return options_.candidates[smallest_good_candidate(scores)];
}

}  // namespace boxwood
