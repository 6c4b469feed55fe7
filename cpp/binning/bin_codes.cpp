#include "binning/bin_codes.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "base/count_below.hpp"

namespace boxwood {

template <class Code>
std::vector<Code> bin_codes(std::span<const double> thresholds, Strided values) {
    if (thresholds.size() + 2 > std::size_t{std::numeric_limits<Code>::max()} + 1)
        throw std::invalid_argument("a column has too many thresholds");
    std::vector<Code> codes(values.size);
    for (std::size_t i = 0; i < values.size; ++i) {
        const double x = values[i];
        codes[i] = static_cast<Code>(std::isnan(x) ? thresholds.size() + 1 : count_below(thresholds, x));
    }
    return codes;
}

template std::vector<std::uint8_t> bin_codes(std::span<const double>, Strided);
template std::vector<std::uint16_t> bin_codes(std::span<const double>, Strided);

}  // namespace boxwood
