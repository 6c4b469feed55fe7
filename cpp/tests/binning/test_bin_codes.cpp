#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "binning/bin_codes.hpp"
#include "tests/check.hpp"

using boxwood::bin_codes;

namespace {

template <class Code>
bool agrees_with_upper_bound(std::size_t n_thresholds, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<int> numbers(-300, 300);
    std::vector<double> thresholds;
    for (std::size_t k = 0; k < n_thresholds; ++k) thresholds.push_back(numbers(random) / 2.0);
    std::sort(thresholds.begin(), thresholds.end());
    std::vector<double> values = {std::nan(""), -std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::infinity(), -0.0};
    for (int i = 0; i < 200; ++i) values.push_back(numbers(random) / 2.0);
    const std::vector<Code> codes = bin_codes<Code>(thresholds, {values.data(), values.size(), 1});
    bool good = codes.size() == values.size() && codes[0] == n_thresholds + 1;
    for (std::size_t i = 1; i < values.size(); ++i) {
        const auto at = std::upper_bound(thresholds.begin(), thresholds.end(), values[i]);
        good = good && codes[i] == static_cast<Code>(at - thresholds.begin());
    }
    return good;
}

template <class Code>
bool refuses(std::size_t n_thresholds) {
    const std::vector<double> thresholds(n_thresholds, 0.0);
    try {
        bin_codes<Code>(thresholds, {nullptr, 0, 1});
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("a code counts the thresholds that are at most the value", {
    for (std::size_t n : {0u, 1u, 2u, 3u, 7u, 64u, 253u, 254u}) {
        CHECK(agrees_with_upper_bound<std::uint8_t>(n, n));
        CHECK(agrees_with_upper_bound<std::uint16_t>(n, n + 1000));
    }
    CHECK(agrees_with_upper_bound<std::uint16_t>(5000, 1));
});

CASE("columns may be strided", {
    const std::vector<double> values = {1.0, 9.0, 2.0, 9.0, 3.0, 9.0};
    const std::vector<double> thresholds = {2.0, 3.0};
    CHECK((bin_codes<std::uint8_t>(thresholds, {values.data(), 3, 2}) == std::vector<std::uint8_t>{0, 1, 2}));
});

CASE("codes that do not fit are refused", {
    CHECK(!refuses<std::uint8_t>(254) && refuses<std::uint8_t>(255));
    CHECK(!refuses<std::uint16_t>(65534) && refuses<std::uint16_t>(65535));
});

CHECK_MAIN()
