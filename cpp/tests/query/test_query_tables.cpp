#include <cmath>
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

CASE("products of leaves' cells are the pairs of columns", {
    for (const std::uint64_t seed : {15, 16, 17}) {
        for (const bool histograms : {false, true}) {
            const Mixture mixture = random_mixture(seed, histograms);
            const LeafTable leaves(mixture, 1, {});
            Draws draws(seed);
            const QueryBox all{{}, {}, {}, {}, 1.0};
            const QueryBox some{
                {0, 2},
                {random_event(mixture.columns()[0], draws), random_event(mixture.columns()[2], draws)},
                {},
                {},
                0.3};
            for (const auto& boxes : {std::vector<QueryBox>{all}, {some, all}}) {
                const Conditioned conditioned(leaves, boxes, 1, {});
                const std::vector<std::size_t> columns{3, 0, 2, 1};
                std::vector<std::vector<std::uint32_t>> cells;
                for (const std::size_t j : columns) {
                    const auto n = static_cast<std::uint32_t>(mixture.columns()[j].n_bins());
                    cells.push_back({0, 1, n / 2, n});
                }
                const std::size_t n = conditioned.n_weights();
                auto rows = conditioned.cell_masses(columns, cells, 0, n / 3);
                const auto rest = conditioned.cell_masses(columns, cells, n / 3, n - n / 3);
                rows.insert(rows.end(), rest.begin(), rest.end());
                CHECK(rows.size() == 12 * n);
                for (std::size_t a = 0; a < 4; ++a) {
                    for (std::size_t b = a + 1; b < 4; ++b) {
                        const auto one = conditioned.pair_masses(columns[a], cells[a], columns[b], cells[b]);
                        for (std::size_t i = 0; i < one.size(); ++i) {
                            double sum = 0.0;
                            for (std::size_t k = 0; k < n; ++k)
                                sum += rows[12 * k + 3 * a + i / 3] * rows[12 * k + 3 * b + i % 3];
                            CHECK(std::abs(sum - one[i]) < 1e-13);
                        }
                    }
                }
            }
        }
    }
});

CHECK_MAIN()
