// Independent tasks on several threads; the caller's thread looks after interrupts.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>

namespace boxwood {

// Called now and then by the thread that waits; it may throw to stop the work (Ctrl-C) or show progress.
using Watch = std::function<void(std::size_t n_done)>;

// Runs task(0) … task(n_tasks − 1) on n_threads threads. Threads are made for the call and joined before it
// returns, so that nothing of it survives a fork. The first exception stops the handing out of tasks and is
// thrown again here; an exception from `watch` does the same.
void run_tasks(std::size_t n_tasks, std::size_t n_threads, const std::function<void(std::size_t)>& task,
               const Watch& watch = {});

// Lets long tasks end early: `watch` remembers that it threw, and `check`, called inside tasks, throws from
// then on.
class StopSignal {
  public:
    Watch watching(const Watch& watch) {
        if (!watch) return {};
        return [this, &watch](std::size_t n_done) {
            try {
                watch(n_done);
            } catch (...) {
                stopped_.store(true);
                throw;
            }
        };
    }
    std::function<void()> check() const {
        return [this] {
            if (stopped_.load(std::memory_order_relaxed)) throw std::runtime_error("stopped");
        };
    }

  private:
    std::atomic<bool> stopped_{false};
};

}  // namespace boxwood
