// Memory that lies in files: what is larger than a threshold is a mapping of a temporary file without a name.
//
// While a setting is in force, `operator new` of the core (mapped_new.cpp) and numpy's arrays
// (bindings/bind_mapped_memory.cpp) take blocks of at least its threshold from here. Pages of such a block
// are the system's to write out and to read again, so that they need no memory of the process's own. Files
// have no name from the beginning on: they are gone with the block, also where the process is killed.
#pragma once

#include <cstddef>
#include <new>
#include <string>

namespace boxwood {

// No room for a mapped block: what() says where and why.
class MappingError : public std::bad_alloc {
  public:
    explicit MappingError(std::string message) : message_(std::move(message)) {}
    const char* what() const noexcept override { return message_.c_str(); }

  private:
    std::string message_;
};

// From now on blocks of at least `threshold` bytes are files in `folder`. Several may be in force, of calls
// on several threads: the least threshold holds for all, as memory is the process's. Returns the setting's
// number.
std::size_t start_mapping(std::string folder, std::size_t threshold);

// Ends a setting; blocks that are in use stay mapped. False where there is none of that number.
bool stop_mapping(std::size_t number);

// Whether a block of that size is to come from `map_block`.
bool is_to_be_mapped(std::size_t bytes) noexcept;

// A mapped block, of a new file or of one that was freed. Throws MappingError where the disk has no room for
// all of it: found out now, since a write to a page that has none would end the process.
void* map_block(std::size_t bytes);

// The same, all zeros.
void* map_zeros(std::size_t bytes);

// Frees a block that `map_block` gave; false for any other address.
bool unmap_block(void* block) noexcept;

// The size of a mapped block, which may be more than was asked for; 0 for any other address.
std::size_t mapped_size(const void* block) noexcept;

struct MappedTotals {
    std::size_t blocks = 0;   // in use
    std::size_t bytes = 0;    // in use
    std::size_t largest = 0;  // the most bytes that were in use at a time since a first setting was started
};
MappedTotals mapped_totals();

// What the last `map_block` that failed said, since the last setting was started; empty where none failed.
std::string mapping_failure();

}  // namespace boxwood
