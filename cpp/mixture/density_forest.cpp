#include "mixture/density_forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "base/free_memory.hpp"
#include "base/random.hpp"
#include "mixture/fitting/held_out_leaves.hpp"

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

RowsToSample rows_to_sample(const BinnedRows& data) {
    return {data.n_rows, data.keys, data.weights, data.observations};
}

// One tree's sample of the rows, and the growing and fitting on it.
class TreeTask {
  public:
    TreeTask(const BinnedRows& data, const DensityForestOptions& options, std::size_t tree,
             std::function<void()> interrupt = {})
        : options_(options),
          interrupt_(std::move(interrupt)),
          grow_(options.grow_of(tree)),
          weights_(draw_sample(options, tree, rows_to_sample(data))) {
        sample_ = data;
        sample_.weights = weights_.data();
        if (options.bootstrap) {
            for (std::size_t row = 0; row < data.n_rows; ++row) {
                const double own = data.leave_out == nullptr ? 1.0 : data.leave_out[row];
                const double weight = data.weight(row);
                copies_.push_back(weight > 0.0 ? own * (weights_[row] / weight) : own);
            }
            sample_.leave_out = copies_.data();
        }
    }

    GrownDensityTree grow(double min_samples_split) {
        grow_.min_samples_split = min_samples_split;
        return grow_density_tree(sample_, grow_, interrupt_);
    }

    Leaves fit(GrownDensityTree& grown) { return fit_leaves(grown, sample_, options_.leaf); }

    void score(GrownDensityTree& grown, HeldOut& held_out) {
        score_held_out(grown, sample_, options_.leaf, held_out);
    }

    // Grows no further than these rows need it: most leaves of a deep tree of many rows hold none of them.
    void watch(const std::vector<std::uint32_t>& rows) { sample_.held_out = &rows; }

  private:
    const DensityForestOptions& options_;
    std::function<void()> interrupt_;
    GrowOptions grow_;
    BinnedRows sample_;
    std::vector<double> weights_;
    std::vector<double> copies_;
};

// Observations that no tree of the pilot sees, and the table without them. Those that a tree's own sample
// happens to leave out would be scored by few trees each, and few trees favour shallow ones.
struct PilotRows {
    std::vector<std::uint32_t> rows;  // with observations that are held out,
    std::vector<double> held;         // the weight of these
    std::vector<double> weights;      // of what is left of all rows
    std::vector<double> observations;

    PilotRows(const BinnedRows& data, const DensityForestOptions& options) {
        const RowsToSample all = rows_to_sample(data);
        double n = 0.0;
        for (std::size_t row = 0; row < data.n_rows; ++row) n += all.n_observations(row);
        SampleOptions draws;
        draws.max_samples = std::min(std::clamp(50.0 / n, 0.1, 0.25), most_held_out / n);
        draws.seed = ~options.seed;  // other draws than those of the trees
        for (std::size_t row = 0; row < data.n_rows; ++row) {
            const double own = all.n_observations(row);
            const double out = n_drawn(draws, 0, data.keys[row], own);
            const double weight = all.weight_of(row, out);
            weights.push_back(data.weight(row) - weight);
            observations.push_back(std::max(1.0, own - out));
            if (!(weight > 0.0)) continue;
            rows.push_back(static_cast<std::uint32_t>(row));
            held.push_back(weight);
        }
    }

    BinnedRows left(const BinnedRows& data) const {
        BinnedRows part = data;
        part.weights = weights.data();
        part.observations = observations.data();
        return part;
    }
};

// Mean log of the trees' mean density at the observations that none of them saw, for every candidate from
// `first` on; trees that know later ones only have the last of their densities.
std::vector<double> score_candidates(const PilotRows& pilot, std::size_t first, std::size_t n_candidates,
                                     std::span<const HeldOut> held) {
    std::vector<double> scores(n_candidates, -std::numeric_limits<double>::infinity());
    const std::size_t n = pilot.rows.size();
    for (std::size_t l = first; l < n_candidates; ++l) {
        double total = 0.0;
        double weight = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0.0;
            for (const HeldOut& part : held) {
                const std::size_t skipped = n_candidates - part.candidates.size();
                sum += part.density[(l - skipped) * n + i];
            }
            total += pilot.held[i] * std::log(std::max(sum / static_cast<double>(held.size()), 1e-300));
            weight += pilot.held[i];
        }
        scores[l] = weight > 0.0 ? total / weight : 0.0;
    }
    return scores;
}

std::size_t smallest_good_candidate(const std::vector<double>& scores) {
    const double best = *std::max_element(scores.begin(), scores.end());
    std::size_t l = 0;
    while (scores[l] < best - pilot_tolerance) ++l;
    return l;
}

void choose_min_samples_split(const BinnedRows& data, const DensityForestOptions& options,
                              DensityForest& forest, const Watch& watch) {
    std::vector<HeldOut> held(std::min(pilot_trees, options.n_trees));
    const PilotRows pilot_rows(data, options);
    const BinnedRows left = pilot_rows.left(data);
    const std::vector<double>& candidates = options.candidates;
    const Watch no_tree_done = watch ? Watch([&](std::size_t) { watch(0); }) : Watch{};
    const auto grow = [&](std::size_t begin, std::size_t end, std::size_t first) {
        const auto pilot = [&](std::size_t k, const std::function<void()>& interrupt) {
            HeldOut& of_tree = held[begin + k];
            TreeTask task(left, options, options.first_tree + begin + k, interrupt);
            task.watch(pilot_rows.rows);
            of_tree.rows = pilot_rows.rows;
            of_tree.candidates.assign(candidates.begin() + static_cast<std::ptrdiff_t>(first),
                                      candidates.end());
            GrownDensityTree grown = task.grow(candidates[first]);
            task.score(grown, of_tree);
        };
        run_trees(end - begin, options.n_threads, no_tree_done, pilot);
        return score_candidates(pilot_rows, first, candidates.size(), std::span(held).first(end));
    };
    const std::size_t n_first = std::min(first_pilot_trees, held.size());
    std::vector<double> scores = grow(0, n_first, 0);
    if (n_first < held.size()) {
        const std::size_t good = smallest_good_candidate(scores);
        scores = grow(n_first, held.size(), good - std::min(good, steps_deeper));
    }
    forest.candidate_scores = std::move(scores);
    forest.min_samples_split = candidates[smallest_good_candidate(forest.candidate_scores)];
}

// Keeps the tree and its leaves; gives back what only the fit of leaves needs: for many trees it is more than
// the trees themselves.
MixtureTree keep(GrownDensityTree& grown, Leaves&& leaves) {
    grown.tree.nodes.shrink_to_fit();
    grown.tree.sets.shrink_to_fit();
    MixtureTree kept{std::move(grown.tree), std::move(leaves)};
    grown = {};
    return kept;
}

// Trees that were split exactly have bin edges of their own; the forest has those of all.
void share_bin_edges(std::vector<GrownDensityTree>& grown, DensityForest& forest) {
    forest.columns = grown.front().columns;
    for (std::size_t j = 0; j < forest.columns.size(); ++j) {
        std::vector<double>& u = forest.columns[j].u;
        for (const GrownDensityTree& tree : grown)
            u.insert(u.end(), tree.columns[j].u.begin(), tree.columns[j].u.end());
        std::sort(u.begin(), u.end());
        u.erase(std::unique(u.begin(), u.end()), u.end());
        u.shrink_to_fit();
        if (forest.columns[j].categorical) continue;
        for (GrownDensityTree& tree : grown) {
            for (TreeNode& node : tree.tree.nodes) {
                if (node.feature != static_cast<std::int32_t>(j)) continue;
                const auto at = std::lower_bound(u.begin(), u.end(), tree.columns[j].u[node.threshold]);
                node.threshold = static_cast<std::uint32_t>(at - u.begin());
            }
        }
    }
    for (GrownDensityTree& tree : grown) tree.columns = forest.columns;
}

}  // namespace

DensityForest fit_density_forest(const BinnedRows& data, const DensityForestOptions& options,
                                 const Watch& watch) {
    if (options.n_trees == 0) throw std::invalid_argument("a forest has at least one tree");
    DensityForest forest;
    forest.min_samples_split = options.grow.min_samples_split;
    if (!options.candidates.empty()) choose_min_samples_split(data, options, forest, watch);
    give_back_free_memory();  // of what went before: the forest itself is what takes most
    std::vector<GrownDensityTree> grown(options.n_trees);
    std::vector<std::vector<double>> gains(options.n_trees);
    forest.trees.resize(options.n_trees);
    const bool own_bin_edges = data.points != nullptr;
    const auto grow = [&](std::size_t tree, const std::function<void()>& interrupt) {
        TreeTask task(data, options, options.first_tree + tree, interrupt);
        grown[tree] = task.grow(forest.min_samples_split);
        gains[tree] = gains_of_columns(grown[tree], data.n_columns());
        if (own_bin_edges) {
            std::vector<std::uint16_t>().swap(
                grown[tree].bins);  // leaves are fitted when all trees are grown
            return;
        }
        forest.trees[tree] = keep(grown[tree], task.fit(grown[tree]));
    };
    run_trees(options.n_trees, options.n_threads, watch, grow);
    if (own_bin_edges) {
        share_bin_edges(grown, forest);
        const auto fit = [&](std::size_t tree, const std::function<void()>&) {
            TreeTask task(data, options, options.first_tree + tree);
            forest.trees[tree] = keep(grown[tree], task.fit(grown[tree]));
        };
        run_trees(options.n_trees, options.n_threads, {}, fit);
    } else {
        forest.columns = *data.columns;
    }
    forest.importance.assign(data.n_columns(), 0.0);
    for (const std::vector<double>& of_tree : gains) {
        for (std::size_t j = 0; j < data.n_columns(); ++j) forest.importance[j] += of_tree[j];
    }
    give_back_free_memory();  // what growing took
    return forest;
}

InBag in_bag_of(const BinnedTable& table, const DensityForestOptions& options) {
    return {options,          options.first_tree, options.n_trees, rows_to_sample(table.data()),
            table.distinct(), options.n_threads};
}

}  // namespace boxwood
