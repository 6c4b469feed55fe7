#include "query/density_sum.hpp"
#include "tests/check.hpp"
#include "tests/query/random_mixture.hpp"

using namespace boxwood;

CASE("a sum is that of the leaves' densities bin by bin, whole leaves among them", {
    for (bool histogram : {true, false}) {
        for (std::size_t n_leaves : {1, 4, 60}) {
            const auto columns = query_columns();
            Draws draws(n_leaves);
            MixtureTree component{random_tree(columns, draws, n_leaves), {}};
            component.leaves.kind = histogram ? LeafKind::histogram : LeafKind::uniform;
            component.leaves.n_leaf_bins = histogram ? 8 : 0;
            const std::size_t n_bytes =
                component.tree.n_leaves * columns.size() * component.leaves.n_leaf_bins;
            for (std::size_t i = 0; i < n_bytes; ++i)
                component.leaves.quantised.push_back(
                    static_cast<std::uint8_t>(150.0 + 100.0 * draws.uniform()));
            const Mixture mixture(columns, {component}, {1.0});
            const LeafTable leaves(mixture, 1, {});
            for (std::size_t j = 0; j < columns.size(); ++j) {
                const ColumnLeaves& column = leaves.column(j);
                DensitySum sum(column);
                std::vector<double> expected(column.n_bins(), 0.0);
                for (std::size_t leaf = 0; leaf < leaves.n_leaves(); ++leaf) {
                    const double mass = draws.uniform();
                    sum.add(leaf, mass);
                    for (std::uint32_t bin = 0; bin < column.n_bins(); ++bin)
                        if (column.holds(leaf, bin))
                            expected[bin] += mass * column.scale[leaf] * column.weight_of(leaf, bin);
                }
                std::vector<double> found(column.n_bins());
                sum.write(found.data());
                for (std::size_t bin = 0; bin < found.size(); ++bin)
                    CHECK(std::abs(found[bin] - expected[bin]) <= 1e-10 * (1.0 + expected[bin]));
            }
        }
    }
});

CHECK_MAIN()
