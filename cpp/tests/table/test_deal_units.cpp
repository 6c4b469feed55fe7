#include <cmath>
#include <numeric>
#include <vector>

#include "table/deal_units.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

std::vector<std::uint64_t> some_keys(std::size_t n) {
    std::vector<std::uint64_t> keys(n);
    std::iota(keys.begin(), keys.end(), std::uint64_t{100});
    return keys;
}

}  // namespace

CASE("every unit falls into one fold", {
    for (std::int64_t n_units : {1, 7, 200, 201, 100000}) {
        const auto keys = some_keys(50);
        const std::vector<std::int64_t> observations(50, n_units);
        const auto counts = deal_folds({keys.data(), observations.data(), 50}, 6, 3);
        for (std::size_t row = 0; row < 50; ++row) {
            std::int64_t sum = 0;
            for (std::size_t fold = 0; fold < 6; ++fold) {
                CHECK(counts[row * 6 + fold] >= 0);
                sum += counts[row * 6 + fold];
            }
            CHECK(sum == n_units);
        }
    }
});

CASE("what is drawn for a row depends on its key and the seed alone", {
    const auto keys = some_keys(9);
    const std::vector<std::int64_t> observations(9, 40);
    const auto all = hold_out({keys.data(), observations.data(), 9}, 0.4, 8);
    for (std::size_t row = 0; row < 9; ++row)
        CHECK(hold_out({keys.data() + row, observations.data(), 1}, 0.4, 8)[0] == all[row]);
    CHECK(hold_out({keys.data(), observations.data(), 9}, 0.4, 9) != all);
});

CHECK_MAIN()
