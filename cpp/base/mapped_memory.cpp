#include "base/mapped_memory.hpp"

#ifndef _WIN32
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <tuple>
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

struct Block {
    void* start;
    std::size_t bytes;
};

// Freed blocks are kept up to a quarter of those in use, and at least so much: writing to a new file takes a
// page fault every 4,096 bytes. A forest's fit took 1.5 times as long as in memory without that.
constexpr std::size_t least_kept = std::size_t{64} << 20;

// Never destroyed: blocks are freed until the very end of the process.
struct Registry {
    std::mutex mutex;
    std::vector<Setting> settings;
    std::size_t next_number = 1;
    std::unordered_map<const void*, std::size_t> sizes;
    std::vector<Block> kept;  // freed, to be used again: oldest first
    std::size_t kept_bytes = 0;
    MappedTotals totals;
    std::string failure;
};

// Whether this thread is inside the registry, whose own memory is freed by the same operators: asking it
// again would wait for itself. (One in 256 of its nodes begins with a page, and looks like a mapped block.)
thread_local bool inside = false;

// The registry while it is used, by one thread at a time.
class Held {
  public:
    Held() : lock_(only().mutex) { inside = true; }
    ~Held() { inside = false; }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    Registry* operator->() const { return &only(); }
    Registry& operator*() const { return only(); }

  private:
    static Registry& only() {
        static auto* const registry = new Registry;
        return *registry;
    }
    std::lock_guard<std::mutex> lock_;
};

std::atomic<std::size_t> threshold_in_force{none};
std::atomic<std::size_t> n_blocks{0};

void set_threshold(const Registry& held) {
    std::size_t least = none;
    for (const Setting& setting : held.settings) least = std::min(least, setting.threshold);
    threshold_in_force.store(least, std::memory_order_relaxed);
}

#ifdef _WIN32
// Windows has no files without a name: a setting is refused there with the first large block.
std::pair<void*, int> map_file(const std::string&, std::size_t) { return {nullptr, ENOSYS}; }
void unmap_file(const Block&) {}
#else
void unmap_file(const Block& block) { munmap(block.start, block.bytes); }

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
#endif

// A kept block of that size or up to half as much again; nullptr where there is none.
Block take_kept(Registry& held, std::size_t bytes) {
    auto best = held.kept.end();
    for (auto block = held.kept.begin(); block != held.kept.end(); ++block)
        if (block->bytes >= bytes && block->bytes - bytes <= bytes / 2 &&
            (best == held.kept.end() || block->bytes < best->bytes))
            best = block;
    if (best == held.kept.end()) return {nullptr, 0};
    const Block found = *best;
    held.kept.erase(best);
    held.kept_bytes -= found.bytes;
    return found;
}

// Unmaps the oldest blocks until no more than `bytes` are kept.
void keep_at_most(Registry& held, std::size_t bytes) {
    std::size_t n_dropped = 0;
    while (held.kept_bytes > bytes) {
        const Block& block = held.kept[n_dropped++];
        unmap_file(block);
        held.kept_bytes -= block.bytes;
    }
    held.kept.erase(held.kept.begin(), held.kept.begin() + static_cast<std::ptrdiff_t>(n_dropped));
}

void count(Registry& held, const Block& block) {
    held.sizes.emplace(block.start, block.bytes);
    held.totals.blocks += 1;
    held.totals.bytes += block.bytes;
    held.totals.largest = std::max(held.totals.largest, held.totals.bytes);
    n_blocks.store(held.totals.blocks, std::memory_order_relaxed);
}

[[noreturn]] void fail(Registry& held, const std::string& folder, std::size_t bytes, int reason) {
    held.failure = "no room for a temporary file of " + std::to_string(bytes) + " bytes in '" + folder +
                   "' (" + std::strerror(reason) + "), beside " + std::to_string(held.totals.bytes) +
                   " bytes that are in use there";
    throw MappingError(held.failure);
}

}  // namespace

std::size_t start_mapping(std::string folder, std::size_t threshold) {
    const Held held;
    if (held->settings.empty()) held->totals.largest = held->totals.bytes;
    held->failure.clear();
    held->settings.push_back({held->next_number, std::move(folder), std::max<std::size_t>(threshold, 1)});
    set_threshold(*held);
    return held->next_number++;
}

bool stop_mapping(std::size_t number) {
    const Held held;
    const auto n_removed =
        std::erase_if(held->settings, [number](const Setting& setting) { return setting.number == number; });
    set_threshold(*held);
    keep_at_most(*held, 0);  // they may lie in the folder of this setting
    return n_removed > 0;
}

bool is_to_be_mapped(std::size_t bytes) noexcept {
    return bytes >= threshold_in_force.load(std::memory_order_relaxed) && !inside;
}

void* map_block(std::size_t bytes) {
    std::string folder;
    {
        const Held held;
        const Block kept = take_kept(*held, bytes);
        if (kept.start != nullptr) {
            count(*held, kept);
            return kept.start;
        }
        if (!held->settings.empty()) folder = held->settings.back().folder;
    }
    if (folder.empty()) throw MappingError("no folder for mapped files was set");
    const std::size_t needed = std::max<std::size_t>(bytes, 1);
    auto [block, reason] = map_file(folder, needed);
    const Held held;
    if (block == nullptr && !held->kept.empty()) {
        keep_at_most(*held, 0);
        std::tie(block, reason) = map_file(folder, needed);
    }
    if (block == nullptr) fail(*held, folder, bytes, reason);
    count(*held, {block, needed});
    return block;
}

void* map_zeros(std::size_t bytes) {
    void* block = map_block(bytes);
    std::memset(block, 0, bytes);  // it may have been used before
    return block;
}

bool unmap_block(void* block) noexcept {
    const std::size_t bytes = mapped_size(block);
    if (bytes == 0) return false;
    const Held held;
    held->sizes.erase(block);
    held->totals.blocks -= 1;
    held->totals.bytes -= bytes;
    n_blocks.store(held->totals.blocks, std::memory_order_relaxed);
    if (held->settings.empty()) {
        unmap_file({block, bytes});
        return true;
    }
    held->kept.push_back({block, bytes});
    held->kept_bytes += bytes;
    keep_at_most(*held, std::max(least_kept, held->totals.bytes / 4));
    return true;
}

std::size_t mapped_size(const void* block) noexcept {
    // Nearly every address is told by a look at its bits: mapped blocks begin with a page, others hardly
    // ever.
    if ((reinterpret_cast<std::uintptr_t>(block) & 4095U) != 0 || block == nullptr || inside) return 0;
    if (n_blocks.load(std::memory_order_relaxed) == 0) return 0;
    const Held held;
    const auto found = held->sizes.find(block);
    return found == held->sizes.end() ? 0 : found->second;
}

MappedTotals mapped_totals() {
    const Held held;
    return held->totals;
}

std::string mapping_failure() {
    const Held held;
    return held->failure;
}

}  // namespace boxwood
