#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "tests/check.hpp"

using boxwood::run_tasks;

CASE("every task runs once, whatever the number of threads", {
    for (std::size_t n_tasks : {0u, 1u, 2u, 7u, 1000u}) {
        for (std::size_t n_threads : {0u, 1u, 2u, 3u, 16u}) {
            std::vector<std::atomic<int>> runs(n_tasks);
            run_tasks(n_tasks, n_threads, [&](std::size_t i) { ++runs[i]; });
            for (const auto& n : runs) CHECK(n == 1);
        }
    }
});

CASE("the first exception stops the handing out and is thrown here", {
    for (std::size_t n_threads : {1u, 4u}) {
        std::atomic<int> runs{0};
        std::string what;
        try {
            run_tasks(100000, n_threads, [&](std::size_t i) {
                ++runs;
                if (i == 3) throw std::runtime_error("task 3");
            });
        } catch (const std::runtime_error& error) {
            what = error.what();
        }
        CHECK(what == "task 3");
        CHECK(runs < 100000);
    }
});

CASE("many exceptions at once are one", {
    int caught = 0;
    try {
        run_tasks(64, 8, [](std::size_t) { throw std::logic_error("all"); });
    } catch (const std::logic_error&) {
        ++caught;
    }
    CHECK(caught == 1);
});

CASE("watch is called by the caller's thread with growing counts", {
    const auto here = std::this_thread::get_id();
    std::vector<std::size_t> seen;
    bool own_thread = true;
    run_tasks(
        10, 2, [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); },
        [&](std::size_t n_done) {
            own_thread = own_thread && std::this_thread::get_id() == here;
            seen.push_back(n_done);
        });
    CHECK(own_thread);
    CHECK(!seen.empty() && seen.back() <= 10);
    for (std::size_t i = 1; i < seen.size(); ++i) CHECK(seen[i - 1] <= seen[i]);
});

CASE("an exception from watch stops the work", {
    std::atomic<int> runs{0};
    bool stopped = false;
    try {
        run_tasks(
            10000, 2,
            [&](std::size_t) {
                ++runs;
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            },
            [](std::size_t n_done) {
                if (n_done > 3) throw std::runtime_error("Ctrl-C");
            });
    } catch (const std::runtime_error&) {
        stopped = true;
    }
    CHECK(stopped);
    CHECK(runs < 10000);
});

CASE("calls can follow each other and nest", {
    std::atomic<int> runs{0};
    for (int repeat = 0; repeat < 50; ++repeat) run_tasks(3, 3, [&](std::size_t) { ++runs; });
    run_tasks(4, 2, [&](std::size_t) { run_tasks(5, 2, [&](std::size_t) { ++runs; }); });
    CHECK(runs == 170);
});

CHECK_MAIN()
