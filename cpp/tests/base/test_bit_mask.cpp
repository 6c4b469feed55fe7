#include <set>

#include "base/bit_mask.hpp"
#include "base/random.hpp"
#include "tests/check.hpp"

using namespace boxwood;

CASE("bins come back in ascending order, once", {
    BitMask mask;
    mask.resize(1000000);
    Draws draws(3);
    for (std::uint32_t n_bins : {1u, 63u, 64u, 65u, 4096u, 4097u, 1000000u}) {
        for (std::size_t n : {1u, 5u, 3000u}) {
            std::set<std::uint32_t> expected;
            for (std::size_t i = 0; i < n; ++i)
                expected.insert(static_cast<std::uint32_t>(draws.below(n_bins)));
            std::vector<std::uint32_t> bins;
            std::vector<std::uint32_t> again;
            BitMask::with_levels(n_bins, [&]<bool upper>(std::bool_constant<upper>) {
                for (std::uint32_t bin : expected) mask.set<upper>(bin);
                mask.take<upper>(n_bins, bins);
                mask.take<upper>(n_bins, again);  // taking clears
            });
            CHECK(std::equal(bins.begin(), bins.end(), expected.begin(), expected.end()));
            CHECK(again.empty());
        }
    }
});

CHECK_MAIN()
