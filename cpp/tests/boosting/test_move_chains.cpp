#include <stdexcept>
#include <vector>

#include "boosting/move_chains.hpp"
#include "tests/boosting/diagonal.hpp"
#include "tests/check.hpp"

using boxwood::Booster;
using boxwood::ChainRows;
using boxwood::MapChain;
using boxwood::testing::diagonal;

namespace {

MapChain grown(std::size_t n_rounds) {
    Booster booster(diagonal(500, n_rounds), {2, {}, {}}, {}, {2, {}, {}});
    booster.run(n_rounds, 0, [] {});
    return booster.chain();
}

}  // namespace

CASE("rows under several chains are those under each alone", {
    const std::vector<MapChain> chains{grown(1), grown(6), {2, {}, {}}};
    for (const std::size_t n : {0u, 1u, 40'000u}) {
        for (const std::size_t n_threads : {1u, 3u}) {
            std::vector<std::vector<double>> points(3), alone(3);
            std::vector<ChainRows> rows;
            for (std::size_t k = 0; k < 3; ++k) {
                points[k] = alone[k] = diagonal(n, 20 + k).points;
                rows.push_back({&chains[k], points[k].data()});
            }
            std::vector<double> logs(n * 3, -5.0);
            boxwood::move_chains(rows, n, logs.data(), n_threads);
            for (std::size_t k = 0; k < 3; ++k) {
                std::vector<double> own(n, 0.0);
                boxwood::move_rows(chains[k], alone[k].data(), n, own.data(), 0, chains[k].n_trees());
                CHECK(points[k] == alone[k]);
                bool equal = true;
                for (std::size_t i = 0; i < n; ++i) equal = equal && logs[i * 3 + k] == own[i];
                CHECK(equal);
            }
        }
    }
});

CASE("a watch that throws stops it", {
    const MapChain chain = grown(20);
    std::vector<double> points = diagonal(200'000, 1).points;
    std::vector<double> logs(200'000);
    const std::vector<ChainRows> rows{{&chain, points.data()}};
    bool thrown = false;
    try {
        boxwood::move_chains(rows, 200'000, logs.data(), 1,
                             [](std::size_t) { throw std::runtime_error("stop"); });
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown);
});

CHECK_MAIN()
