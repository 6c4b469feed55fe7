#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "base/mapped_memory.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

std::string folder() { return std::filesystem::temp_directory_path(); }

bool is_zero(unsigned char byte) { return byte == 0; }

// clang leaves out vectors that nobody looks at.
const void* volatile seen = nullptr;

}  // namespace

CASE("blocks are in use until they are unmapped, also after the setting has ended", {
    CHECK(!is_to_be_mapped(std::size_t{1} << 40));
    const std::size_t number = start_mapping(folder(), 1 << 20);
    CHECK(is_to_be_mapped(1 << 20));
    CHECK(!is_to_be_mapped((1 << 20) - 1));
    auto* bytes = static_cast<unsigned char*>(map_block(3'000'000));
    CHECK(mapped_size(bytes) == 3'000'000);
    CHECK(mapped_size(bytes + 4096) == 0);
    CHECK(mapped_totals().blocks == 1);
    CHECK(stop_mapping(number));
    CHECK(!stop_mapping(number));
    std::fill_n(bytes, 3'000'000, 7);
    CHECK(bytes[2'999'999] == 7);
    CHECK(unmap_block(bytes));
    CHECK(!unmap_block(bytes));
    CHECK(!unmap_block(nullptr));
    CHECK(mapped_totals().blocks == 0);
    CHECK(mapped_totals().largest == 3'000'000);
});

CASE("a freed block is used again for one of nearly its size, and zeroed where zeros are asked for", {
    const std::size_t number = start_mapping(folder(), 1 << 20);
    auto* first = static_cast<unsigned char*>(map_block(3'000'000));
    std::fill_n(first, 3'000'000, 7);
    CHECK(unmap_block(first));
    auto* again = static_cast<unsigned char*>(map_zeros(2'500'000));
    CHECK(again == first);
    CHECK(std::all_of(again, again + 2'500'000, is_zero));
    CHECK(unmap_block(again));
    auto* small = static_cast<unsigned char*>(map_zeros(1'100'000));
    CHECK(mapped_size(small) == 1'100'000);
    CHECK(unmap_block(small));
    CHECK(stop_mapping(number));
});

CASE("the least threshold in force holds", {
    const std::size_t a = start_mapping(folder(), 100'000);
    const std::size_t b = start_mapping(folder(), 50'000);
    CHECK(is_to_be_mapped(50'000));
    CHECK(stop_mapping(b));
    CHECK(!is_to_be_mapped(50'000));
    CHECK(is_to_be_mapped(100'000));
    CHECK(stop_mapping(a));
});

CASE("a folder that is not there", {
    const std::size_t number = start_mapping(folder() + "/is-not-there", 1 << 20);
    std::string message;
    try {
        map_block(1 << 20);
    } catch (const MappingError& error) {
        message = error.what();
    }
    CHECK(message.find("is-not-there") != std::string::npos);
    CHECK(mapping_failure() == message);
    CHECK(stop_mapping(number));
});

#ifdef BOXWOOD_WRAPPED_NEW

CASE("large vectors are mapped, small ones are not", {
    const std::size_t number = start_mapping(folder(), 1 << 20);
    {
        std::vector<double> values(200'000);
        CHECK(mapped_size(values.data()) == 1'600'000);
        std::iota(values.begin(), values.end(), 0.0);
        values.resize(1'000'000, -1.0);  // moves to a larger block
        CHECK(values[199'999] == 199'999.0 && values[200'000] == -1.0);
        CHECK(mapped_totals().blocks == 1);
        const std::vector<double> small(1'000);
        CHECK(mapped_size(small.data()) == 0);
    }
    CHECK(mapped_totals().blocks == 0);
    CHECK(stop_mapping(number));
});

CASE("the registry's own nodes, which the same operators free, are not looked for in it", {
    const std::size_t number = start_mapping(folder(), 1 << 14);
    {
        std::vector<std::vector<char>> blocks;
        for (int i = 0; i < 3'000; ++i) blocks.emplace_back(1 << 14);
        CHECK(mapped_totals().blocks >= 3'000);
    }
    CHECK(mapped_totals().blocks == 0);
    CHECK(stop_mapping(number));
});

CASE("threads map and unmap at a time", {
    const std::size_t number = start_mapping(folder(), 1 << 16);
    std::vector<std::thread> threads;
    std::vector<int> n_wrong(4, 0);
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([t, &n_wrong] {
            for (int i = 0; i < 200; ++i) {
                const std::vector<int> values(40'000 + i, 1000 * t + i);
                n_wrong[t] += values.front() != 1000 * t + i || values.back() != 1000 * t + i;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(n_wrong == std::vector<int>(4, 0));
    CHECK(mapped_totals().blocks == 0);
    CHECK(stop_mapping(number));
});

CASE("no room on the disk is an exception, before anything is written", {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 4'000'000;  // bytes that a file may have
    setrlimit(RLIMIT_FSIZE, &small);
    const std::size_t number = start_mapping(folder(), 1 << 20);
    std::string message;
    try {
        const std::vector<double> values(1'000'000);
        seen = values.data();
    } catch (const std::bad_alloc& error) {
        message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(message.find("no room for a temporary file of 8000000 bytes") == 0);
    CHECK(mapped_totals().blocks == 0);
    CHECK(stop_mapping(number));
});

#endif

CHECK_MAIN()
