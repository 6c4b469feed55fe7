#include <set>

#include "boxwood/cell_mask.hpp"
#include "boxwood/random.hpp"
#include "check.hpp"

using namespace boxwood;

CASE("cells come back in ascending order, once", {
    CellMask mask;
    mask.resize(1'000'000);
    Draws draws(3);
    for (std::uint32_t n_cells : {1u, 63u, 64u, 65u, 4096u, 4097u, 1000000u}) {
        for (std::size_t n : {1u, 5u, 3000u}) {
            std::set<std::uint32_t> expected;
            for (std::size_t i = 0; i < n; ++i) {
                expected.insert(static_cast<std::uint32_t>(draws.below(n_cells)));
                mask.set(*expected.rbegin());
            }
            for (std::uint32_t cell : expected) mask.set(cell);
            std::vector<std::uint32_t> cells;
            mask.take(n_cells, cells);
            CHECK(cells == std::vector<std::uint32_t>(expected.begin(), expected.end()));
            cells.clear();
            mask.take(n_cells, cells);  // taking clears
            CHECK(cells.empty());
        }
    }
});

CHECK_MAIN()
