#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace boxwood {

namespace {

// Hands out tasks in order and remembers the first failure.
class TaskQueue {
  public:
    TaskQueue(std::size_t n_tasks, const std::function<void(std::size_t)>& task)
        : n_tasks_(n_tasks), task_(task) {}

    void work() {
        while (!stopped_.load()) {
            const std::size_t i = next_.fetch_add(1);
            if (i >= n_tasks_) break;
            try {
                task_(i);
            } catch (...) {
                fail(std::current_exception());
            }
            done_.fetch_add(1);
            finished_.notify_one();
        }
        {
            const std::lock_guard lock(mutex_);
            ++n_left_;
        }
        finished_.notify_one();
    }

    // Waits until all workers have left, calling `watch` every twentieth of a second.
    void wait(std::size_t n_workers, const Watch& watch) {
        std::unique_lock lock(mutex_);
        while (n_left_ < n_workers) {
            finished_.wait_for(lock, std::chrono::milliseconds(50));
            if (!watch || stopped_.load()) continue;
            lock.unlock();
            try {
                watch(done_.load());
            } catch (...) {
                fail(std::current_exception());
            }
            lock.lock();
        }
    }

    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    void fail(std::exception_ptr failure) {
        const std::lock_guard lock(failure_mutex_);
        if (!failure_) failure_ = std::move(failure);
        stopped_.store(true);
    }

    std::size_t n_tasks_;
    const std::function<void(std::size_t)>& task_;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> done_{0};
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;
    std::mutex failure_mutex_;
    std::condition_variable finished_;
    std::size_t n_left_ = 0;
    std::exception_ptr failure_;
};

// Threads that are joined, also where making one of them fails. (std::jthread is not in every libc++ yet.)
class JoinedThreads {
  public:
    ~JoinedThreads() { join(); }

    std::size_t size() const { return threads_.size(); }

    // Starts up to `n` threads: fewer where the system gives no more of them (a limit of memory or of
    // processes); the work then goes on with those that there are.
    template <class Work>
    void start(std::size_t n, const Work& work) {
        threads_.reserve(n);
        try {
            while (threads_.size() < n) threads_.emplace_back(work);
        } catch (const std::system_error&) {
            return;
        }
    }
    void join() {
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
    }

  private:
    std::vector<std::thread> threads_;
};

}  // namespace

void run_tasks(std::size_t n_tasks, std::size_t n_threads, const std::function<void(std::size_t)>& task,
               const Watch& watch) {
    const std::size_t n_workers = std::min(std::max<std::size_t>(n_threads, 1), n_tasks);
    if (n_workers == 0) return;
    TaskQueue queue(n_tasks, task);
    // Even one worker gets a thread of its own: the caller's stays free to notice Ctrl-C.
    JoinedThreads workers;
    workers.start(n_workers, [&queue] { queue.work(); });
    if (workers.size() == 0) queue.work();
    queue.wait(std::max<std::size_t>(workers.size(), 1), watch);
    workers.join();
    queue.rethrow();
}

}  // namespace boxwood
