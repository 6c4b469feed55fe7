#include <numeric>

#include "query/query_tables.hpp"
#include "tests/check.hpp"
#include "tests/query/random_mixture.hpp"

using namespace boxwood;

CASE("tables say what leaves say, however often they are asked", {
    const Mixture mixture = random_mixture(11, true);
    const LeafTable leaves(mixture, 1, {});
    const QueryTables tables(leaves, {});
    Draws draws(12);
    for (int i = 0; i < 40; ++i) {
        for (const auto& columns : {std::vector<std::size_t>{0}, {3, 0}, {2, 3}, {1, 2}}) {
            std::vector<EventPointer> events;
            for (const std::size_t j : columns) events.push_back(random_event(mixture.columns()[j], draws));
            const QueryBox box = tables.box(columns, events, {}, 0.7);
            CHECK(is_close(tables.probability(box), slow_probability(leaves, box)));
            if (i > 30) CHECK(!std::isnan(tables.look_up(box)));
        }
    }
    CHECK(tables.bytes() > 0);
});

CASE("densities and pairs of cells are sums over leaves", {
    const Mixture mixture = random_mixture(13, true);
    const LeafTable leaves(mixture, 1, {});
    Draws draws(14);
    const QueryBox box{{0, 1},
                       {random_event(mixture.columns()[0], draws), random_event(mixture.columns()[1], draws)},
                       {},
                       {},
                       1.0};
    const Conditioned conditioned(leaves, {box}, 1, {});
    const auto found = conditioned.densities(3, {0}, 1);
    std::vector<std::uint32_t> cells{0, 3, 4, 16};
    std::vector<std::uint32_t> categories{0, 1, 2, 3, 4, 5, 6};
    const auto pairs = conditioned.pair_masses(3, cells, 2, categories);
    std::vector<double> expected(16, 0.0);
    std::vector<double> expected_pairs(18, 0.0);
    const auto& u = mixture.columns()[3].u;
    const auto& v = mixture.columns()[2].u;
    for (std::size_t leaf = 0; leaf < leaves.n_leaves(); ++leaf) {
        double weight = leaves.mass()[leaf];
        for (std::size_t j = 0; j < 2; ++j)
            weight *= slow_probability(leaves.column(j), leaf, *box.events[j]);
        for (std::uint32_t bin = 0; bin < 16; ++bin) {
            const double density = weight * density_in_bin(leaves.column(3), leaf, bin);
            expected[bin] += density;
            const std::size_t cell = bin < 3 ? 0 : bin < 4 ? 1 : 2;
            for (std::uint32_t c = 0; c < 6; ++c)
                expected_pairs[cell * 6 + c] += density * (u[bin + 1] - u[bin]) *
                                                density_in_bin(leaves.column(2), leaf, c) * (v[c + 1] - v[c]);
        }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(is_close(found[i], expected[i]));
    for (std::size_t i = 0; i < expected_pairs.size(); ++i) CHECK(is_close(pairs[i], expected_pairs[i]));
});

CHECK_MAIN()
