// A boosted chain: trees, each grown on the points that the trees before it have moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "boosting/map_grower.hpp"
#include "boosting/tree_map.hpp"

namespace boxwood {

// Trees one after another, as a model keeps them.
struct MapChain {
    std::size_t n_columns = 0;
    std::vector<MapNode> nodes;
    std::vector<std::size_t> ends;  // where the nodes of each tree end

    std::size_t n_trees() const { return ends.size(); }
    TreeMap tree(std::size_t t) const {
        const std::size_t begin = t == 0 ? 0 : ends[t - 1];
        return {nodes.data() + begin, nodes.data() + ends[t]};
    }
    void add(TreeMap tree);
    void cut_to(std::size_t n_trees);
};

// Moves rows through trees first … last − 1 of a chain and adds each row's log-density to `log_density`.
void move_rows(const MapChain& chain, double* points, std::size_t n_rows, double* log_density,
               std::size_t first, std::size_t last);
// Moves rows back through the whole chain.
void move_rows_back(const MapChain& chain, double* points, std::size_t n_rows);

// Grows a chain in as many goes as one likes; it knows at every moment where it was best on held-out rows.
class Booster {
  public:
    // `held_out` may be without rows: then the last round counts as the best. A chain to begin with makes
    // the rounds that follow the same as if they had followed at once.
    Booster(CubeRows rows, CubeRows held_out, const MapGrowOptions& options, MapChain chain);
    Booster(const Booster&) = delete;
    Booster& operator=(const Booster&) = delete;

    // Runs rounds up to the given number in all, or until there were `patience` (0: any number) without a new
    // best. `check` is called before each and may throw.
    void run(std::size_t n_rounds, std::size_t patience, const std::function<void()>& check);

    std::size_t n_rounds() const { return chain_.n_trees(); }
    std::size_t best_round() const { return best_round_; }
    const MapChain& chain() const { return chain_; }
    // After each round.
    const std::vector<double>& held_out_score() const { return held_out_score_; }
    // Of each held-out row after the best round, in the order they came.
    const std::vector<double>& held_out_log_density() const { return best_log_density_; }
    // Gain of each column up to the best round.
    std::vector<double> importance() const;

  private:
    void validate();

    CubeRows rows_;
    CubeRows held_out_;
    MapGrower grower_;
    MapChain chain_;
    std::size_t best_round_ = 0;
    double best_score_ = 0.0;  // that of no round at all
    std::vector<double> log_density_;
    std::vector<double> best_log_density_;
    std::vector<double> held_out_score_;
    std::vector<double> importance_;  // one row a round
};

}  // namespace boxwood
