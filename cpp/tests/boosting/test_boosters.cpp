#include <array>
#include <stdexcept>
#include <vector>

#include "boosting/boosters.hpp"
#include "tests/boosting/diagonal.hpp"
#include "tests/check.hpp"

using boxwood::Booster;
using boxwood::Boosters;
using boxwood::MapChain;
using boxwood::MapGrowOptions;
using boxwood::RoundsDone;
using boxwood::testing::diagonal;

namespace {

const MapChain none{2, {}, {}};

MapGrowOptions seeded(std::uint64_t seed) {
    MapGrowOptions options;
    options.max_features = 1;
    options.seed = seed;
    return options;
}

void add_three(Boosters& boosters) {
    for (const std::uint64_t seed : {1, 2, 3})
        boosters.add(diagonal(500, seed), diagonal(100, 9), seeded(seed), none);
}

}  // namespace

CASE("chains side by side are those grown alone, on any number of threads", {
    for (const std::size_t n_threads : {1, 3}) {
        Boosters together;
        add_three(together);
        together.run(40, 5, n_threads, {});
        const std::vector<double> logs = together.held_out_log_density();
        const std::vector<double> gains = together.importance();
        CHECK(logs.size() == 300 && gains.size() == 6);
        for (std::size_t k = 0; k < 3; ++k) {
            Booster alone(diagonal(500, k + 1), diagonal(100, 9), seeded(k + 1), none);
            alone.run(40, 5, [] {});
            CHECK(together[k].chain().ends == alone.chain().ends);
            CHECK(together[k].best_round() == alone.best_round());
            for (std::size_t i = 0; i < 100; ++i) CHECK(logs[i * 3 + k] == alone.held_out_log_density()[i]);
            for (std::size_t j = 0; j < 2; ++j) CHECK(gains[k * 2 + j] == alone.importance()[j]);
        }
    }
});

CASE("what is kept goes on, the rest is gone", {
    Boosters boosters;
    add_three(boosters);
    boosters.run(5, 0, 1, {});
    boosters.keep(std::array<std::size_t, 2>{0, 2});
    CHECK(boosters.size() == 2);
    boosters.run(12, 0, 2, {});
    Booster alone(diagonal(500, 3), diagonal(100, 9), seeded(3), none);
    alone.run(12, 0, [] {});
    CHECK(boosters[1].held_out_score() == alone.held_out_score());
    for (const auto& wrong : {std::vector<std::size_t>{2}, std::vector<std::size_t>{1, 0}}) {
        bool thrown = false;
        try {
            boosters.keep(wrong);
        } catch (const std::invalid_argument&) {
            thrown = true;
        }
        CHECK(thrown && boosters.size() == 2);
    }
});

CASE("rounds done and left end with what was run", {
    Boosters boosters;
    add_three(boosters);
    std::vector<RoundsDone> reported;
    boosters.run(400, 4, 2, [&](RoundsDone rounds) { reported.push_back(rounds); });
    std::size_t n_rounds = 0;
    for (std::size_t k = 0; k < 3; ++k) n_rounds += boosters[k].n_rounds();
    CHECK(n_rounds < 1200);  // patience ended before
    CHECK(reported.back().n_done == n_rounds && reported.back().n_left == 0);
    for (std::size_t i = 1; i < reported.size(); ++i) {
        CHECK(reported[i].n_done >= reported[i - 1].n_done);
        CHECK(reported[i].n_done + reported[i].n_left <= reported[i - 1].n_done + reported[i - 1].n_left);
    }
    boosters.run(10, 0, 2, [&](RoundsDone rounds) { reported.push_back(rounds); });
    CHECK(reported.back().n_done == 0 && reported.back().n_left == 0);  // there were more rounds already
});

CASE("a watch that throws stops all chains", {
    Boosters boosters;
    add_three(boosters);
    bool thrown = false;
    try {
        boosters.run(100'000, 0, 2, [](RoundsDone) { throw std::runtime_error("stop"); });
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown);
    for (std::size_t k = 0; k < 3; ++k) CHECK(boosters[k].n_rounds() < 100'000);
});

CASE("no chains, nothing to do", {
    Boosters boosters;
    RoundsDone reported{7, 7};
    boosters.run(5, 0, 2, [&](RoundsDone rounds) { reported = rounds; });
    CHECK(reported.n_done == 0 && reported.n_left == 0);
    CHECK(boosters.held_out_log_density().empty() && boosters.importance().empty());
});

CHECK_MAIN()
