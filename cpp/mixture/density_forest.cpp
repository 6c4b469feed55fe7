#include "mixture/density_forest.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/free_memory.hpp"
#include "base/random.hpp"
#include "mixture/held_out_leaves.hpp"

namespace boxwood {

namespace {

constexpr std::size_t pilot_trees = 16;
constexpr double pilot_rows = 4000.0;  // about so many held-out rows choose min_samples_split, at the most
// The smallest candidate within this of the best is taken: deep trees gain from averaging, and there are but
// 16 here.
constexpr double pilot_tolerance = 0.02;

RowsToSample rows_to_sample(const BinnedRows& data) { return {data.n_rows, data.keys, data.weights}; }

double uniform_of(std::uint64_t key) { return static_cast<double>(mix_bits(key) >> 11) * 0x1p-53; }

// One tree's sample of the rows, and the growing and fitting on it.
class TreeTask {
  public:
    TreeTask(const BinnedRows& data, const DensityForestOptions& options, std::size_t tree,
             std::function<void()> interrupt = {})
        : data_(data),
          options_(options),
          interrupt_(std::move(interrupt)),
          grow_(options.grow_of(tree)),
          weights_(draw_sample(options, tree, rows_to_sample(data))) {
        sample_ = data;
        sample_.weights = weights_.data();
        if (options.bootstrap) {
            for (std::size_t row = 0; row < data.n_rows; ++row)
                copies_.push_back(weights_[row] / data.weight(row));
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

    // Takes rows out of the sample that no tree of the pilot may see. Rows that a tree's own sample happens
    // to leave out would be scored by few trees each, and few trees favour shallow ones.
    std::vector<std::uint32_t> hold_out() {
        const double n = static_cast<double>(data_.n_rows);
        const double fraction = std::min(std::clamp(50.0 / n, 0.1, 0.25), pilot_rows / n);
        std::vector<std::uint32_t> rows;
        for (std::size_t row = 0; row < data_.n_rows; ++row) {
            if (uniform_of(combine_keys(options_.seed, data_.keys[row])) >= fraction) continue;
            weights_[row] = 0.0;
            rows.push_back(static_cast<std::uint32_t>(row));
        }
        return rows;
    }

    // Grows no further than these rows need it: most leaves of a deep tree of many rows hold none of them.
    void watch(const std::vector<std::uint32_t>& rows) { sample_.held_out = &rows; }

  private:
    const BinnedRows& data_;
    const DensityForestOptions& options_;
    std::function<void()> interrupt_;
    GrowOptions grow_;
    BinnedRows sample_;
    std::vector<double> weights_;
    std::vector<double> copies_;
};

// Mean log of the trees' mean density at the rows that none of them saw, for every candidate.
std::vector<double> score_candidates(const BinnedRows& data, const DensityForestOptions& options,
                                     const std::vector<HeldOut>& held) {
    std::vector<double> scores;
    for (std::size_t l = 0; l < options.candidates.size(); ++l) {
        std::vector<double> sum(data.n_rows, 0.0);
        std::vector<double> n(data.n_rows, 0.0);
        for (const HeldOut& part : held) {
            for (std::size_t i = 0; i < part.rows.size(); ++i) {
                sum[part.rows[i]] += part.density[l * part.rows.size() + i];
                n[part.rows[i]] += 1.0;
            }
        }
        double total = 0.0;
        double weight = 0.0;
        for (std::size_t row = 0; row < data.n_rows; ++row) {
            if (n[row] == 0.0) continue;
            const double w = data.weight(row);
            total += w * std::log(std::max(sum[row] / n[row], 1e-300));
            weight += w;
        }
        scores.push_back(weight > 0.0 ? total / weight : 0.0);
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
    const auto pilot = [&](std::size_t tree, const std::function<void()>& interrupt) {
        TreeTask task(data, options, options.first_tree + tree, interrupt);
        held[tree].rows = task.hold_out();
        task.watch(held[tree].rows);
        held[tree].candidates = options.candidates;
        GrownDensityTree grown = task.grow(options.candidates.front());
        task.score(grown, held[tree]);
    };
    const Watch no_tree_done = watch ? Watch([&](std::size_t) { watch(0); }) : Watch{};
    run_trees(held.size(), options.n_threads, no_tree_done, pilot);
    forest.candidate_scores = score_candidates(data, options, held);
    forest.min_samples_split = options.candidates[smallest_good_candidate(forest.candidate_scores)];
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
