// Chains that are grown side by side, each in coordinates of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "boosting/booster.hpp"

namespace boxwood {

// How far a run has come: rounds that are done, and how many are left at the most. A chain that stops early
// takes what it has left with it, so that the sum of both never grows.
struct RoundsDone {
    std::size_t n_done = 0;
    std::size_t n_left = 0;
};
// Called now and then by the thread that waits, and once at the end; it may throw to stop the run.
using RoundsWatch = std::function<void(RoundsDone)>;

class Boosters {
  public:
    Boosters() = default;
    Boosters(const Boosters&) = delete;
    Boosters& operator=(const Boosters&) = delete;

    void add(CubeRows rows, CubeRows held_out, const MapGrowOptions& options, MapChain start);
    // Gives up all others; ascending numbers.
    void keep(std::span<const std::size_t> kept);

    std::size_t size() const { return boosters_.size(); }
    const Booster& operator[](std::size_t i) const { return *boosters_[i]; }

    // Runs each up to the given number of rounds in all, or until its patience ends (see Booster::run): one a
    // thread.
    void run(std::size_t n_rounds, std::size_t patience, std::size_t n_threads, const RoundsWatch& watch);

    // Of each held-out row (row) under each chain (column) after its best round.
    std::vector<double> held_out_log_density() const;
    // Gain of each coordinate (column) in each chain (row) up to its best round.
    std::vector<double> importance() const;

  private:
    std::vector<std::unique_ptr<Booster>> boosters_;
};

}  // namespace boxwood
