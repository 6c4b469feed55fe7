#include "boosting/booster.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/fast_log.hpp"

namespace boxwood {

void MapChain::add(TreeMap tree) {
    nodes.insert(nodes.end(), tree.begin(), tree.end());
    ends.push_back(nodes.size());
}

void MapChain::cut_to(std::size_t n_trees) {
    if (n_trees >= ends.size()) return;
    ends.resize(n_trees);
    nodes.resize(n_trees == 0 ? 0 : ends.back());
}

void move_rows(const MapChain& chain, double* points, std::size_t n_rows, double* log_density,
               std::size_t first, std::size_t last) {
    const std::size_t d = chain.n_columns;
    Mover mover(d);
    UnfoldedTree unfolded(d);
    for (std::size_t t = first; t < last; ++t) {
        const TreeMap tree = chain.tree(t);
        // Unfolding a node takes about as long as a step of a row.
        if (10 * n_rows > tree.size()) {
            unfolded.unfold(tree);
            unfolded.move(points, n_rows, log_density);
        } else {
            for (std::size_t i = 0; i < n_rows; ++i)
                log_density[i] += fast_log(mover.move(tree, points + i * d));
        }
    }
}

void move_rows_back(const MapChain& chain, double* points, std::size_t n_rows) {
    const std::size_t d = chain.n_columns;
    Mover mover(d);
    UnfoldedInverse unfolded(d);
    for (std::size_t t = chain.n_trees(); t-- > 0;) {
        const TreeMap tree = chain.tree(t);
        if (10 * n_rows > tree.size()) {
            unfolded.unfold(tree);
            unfolded.move_back(points, n_rows);
        } else {
            for (std::size_t i = 0; i < n_rows; ++i) mover.move_back(tree, points + i * d);
        }
    }
}

Booster::Booster(CubeRows rows, CubeRows held_out, const MapGrowOptions& options, MapChain chain)
    : rows_(std::move(rows)),
      held_out_(std::move(held_out)),
      grower_(rows_, options),
      chain_(std::move(chain)),
      best_round_(chain_.n_trees()),
      log_density_(held_out_.size(), 0.0),
      importance_(chain_.n_trees() * rows_.n_columns, 0.0) {
    std::vector<double> unused(rows_.size(), 0.0);
    move_rows(chain_, rows_.points.data(), rows_.size(), unused.data(), 0, chain_.n_trees());
    for (std::size_t t = 0; t < chain_.n_trees(); ++t) {
        move_rows(chain_, held_out_.points.data(), held_out_.size(), log_density_.data(), t, t + 1);
        validate();
    }
    best_log_density_ = log_density_;
    if (!held_out_score_.empty()) best_score_ = held_out_score_.back();
}

void Booster::run(std::size_t n_rounds, std::size_t patience, const std::function<void()>& check) {
    while (chain_.n_trees() < n_rounds) {
        if (patience > 0 && chain_.n_trees() >= best_round_ + patience) return;
        check();
        importance_.resize(importance_.size() + rows_.n_columns, 0.0);
        double* gains = importance_.data() + (importance_.size() - rows_.n_columns);
        chain_.add(grower_.grow(chain_.n_trees(), gains));
        const std::size_t last = chain_.n_trees();
        move_rows(chain_, held_out_.points.data(), held_out_.size(), log_density_.data(), last - 1, last);
        validate();
        const bool better = held_out_score_.empty() || held_out_score_.back() > best_score_;
        if (!better) continue;
        best_round_ = last;
        best_log_density_ = log_density_;
        if (!held_out_score_.empty()) best_score_ = held_out_score_.back();
    }
}

void Booster::validate() {
    if (held_out_.size() == 0) return;
    const std::vector<double>& weights = held_out_.weights;
    const double sum =
        weights.empty() ? std::accumulate(log_density_.begin(), log_density_.end(), 0.0)
                        : std::inner_product(log_density_.begin(), log_density_.end(), weights.begin(), 0.0);
    held_out_score_.push_back(sum / held_out_.weight());
}

std::vector<double> Booster::importance() const {
    std::vector<double> total(rows_.n_columns, 0.0);
    for (std::size_t i = 0; i < best_round_ * rows_.n_columns; ++i)
        total[i % rows_.n_columns] += importance_[i];
    return total;
}

}  // namespace boxwood
