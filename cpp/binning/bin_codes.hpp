// Codes of numbers: the bin of each between the thresholds of its column.
#pragma once

#include <span>
#include <vector>

#include "base/strided.hpp"

namespace boxwood {

// The bin of each value between ascending thresholds: how many of them are at most the value. NaN gets the
// code behind the last bin. `Code` is std::uint8_t or std::uint16_t; throws std::invalid_argument where it
// cannot hold the codes.
template <class Code>
std::vector<Code> bin_codes(std::span<const double> thresholds, Strided values);

}  // namespace boxwood
