#include "base/mapped_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace boxwood {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

struct Setting {
    std::size_t number;
    std::string folder;
    std::size_t threshold;
};

// Never destroyed: blocks are freed until the very end of the process.
struct Registry {
    std::mutex mutex;
    std::vector<Setting> settings;
    std::size_t next_number = 1;
    std::unordered_map<const void*, std::size_t> sizes;
    MappedTotals totals;
    std::string failure;
};

Registry& registry() {
    static auto* const only = new Registry;
    return *only;
}

std::atomic<std::size_t> threshold_in_force{none};
std::atomic<std::size_t> n_blocks{0};

void set_threshold(const Registry& held) {
    std::size_t least = none;
    for (const Setting& setting : held.settings) least = std::min(least, setting.threshold);
    threshold_in_force.store(least, std::memory_order_relaxed);
}

// A file without a name; −1 with errno set.
int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
    const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
#endif
    std::string name = folder + "/boxwood-XXXXXX";
    const int named = mkstemp(name.data());
    if (named >= 0) unlink(name.c_str());
    return named;
}

// Gives the file its blocks on the disk; 0, or what errno would say.
int reserve(int file, std::size_t bytes) {
#ifdef __linux__
    return posix_fallocate(file, 0, static_cast<off_t>(bytes));
#else
    static const char zeros[1 << 16] = {};
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t n = write(file, zeros, std::min(sizeof zeros, bytes - done));
        if (n < 0) return errno;
        done += static_cast<std::size_t>(n);
    }
    return 0;
#endif
}

// The mapped file; on failure nullptr and the reason.
std::pair<void*, int> map_file(const std::string& folder, std::size_t bytes) {
    const int file = open_nameless(folder);
    if (file < 0) return {nullptr, errno};
    int reason = reserve(file, bytes);
    void* block = MAP_FAILED;
    if (reason == 0) {
        block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (block == MAP_FAILED) reason = errno;
    }
    close(file);
    return {reason == 0 ? block : nullptr, reason};
}

}  // namespace

std::size_t start_mapping(std::string folder, std::size_t threshold) {
    Registry& held = registry();
    const std::lock_guard lock(held.mutex);
    if (held.settings.empty()) held.totals.largest = held.totals.bytes;
    held.failure.clear();
    held.settings.push_back({held.next_number, std::move(folder), std::max<std::size_t>(threshold, 1)});
    set_threshold(held);
    return held.next_number++;
}

bool stop_mapping(std::size_t number) {
    Registry& held = registry();
    const std::lock_guard lock(held.mutex);
    const auto n_removed =
        std::erase_if(held.settings, [number](const Setting& setting) { return setting.number == number; });
    set_threshold(held);
    return n_removed > 0;
}

std::size_t mapping_threshold() noexcept { return threshold_in_force.load(std::memory_order_relaxed); }

void* map_block(std::size_t bytes) {
    Registry& held = registry();
    std::string folder;
    {
        const std::lock_guard lock(held.mutex);
        if (!held.settings.empty()) folder = held.settings.back().folder;
    }
    if (folder.empty()) throw MappingError("no folder for mapped files was set");
    const auto [block, reason] = map_file(folder, std::max<std::size_t>(bytes, 1));
    const std::lock_guard lock(held.mutex);
    if (block == nullptr) {
        held.failure = "no room for a temporary file of " + std::to_string(bytes) + " bytes in '" + folder +
                       "' (" + std::strerror(reason) + "), beside " + std::to_string(held.totals.bytes) +
                       " bytes that are in use there";
        throw MappingError(held.failure);
    }
    held.sizes.emplace(block, bytes);
    held.totals.blocks += 1;
    held.totals.bytes += bytes;
    held.totals.largest = std::max(held.totals.largest, held.totals.bytes);
    n_blocks.store(held.totals.blocks, std::memory_order_relaxed);
    return block;
}

bool unmap_block(void* block) noexcept {
    const std::size_t bytes = mapped_size(block);
    if (bytes == 0) return false;
    Registry& held = registry();
    {
        const std::lock_guard lock(held.mutex);
        held.sizes.erase(block);
        held.totals.blocks -= 1;
        held.totals.bytes -= bytes;
        n_blocks.store(held.totals.blocks, std::memory_order_relaxed);
    }
    munmap(block, bytes);
    return true;
}

std::size_t mapped_size(const void* block) noexcept {
    // Nearly every address is told by a look at its bits: mapped blocks begin with a page, others hardly ever.
    if ((reinterpret_cast<std::uintptr_t>(block) & 4095U) != 0 || block == nullptr) return 0;
    if (n_blocks.load(std::memory_order_relaxed) == 0) return 0;
    Registry& held = registry();
    const std::lock_guard lock(held.mutex);
    const auto found = held.sizes.find(block);
    return found == held.sizes.end() ? 0 : found->second;
}

MappedTotals mapped_totals() {
    const std::lock_guard lock(registry().mutex);
    return registry().totals;
}

std::string mapping_failure() {
    const std::lock_guard lock(registry().mutex);
    return registry().failure;
}

}  // namespace boxwood
