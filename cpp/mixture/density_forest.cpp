#include "mixture/density_forest.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/free_memory.hpp"
#include "mixture/fitting/pilot.hpp"
#include "mixture/fitting/sampled_tree.hpp"

namespace boxwood {

namespace {

void choose_min_samples_split(const BinnedRows& data, const DensityForestOptions& options,
                              DensityForest& forest, const Watch& watch) {
    const Pilot pilot(data, options);
    std::vector<HeldOut> held = pilot.grow(0, pilot.n_first(), 0, watch);
    forest.candidate_scores = pilot.score(held);
    if (pilot.n_first() < pilot.n_trees()) {
        const std::size_t candidate = pilot.candidate_of_others(forest.candidate_scores);
        for (HeldOut& other : pilot.grow(pilot.n_first(), pilot.n_trees(), candidate, watch))
            held.push_back(std::move(other));
        forest.candidate_scores = pilot.score(held);
    }
    forest.min_samples_split = pilot.chosen(forest.candidate_scores);
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
    forest.gains.resize(options.n_trees);
    forest.trees.resize(options.n_trees);
    const bool own_bin_edges = data.points != nullptr;
    const auto grow = [&](std::size_t tree, const std::function<void()>& interrupt) {
        SampledTree task(data, options, options.first_tree + tree, interrupt);
        grown[tree] = task.grow(forest.min_samples_split);
        forest.gains[tree] = gains_of_columns(grown[tree], data.n_columns());
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
            SampledTree task(data, options, options.first_tree + tree);
            forest.trees[tree] = keep(grown[tree], task.fit(grown[tree]));
        };
        run_trees(options.n_trees, options.n_threads, {}, fit);
    } else {
        forest.columns = *data.columns;
    }
    forest.importance.assign(data.n_columns(), 0.0);
    for (const std::vector<double>& of_tree : forest.gains) {
        for (std::size_t j = 0; j < data.n_columns(); ++j) forest.importance[j] += of_tree[j];
    }
    give_back_free_memory();  // what growing took
    return forest;
}

InBag in_bag_of(const BinnedTable& table, const DensityForestOptions& options, std::size_t begin,
                std::size_t end) {
    const std::span<const std::uint32_t> distinct(table.distinct());
    return {options,
            options.first_tree,
            options.n_trees,
            rows_to_sample(table.data()),
            distinct.subspan(begin, end - begin),
            options.n_threads};
}

}  // namespace boxwood
