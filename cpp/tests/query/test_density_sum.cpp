#include "query/density_sum.hpp"
#include "tests/check.hpp"
#include "tests/query/random_mixture.hpp"

using namespace boxwood;

namespace {

// One tree of histograms, or of uniform leaves where they have no bins.
Mixture random_leaves(Draws& draws, std::size_t n_leaves, std::size_t n_leaf_bins) {
    const auto columns = query_columns();
    MixtureTree component{random_tree(columns, draws, n_leaves), {}};
    component.leaves.kind = n_leaf_bins > 0 ? LeafKind::histogram : LeafKind::uniform;
    component.leaves.n_leaf_bins = n_leaf_bins;
    const std::size_t n_bytes = component.tree.n_leaves * columns.size() * n_leaf_bins;
    for (std::size_t i = 0; i < n_bytes; ++i)
        component.leaves.quantised.push_back(static_cast<std::uint8_t>(150.0 + 100.0 * draws.uniform()));
    return Mixture(columns, {component}, {1.0});
}

std::vector<double> written(DensitySum& sum) {
    std::vector<double> found(sum.n_bins());
    sum.write(found.data());
    return found;
}

}  // namespace

CASE("a sum is that of the leaves' densities bin by bin, whole leaves among them", {
    for (bool histogram : {true, false}) {
        for (std::size_t n_leaves : {1, 4, 60}) {
            Draws draws(n_leaves);
            const Mixture mixture = random_leaves(draws, n_leaves, histogram ? 8 : 0);
            const auto& columns = mixture.columns();
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

CASE("many leaves at once add to the bit what they add one by one", {
    for (const std::uint32_t n_leaf_bins : {8u, 16u}) {
        Draws draws(n_leaf_bins);
        const Mixture mixture = random_leaves(draws, 60, n_leaf_bins);
        const LeafTable leaves(mixture, 1, {});
        std::vector<std::uint32_t> some;
        std::vector<double> masses;
        for (std::uint32_t leaf = 0; leaf < leaves.n_leaves(); ++leaf) {
            if (draws.uniform() < 0.2) continue;
            some.push_back(leaf);
            masses.push_back(draws.uniform());
        }
        for (std::size_t j = 0; j < leaves.n_columns(); ++j) {
            DensitySum at_once(leaves.column(j));
            DensitySum one_by_one(leaves.column(j));
            at_once.add_all(some, masses.data());
            for (std::size_t k = 0; k < some.size(); ++k) one_by_one.add(some[k], masses[k]);
            CHECK(written(at_once) == written(one_by_one));
        }
    }
});

CHECK_MAIN()
