#include <algorithm>
#include <set>
#include <vector>

#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/row_partition.hpp"

using boxwood::RowPartition;
using boxwood::Split;

namespace {

// A split of some column that parts the rows somewhere.
Split some_split(std::size_t j) {
    Split split;
    split.feature = j;
    split.threshold_bin = 6;
    split.threshold_point = 0.3;
    split.left_bins = {1, 3};
    return split;
}

}  // namespace

CASE("rows are parted in their order, and what is kept of them goes along", {
    for (bool exact : {false, true}) {
        for (bool weighted : {false, true}) {
            const SmallTable table(150, 3, 2, 5, exact);
            const auto data = table.data(weighted);
            auto rows = table.all_rows();
            RowPartition partition;
            partition.start(data, rows, exact);
            std::size_t begin = 0;
            for (std::size_t j : {0u, 3u, 2u, 4u}) {  // the right halves, one after another
                const Split split = some_split(j);
                const std::set<std::uint32_t> before(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                                     rows.end());
                const std::size_t middle = partition.partition(data, split, begin, rows.size(), rows);
                for (std::size_t i = begin; i < rows.size(); ++i)
                    CHECK(split.goes_left(data, rows[i]) == (i < middle));
                const std::set<std::uint32_t> after(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                                    rows.end());
                CHECK(before == after);
                const auto at = [&](std::size_t i) { return rows.begin() + static_cast<std::ptrdiff_t>(i); };
                CHECK(std::is_sorted(at(begin), at(middle)) && std::is_sorted(at(middle), rows.end()));
                begin = middle;
            }
            for (std::size_t i = 0; i < rows.size(); ++i) {
                for (std::size_t j = 0; j < 5; ++j) CHECK(partition.bins(i)[j] == data.bin(rows[i], j));
                if (weighted) CHECK(*partition.weights(i) == data.weight(rows[i]));
            }
            CHECK(weighted || partition.weights(0) == nullptr);
            for (std::size_t j = 0; exact && j < 3; ++j) {
                const RowPartition::Sorted& column = partition.sorted(j);
                CHECK(std::is_sorted(column.point.begin() + static_cast<std::ptrdiff_t>(begin),
                                     column.point.end()));
                for (std::size_t i = 0; i < rows.size(); ++i)
                    CHECK(column.point[i] == data.place(column.row[i], j));
                const std::set<std::uint32_t> sorted(column.row.begin() + static_cast<std::ptrdiff_t>(begin),
                                                     column.row.end());
                CHECK(sorted ==
                      std::set<std::uint32_t>(rows.begin() + static_cast<std::ptrdiff_t>(begin), rows.end()));
            }
        }
    }
});

CHECK_MAIN()
