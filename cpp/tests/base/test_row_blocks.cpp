#include <atomic>
#include <vector>

#include "base/row_blocks.hpp"
#include "tests/check.hpp"

using namespace boxwood;

CASE("blocks cover every row once, whatever the shape of the table", {
    for (std::size_t n_rows : {std::size_t{0}, std::size_t{1}, std::size_t{513}, std::size_t{100'000}}) {
        for (std::size_t n_columns : {std::size_t{0}, std::size_t{1}, std::size_t{2000}}) {
            for (std::size_t n_threads : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
                std::vector<std::atomic<int>> seen(n_rows);
                in_row_blocks(n_rows, n_columns, n_threads, {}, [&](std::size_t first, std::size_t n) {
                    for (std::size_t i = first; i < first + n; ++i) ++seen[i];
                });
                for (const auto& n : seen) CHECK(n == 1);
            }
        }
    }
});

CASE("wide tables have smaller blocks", {
    CHECK(rows_a_block(300, 500, 2) < 100);
    CHECK(rows_a_block(1, 10, 1) >= 1);
    CHECK(rows_a_block(1'000'000, 10, 2) == 4096);
});

CHECK_MAIN()
