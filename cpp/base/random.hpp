// Counter-based random draws: what is drawn depends on keys alone, never on who draws first.
#pragma once

#include <cstdint>

namespace boxwood {

// The finaliser of splitmix64: every bit of the result depends on every bit of the argument.
inline std::uint64_t mix_bits(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

inline std::uint64_t combine_keys(std::uint64_t key, std::uint64_t other) {
    return mix_bits(key ^ mix_bits(other));
}

// A stream of draws from one key, for example that of a node.
class Draws {
  public:
    // `first`: how many draws of the key were taken before.
    explicit Draws(std::uint64_t key, std::uint64_t first = 0) : key_(key), counter_(first) {}

    std::uint64_t next() { return combine_keys(key_, counter_++); }
    // Uniform on 0 … n − 1 for n up to 2³²; the bias is below n/2³².
    std::uint64_t below(std::uint64_t n) { return ((next() >> 32) * n) >> 32; }
    // Uniform on [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  private:
    std::uint64_t key_;
    std::uint64_t counter_;
};

}  // namespace boxwood
