#include <algorithm>
#include <vector>

#include "base/counting_ranks.hpp"
#include "base/random.hpp"
#include "tests/check.hpp"

using namespace boxwood;

CASE("a few keys are sorted, whatever follows them", {
    Draws draws(1);
    for (std::size_t n = 1; n <= most_ranked; ++n) {
        std::vector<std::int32_t> keys(most_ranked, -1);
        for (std::size_t i = 0; i < n; ++i)
            keys[i] = static_cast<std::int32_t>(draws.below(1000) * most_ranked + i);
        std::vector<std::int32_t> wanted(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(n));
        std::vector<std::int32_t> sorted(n);
        std::sort(wanted.begin(), wanted.end());
        sort_few(keys.data(), n, sorted.data());
        CHECK(sorted == wanted);
    }
});

CHECK_MAIN()
