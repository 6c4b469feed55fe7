#include "binning/binned_rows.hpp"
#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"

CASE("places are middles of bins where growth is binned, and points where it is exact", {
    const SmallTable binned(10, 2, 1, 1);
    const SmallTable exact(10, 2, 1, 1, true);
    const auto b = binned.data();
    const auto e = exact.data(false);
    for (std::size_t row = 0; row < 10; ++row) {
        for (std::size_t j = 0; j < 3; ++j) {
            const auto& u = binned.columns[j].u;
            CHECK(b.place(row, j) == 0.5 * (u[b.bin(row, j)] + u[b.bin(row, j) + 1u]));
            CHECK(e.place(row, j) == exact.points[row * 3 + j]);
            CHECK(!b.exact(j));
            CHECK(e.exact(j) == (j < 2));
        }
        CHECK(b.weight(row) == binned.weights[row]);
        CHECK(e.weight(row) == 1.0);
    }
});

CHECK_MAIN()
