#include <cstdint>
#include <utility>
#include <vector>

#include "table/functional_pairs.hpp"
#include "tests/check.hpp"

using boxwood::functional_pairs;

namespace {

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

Pairs pairs_of(const std::vector<std::int32_t>& codes, const std::vector<std::int32_t>& n_levels,
               const std::vector<std::uint8_t>& parent, const std::vector<std::uint8_t>& child) {
    return functional_pairs({codes.data(), n_levels.data(), parent.data(), child.data(),
                             codes.size() / n_levels.size(), n_levels.size()});
}

}  // namespace

CASE("functions of small columns", {
    const std::vector<std::int32_t> codes = {0, 1, 2, 0, 1,   // a
                                             0, 1, 1, 0, 1,   // b follows from a
                                             0, 1, 0, 1, 0};  // c does not
    const Pairs all = pairs_of(codes, {3, 2, 2}, {1, 1, 1}, {1, 1, 1});
    CHECK((all == Pairs{{0, 1}}));
    CHECK(pairs_of(codes, {3, 2, 2}, {0, 1, 1}, {1, 1, 1}).empty());
    CHECK(pairs_of(codes, {3, 2, 2}, {1, 1, 1}, {1, 0, 1}).empty());
});

CASE("cells without a code take no part", {
    const std::vector<std::int32_t> codes = {0, -1, 0, -1, 0, 1, 0, 2};
    CHECK((pairs_of(codes, {1, 3}, {1, 0}, {0, 1}) == Pairs{{0, 1}}));
});

CASE("a table without rows has every function",
     { CHECK((pairs_of({}, {0, 0}, {1, 0}, {0, 1}) == Pairs{{0, 1}})); });

CHECK_MAIN()
