#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "binning/binned_table.hpp"
#include "tests/check.hpp"
#include "tests/tree/density/small_grown.hpp"

using boxwood::BinnedTable;
using boxwood::GrownDensityTree;

CASE("a collapsed tree keeps rows, counts, volumes and the sets that it needs", {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const GrownDensityTree grown = small_grown(seed, 12);
        std::mt19937_64 random(seed);
        std::vector<char> is_leaf(grown.tree.nodes.size());
        for (std::size_t i = 0; i < is_leaf.size(); ++i)
            is_leaf[i] = grown.tree.nodes[i].is_leaf() || random() % 3 == 0;
        const GrownDensityTree small = boxwood::collapse(grown, is_leaf);
        CHECK(small.rows == grown.rows);
        CHECK(small.tree.nodes.size() == 2 * small.tree.n_leaves - 1);
        double count = 0.0;
        double volume = 0.0;
        std::size_t n_sets = 0;
        for (std::size_t i = 0; i < small.tree.nodes.size(); ++i) {
            const auto& node = small.tree.nodes[i];
            if (!node.is_leaf()) {
                CHECK(node.left > i && node.left + 1 < small.tree.nodes.size());
                CHECK(small.begin[node.left] == small.begin[i] && small.end[node.left + 1] == small.end[i]);
                n_sets += small.columns[static_cast<std::size_t>(node.feature)].categorical ? 1 : 0;
                continue;
            }
            count += node.count;
            volume += std::exp(small.log_volume[i]);
            CHECK(small.gain[i] == 0.0);
            for (std::size_t k = small.begin[i]; k < small.end[i]; ++k) {
                const std::uint16_t* bins = small.bins.data() + k * small.bin_stride;
                CHECK(boxwood::find_leaf(small.tree, small.columns, bins) == i);
            }
        }
        CHECK(small.tree.sets.size() == n_sets * small.tree.words_per_set);
        CHECK(count == grown.tree.nodes[0].count);
        CHECK(std::abs(volume - 1.0) < 1e-9);
    }
});

CASE("every row is in the leaf that its bins lead to, rows of weight 0 in none", {
    SmallTable table(60, 2, 1, 3);
    for (std::size_t i = 0; i < 60; i += 7) table.weights[i] = 0.0;
    const BinnedTable binned(table.columns, table.n_rows, table.bins.data(), nullptr, table.weights.data());
    const GrownDensityTree grown = boxwood::grow_density_tree(binned.data(), {});
    const auto leaves = boxwood::leaves_of_rows(grown, binned);
    CHECK(leaves.size() == table.n_rows);
    for (std::size_t i = 0; i < table.n_rows; ++i) {
        const auto found = boxwood::find_leaf(grown.tree, grown.columns, table.bins.data() + i * 3);
        if (binned.data().weight(binned.distinct(i)) > 0.0) {
            CHECK(leaves[i] == grown.tree.nodes[found].leaf);
        } else {
            CHECK(leaves[i] == std::numeric_limits<std::uint32_t>::max());
        }
    }
});

CASE("a tree of another table is refused", {
    const SmallTable table(60, 2, 1, 3);
    const GrownDensityTree grown = boxwood::grow_density_tree(table.data(), {});
    const auto refused = [&](const boxwood::BinnedRows& rows) {
        try {
            boxwood::check_grown_on(grown, rows);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(!refused(table.data()));
    const SmallTable narrow(60, 2, 0, 3);
    const SmallTable coarse(60, 2, 1, 3, false, 8);
    CHECK(refused(narrow.data()) && refused(coarse.data()));
    auto fewer = table.data();
    fewer.n_rows = 20;
    CHECK(refused(fewer));
});

CASE("gains of columns are those of their splits, and no loss counts", {
    GrownDensityTree grown = small_grown(4, 12);
    std::vector<double> expected(3, 0.0);
    for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
        if (grown.tree.nodes[i].is_leaf()) continue;
        if (i % 3 == 2) grown.gain[i] = -grown.gain[i];
        if (grown.gain[i] > 0.0)
            expected[static_cast<std::size_t>(grown.tree.nodes[i].feature)] += grown.gain[i];
    }
    CHECK(boxwood::gains_of_columns(grown, 3) == expected);
});

CHECK_MAIN()
