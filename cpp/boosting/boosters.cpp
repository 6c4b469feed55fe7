#include "boosting/boosters.hpp"

#include <mutex>
#include <stdexcept>
#include <utility>

#include "base/parallel.hpp"

namespace boxwood {

namespace {

// What threads report and the waiting one reads, both numbers at once.
class RoundsReport {
  public:
    explicit RoundsReport(std::size_t n_left) : rounds_{0, n_left} {}

    void add(std::size_t n_done, std::size_t n_given_up = 0) {
        const std::lock_guard lock(mutex_);
        rounds_.n_done += n_done;
        rounds_.n_left -= n_done + n_given_up;
    }
    RoundsDone read() const {
        const std::lock_guard lock(mutex_);
        return rounds_;
    }

  private:
    mutable std::mutex mutex_;
    RoundsDone rounds_;
};

std::size_t rounds_left(const Booster& booster, std::size_t n_rounds) {
    return n_rounds > booster.n_rounds() ? n_rounds - booster.n_rounds() : 0;
}

}  // namespace

void Boosters::add(CubeRows rows, CubeRows held_out, const MapGrowOptions& options, MapChain start) {
    boosters_.push_back(
        std::make_unique<Booster>(std::move(rows), std::move(held_out), options, std::move(start)));
}

void Boosters::keep(std::span<const std::size_t> kept) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (kept[i] >= size() || (i > 0 && kept[i] <= kept[i - 1]))
            throw std::invalid_argument("chains to keep must be there and ascend");
    }
    std::vector<std::unique_ptr<Booster>> chosen;
    for (const std::size_t i : kept) chosen.push_back(std::move(boosters_[i]));
    boosters_ = std::move(chosen);
}

void Boosters::run(std::size_t n_rounds, std::size_t patience, std::size_t n_threads,
                   const RoundsWatch& watch) {
    std::size_t n_left = 0;
    for (const auto& booster : boosters_) n_left += rounds_left(*booster, n_rounds);
    RoundsReport report(n_left);
    StopSignal stop;
    const auto check = stop.check();
    const auto grow = [&](std::size_t i) {
        Booster& booster = *boosters_[i];
        std::size_t n_reported = booster.n_rounds();
        booster.run(n_rounds, patience, [&] {
            check();
            report.add(booster.n_rounds() - n_reported);
            n_reported = booster.n_rounds();
        });
        report.add(booster.n_rounds() - n_reported, rounds_left(booster, n_rounds));
    };
    const Watch reading = watch ? Watch([&](std::size_t) { watch(report.read()); }) : Watch{};
    run_tasks(size(), n_threads, grow, stop.watching(reading));
    if (watch) watch(report.read());
}

std::vector<double> Boosters::held_out_log_density() const {
    const std::size_t n_rows = size() == 0 ? 0 : boosters_[0]->held_out_log_density().size();
    std::vector<double> logs(n_rows * size());
    for (std::size_t k = 0; k < size(); ++k) {
        const std::vector<double>& of_chain = boosters_[k]->held_out_log_density();
        for (std::size_t i = 0; i < n_rows; ++i) logs[i * size() + k] = of_chain[i];
    }
    return logs;
}

std::vector<double> Boosters::importance() const {
    std::vector<double> gains;
    for (const auto& booster : boosters_) {
        const std::vector<double> of_chain = booster->importance();
        gains.insert(gains.end(), of_chain.begin(), of_chain.end());
    }
    return gains;
}

}  // namespace boxwood
