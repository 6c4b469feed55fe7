#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "table/row_hash.hpp"
#include "tests/check.hpp"

using boxwood::hash_rows;

CASE("equal rows have equal hashes, whatever their zeros and gaps are", {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> rows = {0.0, nan, -0.0, -nan, nan, 0.0};
    const auto hashes = hash_rows(rows.data(), 3, 2);
    CHECK(hashes[0] == hashes[2] && hashes[1] == hashes[3]);
    CHECK(hashes[0] != hashes[4] && hashes[1] != hashes[5]);
});

CASE("rows that differ in one place have other hashes in both words", {
    std::vector<double> rows;
    for (int i = 0; i < 64; ++i) {
        for (int k = 0; k < 64; ++k) {
            rows.push_back(i);
            rows.push_back(k);
        }
    }
    const auto hashes = hash_rows(rows.data(), rows.size() / 2, 2);
    std::set<std::uint64_t> first;
    std::set<std::uint64_t> second;
    for (std::size_t row = 0; row < rows.size() / 2; ++row) {
        first.insert(hashes[2 * row]);
        second.insert(hashes[2 * row + 1]);
    }
    CHECK(first.size() == 4096 && second.size() == 4096);
});

CASE("a row's hash does not depend on the rows beside it", {
    const std::vector<double> rows = {1.0, 2.0, 3.0, 4.0};
    const auto both = hash_rows(rows.data(), 2, 2);
    const auto last = hash_rows(rows.data() + 2, 1, 2);
    CHECK(both[2] == last[0] && both[3] == last[1]);
    CHECK(hash_rows(nullptr, 0, 3).empty());
});

CHECK_MAIN()
